import type { Requirements } from "./requirement.ts";

/** AG-UI: the event stream of a task, its resumption, and the standard AG-UI dialect. */
export const agUi = {
  "ag-ui.health": {
    states: "GET /ag-ui/health returns status ok, protocol ag-ui and version 1.1.",
    source: "contract",
  },
  "ag-ui.health.no-key": { states: "The health endpoint needs no credential.", source: "contract" },
  "ag-ui.sse.content-type": {
    states: "POST /ag-ui/:agentId/sse returns text/event-stream.",
    source: "contract",
  },
  "ag-ui.sse.framing": {
    states: "Each event is a data line of JSON followed by an empty line.",
    source: "contract",
  },
  "ag-ui.sse.thread-is-task": {
    states: "threadId is the id of the task whose events are streamed.",
    source: "contract",
  },
  "ag-ui.sse.threads-start-together": {
    states: "New threads of one agent do not wait for each other.",
    source: "goal",
  },
  "ag-ui.sse.thread-id-required": {
    states: 'A body without threadId is 400 with the error "threadId is required (maps to task ID)".',
    source: "contract",
  },
  "ag-ui.sse.run-id-optional": {
    states: "runId is optional; if it is sent, the run's events contain it.",
    source: "contract",
  },
  "ag-ui.sse.error-body": {
    states: "Errors of the endpoint are JSON with one field, error.",
    source: "decision",
  },
  "ag-ui.sse.unauthorized": {
    states: 'Without a valid key it answers 401 with "Unauthorized — provide Bearer token".',
    source: "decision",
  },
  "ag-ui.sse.unknown-agent": {
    states: 'An unknown or foreign agent is 404 with "Agent not found in workspace".',
    source: "decision",
  },
  "ag-ui.sse.unknown-task": {
    states: 'A task that is not this agent\'s, unknown or foreign is 404 with "Task not found for this agent".',
    source: "decision",
  },
  "ag-ui.sse.malformed-body": {
    states: "A body that is not JSON, or has wrong types, is 400 with an error text.",
    source: "goal",
  },
  "ag-ui.sse.closes-at-end": { states: "The stream closes when the run ends.", source: "contract" },
  "ag-ui.sse.real-deltas": {
    states: "Text arrives as the model's own deltas while the model still generates, not split up afterwards.",
    source: "decision",
  },
  "ag-ui.sse.many-readers": {
    states: "Several clients can read the same task concurrently and get the same events.",
    source: "goal",
  },
  "ag-ui.sse.client-gone": {
    states: "A client that disconnects neither stops the run nor keeps resources in the service.",
    source: "goal",
  },
  "ag-ui.sse.notice-lost": {
    states: "An event reaches its readers even when its notification is lost.",
    source: "goal",
  },
  "ag-ui.sse.slow-reader": {
    states:
      "A client that does not read costs a bounded amount of memory and delays neither the run nor other clients.",
    source: "goal",
  },
  "ag-ui.sse.ends-with-credential": {
    states:
      "An open stream ends within a second after its key is revoked or expires, its session ends, or its member leaves.",
    source: "decision",
  },
  "ag-ui.sse.streams-per-key": {
    states: "Each key may have up to STREAMS_PER_KEY open streams; one more is 429 with Retry-After.",
    source: "goal",
  },
  "ag-ui.sse.starts-count": {
    states: "A message of a standard client counts against the request limit of the workspace's plan.",
    source: "goal",
  },
  "ag-ui.sse.fair-reads": {
    states: "Readers of long logs leave half of the database connections to other requests.",
    source: "goal",
  },
  "ag-ui.resume.event-ids": { states: "Every event has an SSE id.", source: "decision" },
  "ag-ui.resume.last-event-id": {
    states: "A client that sends Last-Event-ID gets every later event once.",
    source: "decision",
  },
  "ag-ui.resume.any-process": {
    states: "A stream can be resumed on a process other than the one that runs the task.",
    source: "decision",
  },
  "ag-ui.resume.after-restart": {
    states: "A stream can be resumed after a restart of the service.",
    source: "decision",
  },
  "ag-ui.resume.late-connect": {
    states: "A client that connects in the middle of a run gets its events from the start.",
    source: "decision",
  },
  "ag-ui.resume.finished-task": {
    states: "The stream of a finished task replays all events and closes.",
    source: "decision",
  },
  "ag-ui.resume.rerun": {
    states: "After a re-run the stream contains the newest attempt.",
    source: "goal",
  },
  "ag-ui.resume.earlier-attempt": {
    states: "A body with attempt returns the original events of that attempt, as long as they are kept.",
    source: "decision",
  },
  "ag-ui.resume.nothing-left": {
    states: "A client that has the last event of a closed log gets 204, which ends an EventSource.",
    source: "decision",
  },
  "ag-ui.resume.beyond-end": {
    states: "A Last-Event-ID beyond the end of the log is 400; the error names the log's last event.",
    source: "decision",
  },
  "ag-ui.resume.any-dialect": {
    states: "A standard client can resume within an event that it receives in several parts.",
    source: "decision",
  },
  "ag-ui.heartbeat": {
    states: "A comment line every 15 seconds keeps a quiet stream open.",
    source: "decision",
  },
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
  "ag-ui.standard.told-by-messages": {
    states: "A body with an array messages identifies a standard AG-UI client.",
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
      "With AG_UI_INTERRUPTS, a question ends the run of a 1.x client with the outcome interrupt, and resume answers it in the next run.",
    source: "decision",
  },
  "ag-ui.standard.interrupts-errors": {
    states:
      "An answer that does not fit, an unknown interrupt, an extra new message, or a type that cannot be cancelled is rejected; the task keeps waiting.",
    source: "goal",
  },
  "ag-ui.copilotkit": {
    states: "CopilotKit's runtime works with an agent and its own frontend tools.",
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
  "ag-ui.runs.stream": {
    states:
      "POST /ag-ui/runs/:runId/sse streams a team run: its steps, and their texts and tool calls with the agent's id.",
    source: "goal",
  },
  "ag-ui.runs.errors": {
    states: 'Its errors are those of an agent\'s stream; an unknown or foreign run is 404 with "Run not found".',
    source: "goal",
  },
  "ag-ui.runs.resume": {
    states: "A team run's stream is replayed and resumed like a task's, on any process.",
    source: "goal",
  },
  "ag-ui.runs.standard": {
    states: "A standard AG-UI client can read a team run's stream.",
    source: "goal",
  },
} as const satisfies Requirements<"ag-ui">;
