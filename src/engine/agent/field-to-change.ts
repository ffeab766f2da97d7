import type { AgentSnapshot } from "#domain/tasks/run-job.ts";

interface Setting {
  /** What providers call it. */
  readonly names: RegExp;
  readonly isSet: (agent: AgentSnapshot) => boolean;
  readonly advice: string;
}

const SETTINGS: readonly Setting[] = [
  {
    names: /temperature/i,
    isSet: ({ temperature }) => temperature !== null,
    advice: "Set the agent's temperature to null.",
  },
  {
    names: /effort|thinking.?(?:level|budget)/i,
    isSet: ({ reasoning }) => reasoning?.effort != null,
    advice: "Change the agent's reasoning.effort.",
  },
  {
    names: /max_?(?:output_?|completion_?)?tokens/i,
    isSet: ({ max_tokens: max }) => max !== null,
    advice: "Change the agent's max_tokens.",
  },
  {
    names: /response_?(?:format|(?:json_?)?schema)|output_(?:config|format)/i,
    isSet: ({ output_schema: schema }) => schema != null,
    advice: "Change the agent's output_schema.",
  },
];

/** Says which field of an agent to change if a provider rejects a setting by its own name; undefined if it does not. */
export function fieldToChange(agent: AgentSnapshot, rejection: string): string | undefined {
  return SETTINGS.find(({ names, isSet }) => names.test(rejection) && isSet(agent))?.advice;
}
