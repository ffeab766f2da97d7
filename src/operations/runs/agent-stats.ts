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
export async function listAgentStats(workspace: Workspace, ids: readonly string[]): Promise<readonly AgentStats[]> {
  const since = new Date(Date.now() - STATS_DAYS * DAY_MS);
  const [{ known, waiting }, sums] = await allSettledOrThrow([
    readPresent(workspace, ids),
    readAgentSums(workspace.reports, ids, since),
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
}

/** What must not lag behind a change that the client has made. */
function readPresent(workspace: Workspace, ids: readonly string[]) {
  return workspace.transaction(async (tx) => {
    const [known, waiting] = await allSettledOrThrow([agentsAmong(tx, ids), readWaitingAgents(tx, ids)]);
    return { known, waiting };
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
export async function readAgentStats(
  workspace: Workspace,
  { id, ...query }: PeriodQuery & { readonly id: string },
): Promise<AgentPeriod> {
  const until = query.to === undefined ? Date.now() : Date.parse(query.to);
  const from = query.from ?? new Date(until - (STATS_DAYS - 1) * DAY_MS).toISOString();
  const buckets = divideIntoBuckets({ ...query, from });
  const [known, period] = await allSettledOrThrow([
    workspace.transaction((tx) => agentsAmong(tx, [id])),
    readPeriod(workspace.reports, id, buckets),
  ]);
  if (!known.has(id)) throw notFound("Agent");
  return { agent_id: id, success_share: successShare(period.total), ...period };
}
