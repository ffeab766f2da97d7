import type { Requirements } from "./requirement.ts";

const LATER = "the marketplace is not built yet";

/** Agents offered to and installed from the marketplace. */
export const marketplace = {
  "marketplace.description-shown": {
    states: "The marketplace shows an agent's description.",
    source: "contract",
    open: LATER,
  },
  "marketplace.install.copies": {
    states: "Installing copies the agent into the caller's workspace.",
    source: "decision",
    open: LATER,
  },
  "marketplace.install.counts-once": {
    states: "A workspace counts once however often it installs.",
    source: "decision",
    open: LATER,
  },
  "marketplace.install.answer": {
    states: "The answer has the new count and the new agent's id.",
    source: "decision",
    open: LATER,
  },
  "marketplace.install.not-offered": {
    states: "An agent that is not offered cannot be installed.",
    source: "decision",
    open: LATER,
  },
} as const satisfies Requirements<"marketplace">;
