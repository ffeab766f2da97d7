import type { Requirements } from "./requirement.ts";

/** Agents that people talk to in channels. */
export const channels = {
  "channels.talk.answer": {
    states: "A message to an agent in a channel is answered by one message, which grows by edits.",
    source: "goal",
  },
  "channels.talk.conversation": {
    states: "A thread or chat is a conversation, which shows in the console like any other.",
    source: "goal",
  },
  "channels.talk.list": {
    states:
      "Only people of a route's list, or everybody of its chat or workspace, are answered; a stranger is refused once.",
    source: "goal",
  },
  "channels.talk.once": {
    states: "A call that the vendor repeats has no effect, on any process; messages of bots have none either.",
    source: "goal",
  },
  "channels.talk.signed": {
    states: "A call without the vendor's valid signature is rejected.",
    source: "goal",
  },
  "channels.talk.group": {
    states: "In a group an agent answers messages that mention it, and in Telegram replies to it.",
    source: "goal",
  },
  "channels.talk.files": {
    states: "Files that people send reach the agent, and files of its answer are sent to the conversation.",
    source: "goal",
  },
  "channels.talk.questions": {
    states:
      "A question of a run is asked in its conversation, answered by buttons or by a message; the answer goes on below.",
    source: "goal",
  },
  "channels.talk.limits": {
    states: "Edits keep to the vendor's rate limits, a long answer is several messages, and no text mentions anybody.",
    source: "goal",
  },
  "channels.talk.states": {
    states: "A person is told of the limit of messages, a paused route, a deleted agent and a run that fails.",
    source: "goal",
  },
  "channels.talk.lost": {
    states: "A post whose answer was lost is looked up where the vendor has a look-up, and not repeated.",
    source: "goal",
  },
  "channels.talk.crash": {
    states: "A killed process loses no message that it has accepted; in Slack its answer is one message all the same.",
    source: "goal",
  },
  "channels.talk.route": {
    states:
      "A route of kind agent has an agent, a list of people and a setup; several agents of one app have a channel each.",
    source: "goal",
  },
} as const satisfies Requirements<"channels">;
