import { notFound } from "#domain/errors.ts";
import { STATS_DAYS, successShare } from "#domain/runs/agent-stats.ts";
import type { AgentStats } from "#domain/runs/agent-stats.ts";
import { totalsOf } from "#domain/runs/run-counts.ts";
import { readAgentSums } from "#db/queries/runs/period-totals.ts";
import { readWaitingAgents } from "#db/queries/agents/waiting-agents.ts";
import { agentsAmong } from "#db/queries/agents/agents.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { divideIntoBuckets, readPeriod, sumOf } from "./overview.ts";
import type { Period, PeriodQuery } from "./overview.ts";
import type { Workspace } from "../workspace.ts";

const DAY_MS = 86_400_000;

/** Reads how some agents did in the last 7 days, in the order of the ids; ids of no agent of the workspace are left out. */
export function listAgentStats(workspace: Workspace, ids: readonly string[]): Promise<readonly AgentStats[]> {
  const since = new Date(Date.now() - STATS_DAYS * DAY_MS);
  return workspace.transaction(async (tx) => {
    const [known, sums, waiting] = await allSettledOrThrow([
      agentsAmong(tx, ids),
      readAgentSums(tx, ids, since),
      readWaitingAgents(tx, ids),
    ]);
    const sumsOf = Map.groupBy(sums, ({ agentId }) => agentId);
    return [...new Set(ids)]
      .filter((id) => known.has(id))
      .map((id) => {
        const own = sumsOf.get(id) ?? [];
        const totals = totalsOf(own);
        return {
          agent_id: id,
          runs: totals.completed + totals.failed + totals.cancelled,
          ...totals,
          success_share: successShare(totals),
          is_waiting: waiting.has(id),
          ...sumOf(own),
        };
      });
  });
}

/** How an agent did over some time, as {@link Period}. */
export interface AgentPeriod extends Period {
  readonly agent_id: string;
  readonly success_share: number | null;
}

/**
 * Reads how an agent did over some time, by default the last 7 days.
 * @throws AppError `not_found`; `bad_request` for a time that is empty or too long.
 */
export function readAgentStats(
  workspace: Workspace,
  { id, ...query }: PeriodQuery & { readonly id: string },
): Promise<AgentPeriod> {
  const until = query.to === undefined ? Date.now() : Date.parse(query.to);
  const from = query.from ?? new Date(until - (STATS_DAYS - 1) * DAY_MS).toISOString();
  const buckets = divideIntoBuckets({ ...query, from });
  return workspace.transaction(async (tx) => {
    if (!(await agentsAmong(tx, [id])).has(id)) throw notFound("Agent");
    const period = await readPeriod(tx, id, buckets);
    return { agent_id: id, success_share: successShare(period.total), ...period };
  });
}
