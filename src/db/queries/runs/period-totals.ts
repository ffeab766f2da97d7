import type { Buckets, EndSums } from "#domain/runs/run-counts.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const PERIODS = statement({
  name: "read-periods",
  text: `
    select to_char(start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start,
      sum(completed)::integer as completed, sum(failed)::integer as failed, sum(cancelled)::integer as cancelled,
      json_agg(durations) as durations, json_agg(error_codes) as error_codes,
      sum(tokens)::double precision as tokens, sum(cost_usd)::double precision as cost_usd
    from period_totals
    where workspace_id = current_workspace_id() and subject_id = $1 and bucket = $2 and start >= $3 and start < $4
    group by 1`,
});

/** What was used. */
export interface Used {
  readonly tokens: number;
  readonly cost_usd: number;
}

/** What ended and was used in an hour or a day. */
export interface PeriodSums extends EndSums, Used {
  readonly start: string;
  /** The failed attempts by error code; together they count each. */
  readonly error_codes: readonly Readonly<Record<string, number>>[];
}

/**
 * Reads what ended and was used in the hours or days that are not empty.
 * @param subjectId the workspace for all, or an agent or team
 */
export function readPeriods(db: Queries, subjectId: string, { bucket, from, to }: Buckets): Promise<PeriodSums[]> {
  return db.query<PeriodSums>(PERIODS, [subjectId, bucket, from, to]);
}

const BUSIEST = statement({
  name: "read-busiest-agents",
  text: `
    with own as (select id, name from agents where workspace_id = current_workspace_id()),
    totals as (
      select subject_id as id, sum(completed + failed + cancelled)::integer as runs, sum(failed)::integer as failed,
        sum(cost_usd) as cost_usd
      from subject_totals(array(select id from own), $1, $2) group by 1
    )
    select a.id, a.name, t.runs, t.failed, t.cost_usd::double precision as cost_usd
    from totals t join own a on a.id = t.id
    where t.runs > 0 or t.cost_usd > 0
    order by t.cost_usd desc, t.runs desc, a.id limit $3`,
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
  db: Queries,
  { from, to, limit }: Pick<Buckets, "from" | "to"> & { readonly limit: number },
): Promise<BusyAgent[]> {
  return db.query<BusyAgent>(BUSIEST, [from, to, limit]);
}

const AGENTS = statement({
  name: "read-totals-of-agents",
  text: `
    select subject_id as "agentId", sum(completed)::integer as completed, sum(failed)::integer as failed,
      sum(cancelled)::integer as cancelled, json_agg(durations) as durations,
      sum(tokens)::double precision as tokens, sum(cost_usd)::double precision as cost_usd
    from subject_totals($1, $2, 'infinity') group by 1`,
});

/** What an agent did: its own attempts, and what it used, also in team runs. */
export interface AgentSums extends EndSums, Used {
  readonly agentId: string;
}

/** Reads what these agents did in the hours since `since`; agents that did nothing are left out. */
export function readAgentSums(db: Queries, agentIds: readonly string[], since: Date): Promise<AgentSums[]> {
  return db.query<AgentSums>(AGENTS, [agentIds, since]);
}
