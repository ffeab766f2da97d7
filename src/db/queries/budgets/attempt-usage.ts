import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-attempt-usage",
  text: `
    select provider, model, sum(prompt_tokens)::double precision as prompt_tokens,
      sum(completion_tokens)::double precision as completion_tokens,
      sum(cached_tokens)::double precision as cached_tokens,
      sum(cache_write_tokens)::double precision as cache_write_tokens,
      sum(reasoning_tokens)::double precision as reasoning_tokens
    from usage_records where (task_id = $1 or team_run_id = $1) and attempt = $2
    group by provider, model order by min(created_at)`,
});

/** The tokens of an attempt's calls of one model. */
export interface AttemptUsage {
  readonly provider: string;
  readonly model: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
}

/** The usage recorded for an attempt of a task or of a team run, by model. */
export function readAttemptUsage(
  db: Database,
  { subjectId, attempt }: { readonly subjectId: string; readonly attempt: number },
): Promise<readonly AttemptUsage[]> {
  return db.query<AttemptUsage>(READ, [subjectId, attempt]);
}
