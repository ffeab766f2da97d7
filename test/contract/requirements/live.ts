import type { Requirements } from "./requirement.ts";

/** What pages of the console do with the stream of their workspace. */
export const live = {
  "live.lists": {
    states:
      "What is on the screen changes by itself: rows in place, new ones behind a pill, and the count of open questions in the sidebar and the tab's title.",
    source: "goal",
  },
  "live.one-stream": {
    states:
      "A tab has one stream; it is closed 15 s after the tab is hidden, and what happened meanwhile is shown on return.",
    source: "goal",
  },
  "live.workspaces": {
    states: "Two workspaces in two tabs stay apart, and a short link finds the workspace of its run.",
    source: "goal",
  },
  "live.commits": {
    states: "100 words a second of a followed run are drawn in at most 12 commits a second.",
    source: "goal",
  },
  "live.flat": {
    states:
      "Opening, following and closing runs 60 times leaves one stream, and no more memory, nodes or listeners than after 40 times.",
    source: "goal",
  },
  "live.session": {
    states: "The stream ends with the session, and begins again when the person has signed in over the page.",
    source: "goal",
  },
  "live.killed": {
    states:
      "When the process of the page is killed, the page says so after 5 s, connects again, and shows the run with no word lost or doubled and the takeover drawn.",
    source: "goal",
  },
} as const satisfies Requirements<"live">;
