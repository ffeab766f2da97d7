import type { Requirements } from "./requirement.ts";

/** Stream tokens: short-lived access for pages. */
export const streams = {
  "streams.token.conversation": {
    states: "A stream token of an agent sends, follows and answers in one thread for 15 minutes, and nothing else.",
    source: "goal",
  },
  "streams.token.run": {
    states: "A stream token of a task or team run follows and answers it; it starts nothing.",
    source: "goal",
  },
  "streams.token.nothing-else": { states: "No other route accepts a stream token.", source: "goal" },
  "streams.token.ends": {
    states: "It ends with its key and the key's person; a stream that is open at its expiry continues.",
    source: "goal",
  },
  "streams.token.refused": {
    states: "Only a key that may write makes a stream token, for what its workspace has.",
    source: "goal",
  },
} as const satisfies Requirements<"streams">;
