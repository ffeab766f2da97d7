import type { Requirements } from "./requirement.ts";

/** What is kept of a model's reply, and what its end means. */
export const replies = {
  "replies.continued": {
    states:
      "A continued conversation has all that the agent called and said before, from whatever surface it continues.",
    source: "goal",
  },
  "replies.cut.marked": {
    states: "A result cut by the maximum length completes the task and is marked in the task and in RUN_FINISHED.",
    source: "goal",
  },
  "replies.cut.empty": {
    states: "A reply that is cut before any text fails the run, and the error says what to change.",
    source: "goal",
  },
  "replies.cut.call": {
    states: "A tool call that is cut is not executed: the model is told once, with a higher limit where one is known.",
    source: "goal",
  },
  "replies.refused": {
    states: "A filtered or refused reply without text fails the run with the provider's reason.",
    source: "goal",
  },
  "replies.cut.pipeline": {
    states: "An incomplete answer of a pipeline's step is a failure of the step, so `on_failure` applies.",
    source: "goal",
  },
  "replies.integers": {
    states:
      "Integers beyond 2^53 in a tool call's arguments keep their digits on the way to the tool and in the history.",
    source: "goal",
  },
} as const satisfies Requirements<"replies">;
