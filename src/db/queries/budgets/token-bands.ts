import type { TokenBand } from "#domain/models/what-if.ts";
import type { WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

// The records are cut before they are summed up, newest first. Embeddings have no step.
const BANDS = statement({
  name: "read-token-bands",
  text: `
    select count(*)::integer as calls, max(prompt_tokens) as largest_prompt,
      sum(prompt_tokens)::double precision as prompt_tokens,
      sum(completion_tokens)::double precision as completion_tokens,
      sum(cached_tokens)::double precision as cached_tokens,
      sum(cache_write_tokens)::double precision as cache_write_tokens,
      sum(reasoning_tokens)::double precision as reasoning_tokens,
      sum(estimated_cost_usd)::double precision as cost_usd
    from (
      select * from usage_records
      where workspace_id = $1 and created_at >= $2::date and created_at < $3::date + 1 and step is not null
        and ($4::uuid is null or agent_id = $4) and ($5::uuid is null or team_id = $5)
        and ($6::uuid[] is null or task_id = any($6) or team_run_id = any($6))
      order by created_at desc limit $7
    ) priced
    group by width_bucket(prompt_tokens, $8::integer[])`,
});

/** Calls of a workspace, in UTC; absent conditions do not apply. */
export interface PricedCalls {
  /** The first and the last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly agentId?: string | undefined;
  readonly teamId?: string | undefined;
  /** Tasks or team runs. */
  readonly runIds?: readonly string[] | undefined;
}

/**
 * Sums up the newest calls by the size of their prompts.
 * @param limits the bands end at these numbers of prompt tokens, ascending
 */
export function readTokenBands(
  db: WorkspaceDatabase,
  { from, to, agentId, teamId, runIds }: PricedCalls,
  { limits, limit }: { readonly limits: readonly number[]; readonly limit: number },
): Promise<TokenBand[]> {
  const starts = limits.map((above) => above + 1);
  const values = [db.who.workspaceId, from, to, agentId ?? null, teamId ?? null, runIds ?? null, limit, starts];
  return db.query<TokenBand>(BANDS, values);
}
