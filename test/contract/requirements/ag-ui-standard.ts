import type { Requirements } from "./requirement.ts";

/** AG-UI: what clients of the standard, without our additions, send and get. */
export const agUiStandard = {
  "ag-ui.standard.told-by-messages": {
    states: "A body with an array messages identifies a standard AG-UI client.",
    source: "decision",
  },
  "ag-ui.standard.text-once": {
    states: "A stream sends a result above 64 KiB to clients of AG-UI 1.x once: as the message, not as `result` too.",
    source: "decision",
  },
  "ag-ui.standard.creates-task": {
    states:
      "An unknown threadId with a user message creates and dispatches a task; a free UUID becomes its id. The envelope API finds the task by any UUID.",
    source: "decision",
  },
  "ag-ui.standard.any-thread-id": {
    states:
      "Any text of up to 200 characters is a threadId: each agent has a separate task for it, and events repeat it.",
    source: "decision",
  },
  "ag-ui.standard.thread-id-made": {
    states: "A user message without a threadId starts a thread; the events contain its id.",
    source: "decision",
  },
  "ag-ui.standard.hides-foreign-ids": {
    states: "A threadId that another workspace uses for a task or a run gets the same response as an unknown one.",
    source: "goal",
  },
  "ag-ui.standard.own-fields": {
    states: "A standard client gets only the fields of AG-UI's schemas.",
    source: "decision",
  },
  "ag-ui.standard.busy-409": {
    states:
      "A new message before the thread's task ends is 409; a message that the thread already has follows the run.",
    source: "decision",
  },
  "ag-ui.standard.resume-400": {
    states: "A body with an answer in resume is 400 where resume is not supported.",
    source: "decision",
  },
  "ag-ui.standard.interactions-custom": {
    states: "A standard client gets interactions as CUSTOM events with the event as name and its payload as value.",
    source: "decision",
  },
  "ag-ui.standard.interrupts": {
    states:
      "A question ends the run of a standard client with the outcome interrupt, and resume answers it in the next run.",
    source: "decision",
  },
  "ag-ui.standard.interrupts-any-client": {
    states: "Clients that send no protocolVersion, as CopilotKit and assistant-ui do, get interrupts, too.",
    source: "decision",
  },
  "ag-ui.standard.interrupts-off": {
    states:
      "AG_UI_INTERRUPTS=false, or ?interrupts=false in a request, keeps the stream open at a question; another value of interrupts is 400.",
    source: "decision",
  },
  "ag-ui.standard.interrupts-steer-away": {
    states: "A cancelled interrupt with a new message ends the run that asked, and the agent answers the message.",
    source: "decision",
  },
  "ag-ui.standard.cancelled": {
    states:
      "A cancelled run ends with RUN_FINISHED and the outcome cancelled for clients of 1.x, and with RUN_ERROR for others.",
    source: "goal",
  },
  "ag-ui.standard.context": {
    states:
      "The context and the system messages of a standard client reach the model with the user's message, marked as the client's; unchanged ones are not repeated.",
    source: "goal",
  },
  "ag-ui.standard.context-errors": {
    states: "A context that is no list of descriptions and values, or too long, is 400.",
    source: "goal",
  },
  "ag-ui.standard.cancel-on-disconnect": {
    states:
      "With config.cancel_on_disconnect, a run is cancelled when the client that started it disconnects and nobody else follows it; without, it continues.",
    source: "goal",
  },
  "ag-ui.standard.interrupts-errors": {
    states:
      "An answer that does not fit, an unknown interrupt, an extra new message, or a type that cannot be cancelled is rejected; the task keeps waiting.",
    source: "goal",
  },
  "ag-ui.standard.client-tools": {
    states:
      "A standard client's tools are offered in addition to the agent's own; a call of one ends the run, and the tool message of the next run continues the task.",
    source: "goal",
  },
  "ag-ui.standard.client-tools-errors": {
    states: "Invalid tools and results without a matching call are rejected; the task keeps waiting.",
    source: "goal",
  },
  "ag-ui.standard.tool-call-result": {
    states: "A standard client also gets tool results as TOOL_CALL_RESULT.",
    source: "decision",
  },
  "ag-ui.standard.follow-up": {
    states: "A further user message on a finished thread starts a new run with the history.",
    source: "decision",
  },
  "ag-ui.standard.http-agent": {
    states: "The HttpAgent of @ag-ui/client completes a run.",
    source: "decision",
  },
} as const satisfies Requirements<"ag-ui.standard">;
