import type { Requirements } from "./requirement.ts";

/** Traces of runs in OpenTelemetry's form. */
export const traces = {
  "traces.off": {
    states: "Without an endpoint nothing is traced: no run has a trace, no row is written, and no traceparent is sent.",
    source: "goal",
  },
  "traces.tree": {
    states: "A run is one tree of spans: the run, its turns, model calls, tools, questions and deliveries.",
    source: "goal",
  },
  "traces.names": {
    states: "Spans have the names and attributes of OpenTelemetry's GenAI conventions; durations are the steps'.",
    source: "goal",
  },
  "traces.wait": {
    states: "A run that waits for a person has the spans so far exported, and later only the others.",
    source: "goal",
  },
  "traces.attempts": { states: "The attempts of a run are trees in one trace.", source: "goal" },
  "traces.failure": {
    states: "The span of a failed run or step has its error code and the status error.",
    source: "goal",
  },
  "traces.in": {
    states: "A request with a traceparent that creates a run, at any door, is the parent of the run's spans.",
    source: "goal",
  },
  "traces.in.invalid": { states: "An invalid traceparent is ignored.", source: "goal" },
  "traces.out": {
    states:
      "Calls of MCP servers, remote agents and custom tools, and deliveries to receivers of the workspace, have the traceparent of their span; requests to model providers have none.",
    source: "goal",
  },
  "traces.content": {
    states: "Prompts, replies, arguments and results are in spans only with TRACE_CONTENT=on.",
    source: "goal",
  },
  "traces.sampling": {
    states: "A run is traced if its parent is; a run without a parent with the set probability.",
    source: "goal",
  },
  "traces.takeover": {
    states:
      "A run that a second process finishes after kill -9 of the first is one tree, in which each span has one id.",
    source: "goal",
  },
  "traces.receiver.trouble": {
    states:
      "While the receiver hangs, refuses connections or responds 401, 429 or 503, runs go on, and their spans wait; then all arrive.",
    source: "goal",
  },
  "traces.receiver.rejects": {
    states:
      "Spans that the receiver rejects by 400 or a partial success are counted and not sent again; 413 sends less at once.",
    source: "goal",
  },
  "traces.receiver.wait": { states: "The exporter waits as long as Retry-After says.", source: "goal" },
  "traces.retention": {
    states: "Spans that waited longer than RETENTION_DAYS are given up, which the log says once.",
    source: "goal",
  },
  "traces.fair": {
    states: "The workspaces take turns: one with a long backlog does not delay another.",
    source: "goal",
  },
  "traces.settings": {
    states:
      "OpenTelemetry's settings of endpoint, headers, protocol, timeout, resource and sampler are honoured; a wrong one stops the start with a sentence.",
    source: "goal",
  },
  "traces.metrics": { states: "The metrics count spans sent, rejected and delayed, and show the lag.", source: "goal" },
  "traces.otlp.same": {
    states: "Both encodings of OTLP hold the same request by OpenTelemetry's own definitions.",
    source: "goal",
  },
  "traces.doctor": { states: "The doctor says whether the receiver of traces responds.", source: "goal" },
} satisfies Requirements<"traces">;
