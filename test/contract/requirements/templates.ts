import type { Requirements } from "./requirement.ts";

const LATER = "output templates are not applied yet";

/** Output templates. */
export const templates = {
  "templates.types": {
    states: "A template's type is Markdown, JSON, HTML, CSV or Custom; anything else is 400.",
    source: "contract",
  },
  "templates.variables": {
    states: "task_title, task_result, agent_name, timestamp, tokens_used and model are filled in.",
    source: "contract",
    open: LATER,
  },
  "templates.task-result": {
    states: "task_result is what the model wrote.",
    source: "contract",
    open: LATER,
  },
  "templates.timestamp": {
    states: "timestamp is the ISO 8601 time of completion.",
    source: "contract",
    open: LATER,
  },
  "templates.unknown-variable": {
    states: "An unknown or missing variable stays in the output as it was written.",
    source: "contract",
    open: LATER,
  },
  "templates.result-dressed": {
    states: "The task's result is the filled template.",
    source: "contract",
    open: LATER,
  },
} as const satisfies Requirements<"templates">;
