import type { UsageGroup, UsageSum } from "#domain/models/usage.ts";
import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

// One statement for all groupings: an omitted dimension is null in every row, and so forms one group.
const SUM = statement({
  name: "sum-usage",
  text: `
    with sums as (
      select
        case when 'day' = any($4) then u.day end as day,
        case when 'agent' = any($4) then u.agent_id end as agent_id,
        case when 'model' = any($4) then u.provider end as provider,
        case when 'model' = any($4) then u.model end as model,
        case when 'team' = any($4) then u.team_id end as team_id,
        sum(u.calls)::bigint as calls,
        sum(u.prompt_tokens)::bigint as prompt_tokens,
        sum(u.completion_tokens)::bigint as completion_tokens,
        sum(u.cached_tokens)::bigint as cached_tokens,
        sum(u.cache_write_tokens)::bigint as cache_write_tokens,
        sum(u.reasoning_tokens)::bigint as reasoning_tokens,
        sum(u.cost_usd) as cost_usd,
        sum(u.interrupted_calls)::bigint as interrupted_calls,
        sum(u.worst_case_tokens)::bigint as worst_case_tokens,
        sum(u.worst_case_cost_usd) as worst_case_cost_usd
      from usage_by_day u
      where u.workspace_id = $1 and u.day >= $2::date and u.day <= $3::date
      group by 1, 2, 3, 4, 5
    ),
    shown as (
      select s.day, s.agent_id, a.name as agent_name, s.provider, s.model, s.team_id, t.name as team_name,
        s.calls, s.prompt_tokens, s.completion_tokens, s.prompt_tokens + s.completion_tokens as total_tokens,
        s.cached_tokens, s.cache_write_tokens, s.reasoning_tokens, s.cost_usd, s.interrupted_calls,
        s.worst_case_tokens, s.worst_case_cost_usd
      from sums s
      left join agents a on a.workspace_id = $1 and a.id = s.agent_id
      left join teams t on t.workspace_id = $1 and t.id = s.team_id
    )
    select
      coalesce((
        select json_agg(s order by s.day, s.cost_usd desc, s.total_tokens desc, s.agent_id, s.model, s.team_id)
        from shown s), '[]') as rows,
      (select to_json(total) from (
        select coalesce(sum(calls), 0) as calls, coalesce(sum(prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(completion_tokens), 0) as completion_tokens, coalesce(sum(total_tokens), 0) as total_tokens,
          coalesce(sum(cached_tokens), 0) as cached_tokens,
          coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
          coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
          coalesce(sum(cost_usd), 0) as cost_usd,
          coalesce(sum(interrupted_calls), 0) as interrupted_calls,
          coalesce(sum(worst_case_tokens), 0) as worst_case_tokens,
          coalesce(sum(worst_case_cost_usd), 0) as worst_case_cost_usd
        from shown) total) as total`,
});

/** The usage of one day, agent, model or team, or of a combination; omitted dimensions are null. */
export interface UsageRow extends UsageSum {
  /** The day in UTC, `YYYY-MM-DD`. */
  readonly day: string | null;
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly team_id: string | null;
  readonly team_name: string | null;
}

/** A query of a workspace's usage. */
export interface UsageQuestion {
  /** The first and the last day, in UTC, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly groups: readonly UsageGroup[];
}

/** Sums up a workspace's usage, ordered by day and cost, in exact decimals. */
export async function sumUsage(
  db: WorkspaceDatabase,
  { from, to, groups }: UsageQuestion,
): Promise<{ readonly rows: readonly UsageRow[]; readonly total: UsageSum }> {
  const values = [db.who.workspaceId, from, to, groups];
  const [sums] = await db.query<{ rows: UsageRow[]; total: UsageSum }>(SUM, values);
  if (sums === undefined) throw new Error("A sum gives one row.");
  return sums;
}
