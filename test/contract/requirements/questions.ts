import type { Requirements } from "./requirement.ts";

/** The console's page of questions. */
export const questions = {
  "questions.first": {
    states: "Of two people who answer a question at once, the second one is told who was first, and when.",
    source: "goal",
  },
  "questions.deadline": {
    states:
      "The last minute of a question is announced on the open page; afterwards it says that no answer came in time, and what became of the run.",
    source: "goal",
  },
  "questions.keys": {
    states: "Questions are walked by keys, filtered by agent and team, and listed as open, answered and expired.",
    source: "goal",
  },
  "questions.link": {
    states:
      "An answer link is made on the page of a question and shown once; at 360 px somebody without an account answers by it.",
    source: "goal",
  },
  "questions.viewer": {
    states: "A viewer sees why the answer is disabled, and answers once an admin allows it.",
    source: "goal",
  },
} as const satisfies Requirements<"questions">;
