import type { Requirements } from "./requirement.ts";

/** What dialogs, menus and notifications of the console do. */
export const consoleDialogs = {
  "console-dialogs.agent-file": {
    states: "An agent is exported as a file, deleted after a dialog that says what goes with it, and imported again.",
    source: "goal",
  },
  "console-dialogs.team-file": {
    states: "A team is exported with its agents, and deleted after a dialog that says what goes with it.",
    source: "goal",
  },
  "console-dialogs.bad-file": {
    states: "A file that cannot be imported is rejected in the server's words, and nothing is created.",
    source: "goal",
  },
  "console-dialogs.json-typing": {
    states: "JSON can be typed key by key: invalid text says why and cannot be saved; valid text is saved as typed.",
    source: "goal",
  },
  "console-dialogs.banner": {
    states: "The banner of a failed run leads to its step, and to a fork that asks before it starts.",
    source: "goal",
  },
  "console-dialogs.first-field": {
    states: "A dialog with a form puts the focus on a field, not on the button that closes it.",
    source: "goal",
  },
  "console-dialogs.notifications": {
    states: "Where the person allows it, a hidden tab notifies of a new question, once, and a click leads to it.",
    source: "goal",
  },
} as const satisfies Requirements<"console-dialogs">;
