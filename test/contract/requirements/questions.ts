import type { Requirements } from "./requirement.ts";

/** The console's page of questions. */
export const questions = {
  "questions.first": {
    states: "Of two people who answer a question concurrently, the second one sees who was first, and when.",
    source: "goal",
  },
  "questions.deadline": {
    states:
      "The page announces the last minute of a question; after the deadline it shows that the question expired, and the run's outcome.",
    source: "goal",
  },
  "questions.context": {
    states: "A question is shown with the last output of its run, folded, on its page and among the others.",
    source: "goal",
  },
  "questions.keys": {
    states:
      "Questions are navigated with the keyboard, filtered by agent and team, and listed as open, answered and expired.",
    source: "goal",
  },
  "questions.next": {
    states:
      "A run that asks again shows the next question in place of the one before, and who has answered that. A cancelled run's question leaves the page.",
    source: "goal",
  },
  "questions.link": {
    states:
      "The page of a question creates an answer link and shows it once; at 360 px a person without an account answers with it.",
    source: "goal",
  },
  "questions.thumb": {
    states: "On a phone, the buttons that answer stay in view, however long the question is.",
    source: "goal",
  },
  "questions.viewer": {
    states: "A viewer sees why answering is disabled, and answers once an admin allows it.",
    source: "goal",
  },
} as const satisfies Requirements<"questions">;
