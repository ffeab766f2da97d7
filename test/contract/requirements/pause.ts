import type { Requirements } from "./requirement.ts";

/** Pausing a workspace's new work, and the links that its runs show. */
export const pause = {
  "pause.new-work": {
    states: "A paused workspace starts no run that no process has begun; others continue, and can be answered.",
    source: "goal",
  },
  "pause.concurrent": {
    states: "Work that is given while the switch is turned is held or starts; none is left behind.",
    source: "goal",
  },
  "pause.processes": { states: "A pause holds on every process, and across restarts and takeovers.", source: "goal" },
  "pause.queue": {
    states:
      "A queued run says why it has not begun: a pause, what is before it, or no process. A cancelled one by whom.",
    source: "goal",
  },
  "pause.links": {
    states: "An admin sets templates of links to logs and traces; unknown fields and other schemes are 400.",
    source: "goal",
  },
} as const satisfies Requirements<"pause">;
