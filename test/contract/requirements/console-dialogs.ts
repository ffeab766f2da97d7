import type { Requirements } from "./requirement.ts";

/** What dialogs, menus and notifications of the console do. */
export const consoleDialogs = {
  "console-dialogs.member-keys": {
    states: "Before a member is removed, the keys that end with them are listed.",
    source: "goal",
  },
  "console-dialogs.agent-file": {
    states:
      "An agent is exported as a file, deleted after a dialog that lists what is deleted with it, and imported again.",
    source: "goal",
  },
  "console-dialogs.team-file": {
    states: "A team is exported with its agents, and deleted after a dialog that lists what is deleted with it.",
    source: "goal",
  },
  "console-dialogs.bad-file": {
    states: "The console rejects an invalid file with the service's message and creates nothing.",
    source: "goal",
  },
  "console-dialogs.json-typing": {
    states:
      "JSON can be typed key by key: invalid text shows the reason and cannot be saved; valid text is saved unchanged.",
    source: "goal",
  },
  "console-dialogs.banner": {
    states: "The banner of a failed run links to the failed step, and to a fork that asks before it starts.",
    source: "goal",
  },
  "console-dialogs.first-field": {
    states: "A dialog with a form focuses a field, not the close button.",
    source: "goal",
  },
  "console-dialogs.notifications": {
    states: "With the person's permission a hidden tab notifies of a new question once; a click opens it.",
    source: "goal",
  },
} as const satisfies Requirements<"console-dialogs">;
