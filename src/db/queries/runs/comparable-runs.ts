import type { Sample } from "#domain/runs/estimate.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";
import { COST } from "./cost.ts";

/** Runs among which completed ones, and those of an agent's version, are looked for. */
const MAX_READ = 1_000;

// The newest runs are cut first: an agent's version may have few runs among very many. What failed or was cancelled
// says nothing about a whole run, and a golden run calls no tools.
const COMPARABLE = statement({
  name: "read-comparable-runs",
  text: `
    with recent as (
      (select * from runs where $1 = 'agent' and agent_id = $2 and completed_at is not null
      order by completed_at desc limit $3)
      union all
      (select * from runs where $1 = 'team' and team_id = $2 and parent_id is null
      order by created_at desc, id desc limit $3)
      union all
      (select * from runs
      where $1 = 'workspace' and workspace_id = $2 and completed_at is not null and parent_id is null
      order by completed_at desc limit $3)
    ),
    last as (
      select * from recent where status = 'completed' and started_at is not null and source_kind <> 'golden'
        and ($4::integer is null or agent_version = $4)
      order by completed_at desc limit $5
    )
    select l.cost_usd::double precision as cost_usd, coalesce(u.tokens, 0)::double precision as total_tokens,
      round(extract(epoch from l.completed_at - l.started_at - l.waited) * 1000)::double precision as duration_ms
    from last l
    cross join lateral (
      select case l.kind
        when 'task' then (
          select sum(t.prompt_tokens + t.completion_tokens) from usage_records t
          where t.task_id = l.id and t.attempt = l.attempt)
        else (
          select sum(t.prompt_tokens + t.completion_tokens) from usage_records t
          where t.team_run_id = l.id and t.attempt = l.attempt)
      end as tokens
    ) u`,
});

/** The agent, the team or the workspace whose runs are read. */
export interface Performer {
  readonly kind: "agent" | "team" | "workspace";
  readonly id: string;
}

/** Reads the last runs that completed, newest first. @param version only those of this version of the agent */
export function readComparable(
  db: Queries,
  { kind, id }: Performer,
  { version, limit }: { readonly version: number | null; readonly limit: number },
): Promise<Sample[]> {
  return db.query<Sample>(COMPARABLE, [kind, id, MAX_READ, version, limit]);
}

const VERSION = statement({ name: "read-current-version", text: "select version from agents where id = $1" });

/** The current version of an agent; undefined when the workspace has no such agent. */
export async function readCurrentVersion(db: Queries, agentId: string): Promise<number | undefined> {
  const [agent] = await db.query<{ version: number }>(VERSION, [agentId]);
  return agent?.version;
}

const SPENDING = statement({
  name: "read-spending-of-run",
  text: `
    select r.agent_id as "agentId", r.team_id as "teamId", ${COST}::double precision as spent
    from runs r where r.id = $1`,
});

/** What the current attempt of a run has cost so far, and who performs it. */
export interface RunSpending {
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly spent: number;
}

/** Reads what a run has cost; undefined when the workspace has no such run. */
export async function readSpending(db: Queries, id: string): Promise<RunSpending | undefined> {
  const [run] = await db.query<RunSpending>(SPENDING, [id]);
  return run;
}
