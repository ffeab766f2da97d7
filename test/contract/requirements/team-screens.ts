import type { Requirements } from "./requirement.ts";

/** The console's screens of teams, knowledge and files, and the endpoints that they need. */
export const teamScreens = {
  "team-screens.filters.teams": {
    states: "GET /api-teams filters by mode and by a part of the name or the beginning of the id.",
    source: "goal",
  },
  "team-screens.filters.documents": {
    states: "GET /console/api/knowledge/documents filters by base, name, status and tag; all must fit.",
    source: "goal",
  },
  "team-screens.filters.files": {
    states: "GET /files filters by task, run, name, beginning of the media type and direction; all must fit.",
    source: "goal",
  },
  "team-screens.filters.pages": {
    states: "A filtered list comes in pages that lose and double no row; a filter that does not exist is a 400.",
    source: "goal",
  },
  "team-screens.files.work-title": {
    states: "A file's record has the title of its task, or the beginning of its run's input.",
    source: "goal",
  },
  "team-screens.preview.headers": {
    states:
      "GET /files/{id}/preview shows images, text and pages inline under a policy that sandboxes them, without scripts.",
    source: "goal",
  },
  "team-screens.preview.html": {
    states: "HTML is rendered in a frame only; opened as a page of its own, or as XML, hostile markup is plain text.",
    source: "goal",
  },
  "team-screens.preview.rejected": {
    states: "A preview needs the file's signature, in time; a type that browsers can't show here is a 415.",
    source: "goal",
  },
  "team-screens.journey.document": {
    states: "In the console documents are added by the dozen; one that failed says why, is read again, and is found.",
    source: "goal",
  },
  "team-screens.journey.files": {
    states: "In the console files are uploaded, previewed without any power over the page, and deleted.",
    source: "goal",
  },
  "team-screens.journey.pipeline": {
    states:
      "In the console a pipeline with a fan-out is built, reordered by keys and run; rejections are said at the field.",
    source: "goal",
  },
  "team-screens.editor.json": {
    states: "The config of a team as JSON, its controls and its picture show the same; changes can be discarded.",
    source: "goal",
  },
  "team-screens.viewer": {
    states: "A viewer sees teams, knowledge and files; what needs the role member is disabled and says so.",
    source: "goal",
  },
} as const satisfies Requirements<"team-screens">;
