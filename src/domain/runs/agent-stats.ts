import { z } from "zod";
import { givenId } from "../given-id.ts";
import { runTotals } from "./run-counts.ts";

/** Days of the statistics that lists show. */
export const STATS_DAYS = 7;

/** Agents of one answer. */
const MAX_AGENTS = 100;

/** The agents whose statistics are asked for. */
export const statsQuery = z.strictObject({
  id: z.array(givenId).min(1).max(MAX_AGENTS).describe(`An agent; up to ${MAX_AGENTS} times.`),
});

/** How an agent did over some time. */
export const agentStats = z.strictObject({
  agent_id: z.uuid(),
  runs: z.int().describe("Its own attempts that ended; turns in teams count for the team."),
  ...runTotals.shape,
  success_share: z
    .number()
    .nullable()
    .describe("The share of completed attempts among completed and failed ones; null without any."),
  is_waiting: z.boolean().describe("It has runs in progress, and all of them wait for a person."),
  tokens: z.int().describe("Includes tokens used in teams."),
  cost_usd: z.number().describe("Includes the cost in teams."),
});

/** See {@link agentStats}. */
export type AgentStats = z.output<typeof agentStats>;

/** The share of attempts that were completed among those that were completed or failed; null when there were none. */
export function successShare({ completed, failed }: Pick<AgentStats, "completed" | "failed">): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : completed / ended;
}
