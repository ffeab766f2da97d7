import type { Requirements } from "./requirement.ts";

/** Output templates. */
export const templates = {
  "templates.types": {
    states: "A template's type is Markdown, JSON, HTML, CSV or Custom; anything else is 400.",
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
    states: "task_result is what the model wrote.",
    source: "contract",
  },
  "templates.timestamp": {
    states: "timestamp is the ISO 8601 time of completion.",
    source: "contract",
  },
  "templates.timestamp.replay": {
    states: "A run that is resumed after its last answer keeps the time of that answer.",
    source: "decision",
  },
  "templates.tokens-used": {
    states: "tokens_used is the sum of prompt and completion tokens of the attempt.",
    source: "decision",
  },
  "templates.model": {
    states: "model is the model that gave the answer, the fallback model included.",
    source: "decision",
  },
  "templates.unknown-variable": {
    states: "An unknown or missing variable stays in the output as it was written.",
    source: "contract",
  },
  "templates.one-pass": {
    states: "What a value brings along is never expanded.",
    source: "decision",
  },
  "templates.raw": {
    states: "Values are put in as they are, whatever the template's type: nothing is escaped.",
    source: "decision",
  },
  "templates.result-dressed": {
    states: "The task's result is the filled template.",
    source: "contract",
  },
  "templates.stream": {
    states: "RUN_FINISHED has the filled template; the words of the stream are the model's.",
    source: "decision",
  },
  "templates.failed-not-dressed": {
    states: "A run that fails has no result, with or without a template.",
    source: "decision",
  },
  "templates.limits": {
    states: "A body has 1 to 100,000 characters and holds task_result at most ten times; anything else is 400.",
    source: "decision",
  },
  "templates.saved": {
    states: "A template can be saved under a name and selected by agents; it goes before their own.",
    source: "decision",
  },
  "templates.saved.edit": {
    states: "A change of a saved template counts for runs that are dispatched from then on.",
    source: "decision",
  },
  "templates.saved.delete": {
    states: "When a saved template is deleted, the agents that selected it go back to their own.",
    source: "decision",
  },
  "templates.saved.resource": {
    states: "Saved templates are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "decision",
  },
  "templates.saved.unknown-400": {
    states: "An agent cannot select a template that its workspace does not have: 400 naming output_template_id.",
    source: "decision",
  },
} as const satisfies Requirements<"templates">;
