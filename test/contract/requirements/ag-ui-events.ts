import type { Requirements } from "./requirement.ts";

/** AG-UI: the events of a stream, their fields and their order. */
export const agUiEvents = {
  "ag-ui.event.type-and-timestamp": {
    states: "Every event is a JSON object with type and timestamp.",
    source: "contract",
  },
  "ag-ui.event.timestamp-unix-seconds": {
    states: "timestamp is a whole number of Unix seconds for readers of the contract's dialect.",
    source: "decision",
  },
  "ag-ui.event.timestamp-milliseconds": {
    states: "timestamp is a number of Unix milliseconds for standard AG-UI clients.",
    source: "goal",
  },
  "ag-ui.event.timestamp-ascending": {
    states: "No event of a stream has an earlier timestamp than the previous one.",
    source: "goal",
  },
  "ag-ui.event.no-nulls": { states: "No event has a null field.", source: "decision" },
  "ag-ui.event.run-started": {
    states: "RUN_STARTED with threadId and runId opens every run.",
    source: "contract",
  },
  "ag-ui.event.text-start": {
    states: "TEXT_MESSAGE_START has messageId and the role assistant.",
    source: "contract",
  },
  "ag-ui.event.text-content": {
    states: "TEXT_MESSAGE_CONTENT has messageId and delta.",
    source: "contract",
  },
  "ag-ui.event.text-content-both-names": {
    states: "TEXT_MESSAGE_CONTENT repeats the delta as content.",
    source: "decision",
  },
  "ag-ui.event.text-end": {
    states: "TEXT_MESSAGE_END has the messageId of its start.",
    source: "contract",
  },
  "ag-ui.event.tool-start": {
    states: "TOOL_CALL_START has toolCallId and toolCallName, and the same name as toolName.",
    source: "decision",
  },
  "ag-ui.event.tool-args": {
    states: "TOOL_CALL_ARGS has toolCallId and delta, a piece of the arguments' JSON text.",
    source: "decision",
  },
  "ag-ui.event.tool-end": {
    states: "TOOL_CALL_END has toolCallId and the tool's result.",
    source: "decision",
  },
  "ag-ui.event.run-finished": {
    states: "RUN_FINISHED has threadId, runId and the full text as result.",
    source: "contract",
  },
  "ag-ui.event.usage": {
    states:
      "The last event of a run has its usage: all tokens of the attempt by provider and model, cached and reasoning ones included, also after a resume.",
    source: "goal",
  },
  "ag-ui.event.run-error": { states: "RUN_ERROR has message and code.", source: "decision" },
  "ag-ui.event.deleted-run-ends": {
    states: "The stream of a deleted task ends with RUN_ERROR and closes.",
    source: "goal",
  },
  "ag-ui.event.cancelled-run-ends": {
    states: "The stream of a cancelled task ends with RUN_ERROR and closes.",
    source: "goal",
  },
  "ag-ui.event.open-messages-closed": {
    states: "Messages that are open when a run ends are closed before its last event.",
    source: "decision",
  },
  "ag-ui.event.nothing-after-end": {
    states: "No event follows RUN_FINISHED or RUN_ERROR.",
    source: "decision",
  },
  "ag-ui.event.order-valid": {
    states: "The order of events passes the checks of the official AG-UI client library.",
    source: "goal",
  },
  "ag-ui.event.interaction-request": {
    states: "INTERACTION_REQUEST has threadId, interactionId, interactionType, title, description and timeoutMs.",
    source: "contract",
  },
  "ag-ui.event.interaction-response": {
    states: "INTERACTION_RESPONSE has interactionId and the answer.",
    source: "decision",
  },
  "ag-ui.event.interaction-timeout": {
    states: "INTERACTION_TIMEOUT has interactionId.",
    source: "decision",
  },
} as const satisfies Requirements<"ag-ui.event">;
