import type { Buckets, RunCount } from "#domain/runs/run-counts.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const COUNT = statement({
  name: "read-run-counts",
  text: `
    select to_char(date_trunc($3, hour, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start, status,
      duration_bucket as "durationBucket", sum(runs)::integer as runs
    from runs_by_hour
    where workspace_id = current_workspace_id() and subject_id = $1 and hour >= $4 and hour < $2
    group by 1, 2, 3`,
});

/** Reads the numbers of ended attempts. @param subjectId the workspace for all, or an agent or team */
export function readRunCounts(tx: Transaction, subjectId: string, { bucket, from, to }: Buckets): Promise<RunCount[]> {
  return tx.query<RunCount>(COUNT, [subjectId, to, bucket, from]);
}

const CODES = statement({
  name: "read-error-codes",
  text: `
    select error_code as code, sum(runs)::integer as runs from runs_by_hour
    where workspace_id = current_workspace_id() and subject_id = $1 and hour >= $2 and hour < $3 and status = 'failed'
      and error_code <> ''
    group by 1 order by 2 desc, 1 limit $4`,
});

/** An error code of failed attempts, and its count. */
export interface ErrorCount {
  readonly code: string;
  readonly runs: number;
}

/** Reads the most frequent error codes. @param subjectId as {@link readRunCounts} */
export function readErrorCodes(
  tx: Transaction,
  subjectId: string,
  { from, to, limit }: Pick<Buckets, "from" | "to"> & { readonly limit: number },
): Promise<ErrorCount[]> {
  return tx.query<ErrorCount>(CODES, [subjectId, from, to, limit]);
}

const COSTS = statement({
  name: "read-costs-by-hour",
  text: `
    select to_char(date_trunc($3, hour, 'UTC') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start,
      sum(prompt_tokens + completion_tokens)::double precision as tokens, sum(cost_usd)::double precision as cost_usd
    from usage_by_hour
    where workspace_id = current_workspace_id() and ($1::uuid is null or agent_id = $1) and hour >= $4 and hour < $2
    group by 1`,
});

/** The usage of an hour or day. */
export interface CostSum {
  readonly start: string;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** Reads the usage. @param agentId null for the whole workspace */
export function readCosts(tx: Transaction, agentId: string | null, { bucket, from, to }: Buckets): Promise<CostSum[]> {
  return tx.query<CostSum>(COSTS, [agentId, to, bucket, from]);
}

const AGENTS = statement({
  name: "read-busiest-agents",
  text: `
    with ended as (
      select subject_id as id, sum(runs)::integer as runs,
        (coalesce(sum(runs) filter (where status = 'failed'), 0))::integer as failed
      from runs_by_hour
      where workspace_id = current_workspace_id() and subject_id <> current_workspace_id() and hour >= $1 and hour < $2
      group by 1
    ),
    spent as (
      select agent_id as id, sum(cost_usd) as cost_usd from usage_by_hour
      where workspace_id = current_workspace_id() and hour >= $1 and hour < $2 group by 1
    )
    select a.id, a.name, coalesce(e.runs, 0) as runs, coalesce(e.failed, 0) as failed,
      coalesce(s.cost_usd, 0)::double precision as cost_usd
    from agents a left join ended e on e.id = a.id left join spent s on s.id = a.id
    where a.workspace_id = current_workspace_id() and (e.runs > 0 or s.cost_usd > 0)
    order by s.cost_usd desc nulls last, e.runs desc nulls last, a.id limit $3`,
});

/** An agent, the results of its own attempts, and its cost including team runs. */
export interface BusyAgent {
  readonly id: string;
  readonly name: string;
  readonly runs: number;
  readonly failed: number;
  readonly cost_usd: number;
}

/** Reads the most expensive agents; of equal cost, those with the most attempts first. */
export function readBusiestAgents(
  tx: Transaction,
  { from, to, limit }: Pick<Buckets, "from" | "to"> & { readonly limit: number },
): Promise<BusyAgent[]> {
  return tx.query<BusyAgent>(AGENTS, [from, to, limit]);
}

const AGENT_COUNTS = statement({
  name: "read-run-counts-of-agents",
  text: `
    select subject_id as "agentId", status, duration_bucket as "durationBucket", sum(runs)::integer as runs
    from runs_by_hour
    where workspace_id = current_workspace_id() and subject_id = any($1) and hour >= $2
    group by 1, 2, 3`,
});

/** The number of ended attempts of an agent, with one status and about the same duration. */
export interface AgentRunCount extends Omit<RunCount, "start"> {
  readonly agentId: string;
}

/** Reads the numbers of ended attempts of these agents in the hours since `since`. */
export function readAgentRunCounts(
  tx: Transaction,
  agentIds: readonly string[],
  since: Date,
): Promise<AgentRunCount[]> {
  return tx.query<AgentRunCount>(AGENT_COUNTS, [agentIds, since]);
}

const AGENT_COSTS = statement({
  name: "read-costs-of-agents",
  text: `
    select agent_id as "agentId", sum(prompt_tokens + completion_tokens)::double precision as tokens,
      sum(cost_usd)::double precision as cost_usd
    from usage_by_hour
    where workspace_id = current_workspace_id() and agent_id = any($1) and hour >= $2
    group by 1`,
});

/** The usage of an agent, including team runs. */
export interface AgentCost extends Omit<CostSum, "start"> {
  readonly agentId: string;
}

/** Reads the usage of these agents in the hours since `since`. */
export function readAgentCosts(tx: Transaction, agentIds: readonly string[], since: Date): Promise<AgentCost[]> {
  return tx.query<AgentCost>(AGENT_COSTS, [agentIds, since]);
}
