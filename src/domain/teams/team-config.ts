import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { givenId } from "../given-id.ts";
import { memorySetting } from "./team-memory.ts";
import type { TeamModeName } from "./team-mode.ts";
import { withoutInvisible } from "#lib/text/without-invisible.ts";

const MAX_STEPS = 50;
const MAX_AGENTS = 50;
const MAX_RETRIES = 10;
/** Limits turns and revisions, each of which costs a model call. */
const MAX_ROUNDS = 100;

const text = z.string().max(100_000);
const agentIds = z
  .array(givenId)
  .max(MAX_AGENTS)
  .refine((ids) => new Set(ids).size === ids.length, "lists the same agent twice");

const memory = memorySetting.optional();

const step = z
  .strictObject({
    type: z.enum(["sequential", "fan_out"]).optional().describe("Default: sequential."),
    agent_id: givenId.nullish().describe("The agent of the step; a fan_out step needs none."),
    step_name: z.string().overwrite(withoutInvisible).max(200).default(""),
    instructions: text.default(""),
    expected_output: text.default(""),
    on_failure: z.enum(["retry", "stop", "skip"]).default("stop"),
    max_retries: z.int().min(0).max(MAX_RETRIES).default(1).describe("Attempts after the first, with retry."),
    parallel_agents: agentIds.optional().describe("The concurrent agents of a fan_out step."),
    merge_agent_id: givenId.nullish().describe("The agent that merges the results; without one, they are joined."),
    merge_instructions: text.optional(),
    fan_out_failure: z.enum(["fail_fast", "continue_on_partial"]).optional().describe("Default: fail_fast."),
  })
  .superRefine(({ type, agent_id, parallel_agents }, context) => {
    if (type === "fan_out" && (parallel_agents ?? []).length === 0) {
      context.addIssue({
        code: "custom",
        path: ["parallel_agents"],
        message: "a fan_out step needs at least one agent",
      });
    }
    if (type !== "fan_out" && agent_id == null) {
      context.addIssue({ code: "custom", path: ["agent_id"], message: "a step needs an agent" });
    }
  });

const pipeline = z.strictObject({
  steps: z.array(step).min(1).max(MAX_STEPS),
  auto_handoff: z.boolean().default(true).describe("false: the run waits for an approval between steps."),
  memory,
});

const orchestrator = z.strictObject({
  brain_agent_id: givenId.describe("The agent that delegates to the workers and writes the final answer."),
  worker_agent_ids: agentIds.min(1),
  quality_threshold: z.number().min(0).max(1).default(0.7).describe("The minimum score of an accepted result."),
  max_delegation_depth: z.int().min(0).max(MAX_ROUNDS).default(3).describe("Revisions of one delegation."),
  max_iterations: z
    .int()
    .min(1)
    .max(MAX_ROUNDS)
    .default(20)
    .describe("The maximum number of model calls of the brain."),
  routing_strategy: z.enum(["auto"]).default("auto"),
  memory,
});

const collaboration = z
  .strictObject({
    agent_ids: agentIds.min(2),
    speaker_selection: z.enum(["round_robin", "llm_select", "facilitator"]).default("round_robin"),
    max_turns: z.int().min(1).max(MAX_ROUNDS).default(10),
    termination_condition: z.enum(["max_turns", "consensus", "facilitator_decision"]).default("max_turns"),
    consensus_phrase: z
      .string()
      .min(1, { abort: true })
      .max(200)
      .regex(/\S/, "must not be blank")
      .default("I agree with the consensus"),
    facilitator_agent_id: givenId.nullish().describe("Required if a facilitator chooses or decides."),
    memory,
  })
  .superRefine(({ speaker_selection, termination_condition, facilitator_agent_id }, context) => {
    const needed = speaker_selection === "facilitator" || termination_condition === "facilitator_decision";
    if (!needed || facilitator_agent_id != null) return;
    const message = "is required if a facilitator chooses the speaker or decides the end";
    context.addIssue({ code: "custom", path: ["facilitator_agent_id"], message });
  });

/** The config schema of each mode. */
export const TEAM_CONFIGS = { pipeline, orchestrator, collaboration } as const satisfies Record<
  TeamModeName,
  z.ZodType
>;

/** The config of a team, validated and with defaults. */
export type TeamConfig<Mode extends TeamModeName = TeamModeName> = z.output<(typeof TEAM_CONFIGS)[Mode]>;

/** The config of a mode as a client may give it; what says no more than a draft is undefined, as null and `{}`. */
export function givenConfig<Config extends z.ZodType>(mode: TeamModeName, config: Config) {
  return z.preprocess((given) => (saysDraft(mode, given) ? undefined : given), config.optional());
}

/** Whether a given config has nothing but what the config of a draft has. */
export function saysDraft(mode: TeamModeName, given: unknown): boolean {
  if (given === null) return true;
  if (typeof given !== "object" || Array.isArray(given)) return false;
  return isDeepStrictEqual({ ...DRAFT_CONFIGS[mode], ...given }, DRAFT_CONFIGS[mode]);
}

/** The config of a team that was created without one: it has no agents and cannot run. */
export const DRAFT_CONFIGS: Readonly<Record<TeamModeName, object>> = {
  pipeline: { steps: [], auto_handoff: true },
  orchestrator: { worker_agent_ids: [] },
  collaboration: { agent_ids: [] },
};
