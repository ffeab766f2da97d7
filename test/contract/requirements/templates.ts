import type { Requirements } from "./requirement.ts";

/** Output templates. */
export const templates = {
  "templates.types": {
    states: "A template's type is Markdown, JSON, HTML, CSV or Custom; any other value is 400.",
    source: "contract",
  },
  "templates.types.any-case": {
    states: "A template's type is accepted in any case.",
    source: "decision",
  },
  "templates.variables": {
    states: "task_title, task_result, agent_name, timestamp, tokens_used and model are filled in.",
    source: "contract",
  },
  "templates.task-result": {
    states: "task_result is the model's text.",
    source: "contract",
  },
  "templates.timestamp": {
    states: "timestamp is the ISO 8601 time of completion.",
    source: "contract",
  },
  "templates.timestamp.replay": {
    states: "A run that resumes after its last reply keeps the time of that reply.",
    source: "decision",
  },
  "templates.tokens-used": {
    states: "tokens_used is the sum of prompt and completion tokens of the attempt.",
    source: "decision",
  },
  "templates.model": {
    states: "model is the model that gave the reply, including the fallback model.",
    source: "decision",
  },
  "templates.unknown-variable": {
    states: "An unknown or missing variable stays in the output unchanged.",
    source: "contract",
  },
  "templates.one-pass": {
    states: "Placeholders inside a value are never expanded.",
    source: "decision",
  },
  "templates.raw": {
    states: "Values are inserted unchanged for every type of template: nothing is escaped.",
    source: "decision",
  },
  "templates.result-dressed": {
    states: "The task's result is the filled template.",
    source: "contract",
  },
  "templates.stream": {
    states: "RUN_FINISHED contains the filled template; the stream's text deltas are the model's.",
    source: "decision",
  },
  "templates.failed-not-dressed": {
    states: "A failed run has no result, with or without a template.",
    source: "decision",
  },
  "templates.limits": {
    states: "A body has 1 to 100,000 characters and task_result at most ten times; any other body is 400.",
    source: "decision",
  },
  "templates.saved": {
    states: "A template can be saved under a name and selected by agents; it takes precedence over their own.",
    source: "decision",
  },
  "templates.saved.edit": {
    states: "A change of a saved template applies to runs that are dispatched later.",
    source: "decision",
  },
  "templates.saved.delete": {
    states: "When a saved template is deleted, the agents that selected it use their own again.",
    source: "decision",
  },
  "templates.saved.resource": {
    states: "Saved templates are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "decision",
  },
  "templates.saved.unknown-400": {
    states: "Selecting a template that the workspace does not have is 400; the error names output_template_id.",
    source: "decision",
  },
} as const satisfies Requirements<"templates">;
