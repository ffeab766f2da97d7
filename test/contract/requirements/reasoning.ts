import type { Requirements } from "./requirement.ts";

/** Where people see what a model thinks. */
export const reasoning = {
  "reasoning.shown.stream": {
    states:
      "The streams of an agent with reasoning.show have the whole reasoning, before the text and between texts and calls, as REASONING_ events in AG-UI's order.",
    source: "goal",
  },
  "reasoning.shown.off": {
    states: "The streams of other agents have no reasoning, whatever the model sends.",
    source: "goal",
  },
  "reasoning.shown.resumable": {
    states: "A stream with reasoning resumes after each of its ids, and on another process, without gap or repeat.",
    source: "goal",
  },
  "reasoning.shown.closed": {
    states: "Reasoning that is open when a call fails, or the run is cancelled, is ended.",
    source: "goal",
  },
  "reasoning.shown.bounded": {
    states: "Reasoning in many small pieces makes few events.",
    source: "goal",
  },
  "reasoning.shown.teams": {
    states: "In the stream of a team run, reasoning names its agent and its step.",
    source: "goal",
  },
  "reasoning.shown.watch": {
    states: "A watching command line shows reasoning folded to one line for each message.",
    source: "goal",
  },
  "reasoning.shown.console": {
    states: "The page of a run shows reasoning folded, while the model thinks and in the recorded step.",
    source: "goal",
  },
  "reasoning.never-logged": {
    states: "No log of the service contains reasoning.",
    source: "goal",
  },
} as const satisfies Requirements<"reasoning">;
