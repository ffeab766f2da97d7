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
  "questions.people.ask": {
    states:
      "A question creates a delivery to each active route with task.waiting_for_input: one of kind people asks with buttons for an approval, a confirmation, a choice or a text, and with a link for every kind.",
    source: "goal",
  },
  "questions.people.limits": {
    states:
      "Whatever a question holds, each vendor accepts its message: long texts are cut with a sign, beside the link.",
    source: "goal",
  },
  "questions.people.answer": {
    states:
      "A press in Slack, Telegram or Discord, and a text from a modal or a reply, answers the question; the run continues, and who answered is recorded with channel, id and name, in the audit log too.",
    source: "goal",
  },
  "questions.people.thread": {
    states:
      "In Slack, a person's reply in the thread of a question for a text answers it; what else is written does not.",
    source: "goal",
  },
  "questions.people.edited": {
    states:
      "The message says who answered what, also when the question was answered elsewhere, has expired or was cancelled.",
    source: "goal",
  },
  "questions.people.second": {
    states: "A press on a closed question has no effect: the person alone sees who answered what, and when.",
    source: "goal",
  },
  "questions.people.signed": {
    states:
      "A call without the vendor's signature is rejected with 401, and so is one that Slack or Discord signed more than five minutes ago.",
    source: "goal",
  },
  "questions.people.tenants": {
    states:
      "A call reaches only questions of the workspace whose route it names and whose secret signs it, and of routes with the same secret there.",
    source: "goal",
  },
  "questions.people.allowed": {
    states: "With a list of the vendor's ids of people, only they answer in the channel.",
    source: "goal",
  },
  "questions.people.once": {
    states: "Of many presses in two processes one takes effect for each question, and the others see whose it was.",
    source: "goal",
  },
  "questions.people.link": {
    states:
      "A route of kind people posts links although the workspace allows none; they end with the question, and while the route is paused.",
    source: "goal",
  },
  "questions.people.members": {
    states: "A question that only members answer has no buttons, and its link leads to the console.",
    source: "goal",
  },
  "questions.people.route": {
    states:
      "A route of kind people has a type that asks people, a list of people, and a setup with the URL at which its vendor calls; anything else is rejected with its path.",
    source: "goal",
  },
  "questions.people.steps": {
    states:
      "From a tool's call to its buttons in Slack there is one request to Slack, started by a notification: no poll.",
    source: "goal",
  },
  "questions.people.crash": {
    states: "A process killed between a press and the continuation of its run loses no answer that it has accepted.",
    source: "goal",
  },
  "questions.people.told": {
    states: "A route of kind results that lists task.waiting_for_input gets each question's text and its page.",
    source: "goal",
  },
} as const satisfies Requirements<"questions">;
