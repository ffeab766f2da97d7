import type { Requirements } from "./requirement.ts";

/** A workspace that moves to another installation. */
export const move = {
  "move.complete": {
    states: "An export and its import move all rows and files of a workspace, with their ids.",
    source: "goal",
  },
  "move.held": {
    states:
      "A workspace is exported while it is held, and arrives held: the original and the copy never both run before a release.",
    source: "goal",
  },
  "move.secrets": {
    states:
      "Secrets move under a passphrase, and can be used in the other installation; another passphrase is rejected.",
    source: "goal",
  },
  "move.people": {
    states:
      "People have the account with their proved address, or get one without a password; the import says who is to be invited.",
    source: "goal",
  },
  "move.resumed": {
    states: "An export and an import that were killed continue where they were.",
    source: "goal",
  },
  "move.refused": {
    states:
      "An import changes nothing when a part is missing, cut or edited, when the version differs, or when the workspace or a row of it exists.",
    source: "goal",
  },
  "move.silent": {
    states: "What arrives is not recorded, announced, counted or delivered again by triggers.",
    source: "goal",
  },
} as const satisfies Requirements<"move">;
