import type { Requirements } from "./requirement.ts";

/** AG-UI: the event stream of a task or a run of a team, and its resumption. */
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
  "ag-ui.sse.interrupted": {
    states: "A stream whose log cannot be read breaks, without the error's text, which is in the log only.",
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
    states:
      "A request of a standard client counts against the request limit of the workspace's plan, also one that reads.",
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
  "ag-ui.copilotkit": {
    states: "CopilotKit's runtime works with an agent and its own frontend tools.",
    source: "goal",
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
