import { z } from "zod";
import { agentPatch } from "../agents/agent.ts";
import { givenId } from "../given-id.ts";

const MAX_VERSION = 2 ** 31 - 1;

/** The body of POST /console/api/agents/{id}/golden/runs: the candidate. */
export const goldenRunCreate = z
  .strictObject({
    version: z.int().min(1).max(MAX_VERSION).optional().describe("A stored version; by default the agent as it is."),
    golden_run_id: givenId
      .optional()
      .describe("A golden run of this agent: what it has tried, in place of a stored version."),
    model: z.string().min(1).max(200).optional().describe("Another model, in place of the version's."),
    changes: agentPatch.optional().describe("Changes to the agent or the version, as PATCH /api-agents takes them."),
  })
  .describe("What is tried on the agent's golden cases.");

/** See {@link goldenRunCreate}. */
export type GoldenRunCreate = z.output<typeof goldenRunCreate>;

/** The body of POST /console/api/agents/{id}/golden/publish. */
export const goldenPublish = goldenRunCreate
  .extend({
    override: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .optional()
      .describe("Why it is published though it does not meet the gate; for admins. The audit log records it."),
  })
  .describe("What becomes the agent's newest version, if it meets the gate.");

/** See {@link goldenPublish}. */
export type GoldenPublish = z.output<typeof goldenPublish>;

/** The states of a golden run. */
export const GOLDEN_RUN_STATES = ["running", "passed", "failed"] as const;

/** How a case of a golden run came out. */
export const GOLDEN_RESULT_STATES = ["running", "passed", "failed", "diverged", "cancelled"] as const;

/** What a version must pass before it is published: all cases, this number of them, or none. */
export const goldenRequired = z.union([z.literal("all"), z.literal("none"), z.int().min(1).max(999)]);

/** See {@link goldenRequired}. */
export type GoldenRequired = z.output<typeof goldenRequired>;
