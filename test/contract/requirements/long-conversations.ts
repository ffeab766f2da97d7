import type { Requirements } from "./requirement.ts";

/** What happens when a conversation, or a tool's result, is too long for its model. */
export const longConversations = {
  "long-conversations.fit": {
    states: "A run with many turns completes on a small context window, and no prompt is longer than the window.",
    source: "goal",
  },
  "long-conversations.recorded": {
    states:
      "A summary of older turns is a step with its own usage, which a run that survives a crash does not pay again; the steps keep the original.",
    source: "goal",
  },
  "long-conversations.shown": {
    states: "A summary is in the list of steps with its text and its prompt, and in the stream.",
    source: "goal",
  },
  "long-conversations.forks": {
    states: "A fork from before a summary starts without it; one from after it has it, and does not pay for it.",
    source: "goal",
  },
  "long-conversations.continued": {
    states: "A conversation continues with the summaries that were made, and none is made again.",
    source: "goal",
  },
  "long-conversations.reasoning": {
    states: "After a summary, the reasoning of replies from before it is not sent back, and that of later ones is.",
    source: "goal",
  },
  "long-conversations.task": {
    states: "The newest message of a person stays as it is.",
    source: "goal",
  },
  "long-conversations.budget": {
    states:
      "A summary is reserved for and charged like any model call; a budget that asks a person asks for it as well.",
    source: "goal",
  },
  "long-conversations.repeats": {
    states: "Calls before a summary count for the limit of repeated calls.",
    source: "goal",
  },
  "long-conversations.fallback": {
    states: "A fallback model with a smaller context window gets a conversation that fits it, and the step says so.",
    source: "goal",
  },
  "long-conversations.fallback.skipped": {
    states:
      "A fallback model is not called with what cannot fit its window, a task or system prompt: the error has model, window and size.",
    source: "goal",
  },
  "long-conversations.window": {
    states: "A context window in an agent's config is a number from 2,000; anything else is 400.",
    source: "goal",
  },
  "long-conversations.results.stored": {
    states:
      "A tool's result that is too long is stored as a file of the task; the model sees its beginning and reads more with read_result.",
    source: "goal",
  },
  "long-conversations.results.offered": {
    states: "read_result is offered from the first such result on, until the end of the conversation.",
    source: "goal",
  },
  "long-conversations.results.given": {
    states:
      "Long results of a client's tools, of calls in a given conversation, and long answers are stored like those.",
    source: "goal",
  },
  "long-conversations.results.own": {
    states: "read_result reads only results that the run, or an earlier one of its conversation, has seen.",
    source: "goal",
  },
} as const satisfies Requirements<"long-conversations">;
