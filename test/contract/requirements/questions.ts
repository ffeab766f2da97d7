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
  "questions.push.devices": {
    states:
      "A person turns notifications of questions on for each device, up to 10, sees when each was last notified, and turns it off.",
    source: "goal",
  },
  "questions.push.keys": {
    states:
      "An instance has one pair of VAPID keys; its private key, and the endpoints and keys of devices, are stored encrypted.",
    source: "goal",
  },
  "questions.push.question": {
    states:
      "A question is pushed to each device of everyone who may answer it, encrypted (RFC 8291) and signed (RFC 8292), with the agent's name, its title and the path of its page alone.",
    source: "goal",
  },
  "questions.push.closed": {
    states: "When a question is no longer open, its notifications are closed, except by Apple's push service.",
    source: "goal",
  },
  "questions.push.ends": {
    states:
      "A device gets no more notifications when its session or the person's right to answer ends; one whose push service says 404 or 410 is removed.",
    source: "goal",
  },
  "questions.push.console": {
    states: "The profile turns notifications on and off for this device at 360 px, and says why where it cannot.",
    source: "goal",
  },
  "questions.push.app": {
    states: "The console has a manifest with icons, and a service worker that only shows and closes notifications.",
    source: "goal",
  },
} as const satisfies Requirements<"questions">;
