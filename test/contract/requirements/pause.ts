import type { Requirements } from "./requirement.ts";

/** Pausing a workspace's new work, and the links that its runs show. */
export const pause = {
  "pause.new-work": {
    states:
      "A paused workspace starts no run that has not begun; other runs continue, and their questions can be answered.",
    source: "goal",
  },
  "pause.concurrent": {
    states: "Work that is created during a pause or resume is either held or started; none is lost.",
    source: "goal",
  },
  "pause.processes": { states: "A pause applies to every process, and across restarts and takeovers.", source: "goal" },
  "pause.queue": {
    states:
      "A queued run shows why it has not begun: a pause, earlier work, or no process. A cancelled run shows who cancelled it.",
    source: "goal",
  },
  "pause.links": {
    states: "An admin sets templates of links to logs and traces; unknown fields and other schemes are 400.",
    source: "goal",
  },
} as const satisfies Requirements<"pause">;
