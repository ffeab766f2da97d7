import type { Requirements } from "./requirement.ts";

/** What pages of the console do with the stream of their workspace. */
export const live = {
  "live.lists": {
    states:
      "The screen updates by itself: rows in place, new ones after a click on a pill, and the count of open questions in the sidebar and the tab's title.",
    source: "goal",
  },
  "live.newer-stream": {
    states: "A run is followed also when the stream of the page before it opens late.",
    source: "goal",
  },
  "live.one-stream": {
    states:
      "A tab has one stream; it closes 15 s after the tab is hidden, and the tab catches up when it is shown again.",
    source: "goal",
  },
  "live.workspaces": {
    states: "Two workspaces in two tabs stay separate, and a short link finds the workspace of its run.",
    source: "goal",
  },
  "live.commits": {
    states: "100 words a second of a followed run are rendered in at most 12 commits a second.",
    source: "goal",
  },
  "live.flat": {
    states:
      "After opening, following and closing 60 runs there is one stream, and no more memory, nodes or listeners than after 40.",
    source: "goal",
  },
  "live.session": {
    states: "The stream ends with the session, and starts again after a sign-in over the page.",
    source: "goal",
  },
  "live.rebuilt": {
    states:
      "An open tab says that there is a newer build, also when the build ends after the service has started again.",
    source: "goal",
  },
  "live.killed": {
    states:
      "When its process is killed, the page reports it after 5 s and reconnects. It shows the run with no word lost or doubled, and the takeover.",
    source: "goal",
  },
} as const satisfies Requirements<"live">;
