import type { Requirements } from "./requirement.ts";

/** The console's screens of teams, knowledge and files, and the endpoints that they need. */
export const teamScreens = {
  "team-screens.filters.teams": {
    states: "GET /api-teams filters by mode and by a part of the name or a prefix of the id.",
    source: "goal",
  },
  "team-screens.filters.documents": {
    states:
      "GET /console/api/knowledge/documents filters by base, name, status and tag; a document must match all filters. GET /console/api/knowledge/tags lists the tags.",
    source: "goal",
  },
  "team-screens.filters.files": {
    states:
      "GET /files filters by task, run, name, prefix of the media type and direction; a file must match all filters.",
    source: "goal",
  },
  "team-screens.filters.pages": {
    states: "A filtered list comes in pages with every row once; an unknown filter is 400.",
    source: "goal",
  },
  "team-screens.files.work-title": {
    states: "A file's record has the title of its task, or the beginning of its team run's input.",
    source: "goal",
  },
  "team-screens.preview.headers": {
    states: "GET /files/{id}/preview shows images, text and pages inline under a sandbox policy, without scripts.",
    source: "goal",
  },
  "team-screens.preview.html": {
    states: "HTML is rendered in a frame only; opened as a separate page, or as XML, hostile markup is plain text.",
    source: "goal",
  },
  "team-screens.preview.rejected": {
    states: "A preview needs the file's valid, unexpired signature; a type that browsers cannot show safely is 415.",
    source: "goal",
  },
  "team-screens.journey.document": {
    states:
      "The console adds several documents at once; a failed one shows the reason, is processed again, and is found.",
    source: "goal",
  },
  "team-screens.journey.files": {
    states: "The console uploads files, previews them without any access to the page, and deletes them.",
    source: "goal",
  },
  "team-screens.upload-many": {
    states: "While many files are uploaded, the list behind them is read at most once a second.",
    source: "goal",
  },
  "team-screens.files-links": {
    states: "The URLs of a file whose sheet stays open are renewed before they expire.",
    source: "goal",
  },
  "team-screens.journey.pipeline": {
    states:
      "The console builds a pipeline with a fan-out, reorders it with the keyboard and runs it; errors are shown at the field.",
    source: "goal",
  },
  "team-screens.editor.json": {
    states: "The config of a team as JSON, its controls and its graph show the same; changes can be discarded.",
    source: "goal",
  },
  "team-screens.editor.concurrent": {
    states: "A save of a team that another person has changed in the meantime says so first, and replaces nothing.",
    source: "goal",
  },
  "team-screens.graph.keyboard": {
    states:
      "A pipeline is edited in the graph with the keyboard alone: steps, branches, a merge, moves, removal, undo, redo.",
    source: "goal",
  },
  "team-screens.graph.pointer": {
    states: "A pipeline is edited in the graph with the mouse and by touch; what the graph shows is what is saved.",
    source: "goal",
  },
  "team-screens.graph.modes": {
    states: "The graph edits the brain and the workers of an orchestrator, and who speaks in a collaboration.",
    source: "goal",
  },
  "team-screens.viewer": {
    states:
      "A viewer sees teams, knowledge and files; controls that need the role member are disabled with the reason.",
    source: "goal",
  },
} as const satisfies Requirements<"team-screens">;
