import type { TeamMemory } from "#domain/team-memory.ts";
import type { Database, Transaction } from "../database.ts";

/** So much of a run's input and output is kept, in characters. */
const KEPT = 10_000;
/** So many of a team's memories are looked through, the newest ones. */
const LOOKED_THROUGH = 2_000;
/** So many words of a task are looked for. */
const WORDS = 200;

const LOCK = {
  name: "lock-remembering-team",
  text: `
    select t.id from team_runs r join teams t on t.id = r.team_id
    where r.id = $1 and t.config->'memory'->'enabled' = 'true' for key share of t`,
};

/**
 * Whether the team of a run remembers. It cannot be deleted until the transaction ends; lock it before its runs and
 * tasks, as who deletes it does.
 */
export async function lockRememberingTeam(tx: Transaction, runId: string): Promise<boolean> {
  return (await tx.query(LOCK, [runId])).length === 1;
}

const REMEMBER = {
  name: "remember-team-run",
  text: `
    insert into team_memories (id, workspace_id, team_id, run_id, attempt, status, task, outcome, search)
    select $2, r.workspace_id, r.team_id, r.id, r.attempt, r.status, r.task, r.outcome,
      setweight(memory_words(r.task), 'A') || memory_words(r.outcome)
    from (
      select *, left(input_task, ${KEPT}) as task, left(coalesce(output, error, ''), ${KEPT}) as outcome
      from team_runs where id = $1
    ) r
    where r.team_id is not null and r.status in ('completed', 'failed')
    on conflict on constraint team_memories_run do nothing`,
};

/** Remembers what came of a run that has ended; call it in the transaction that ends it. @param id of the memory */
export async function rememberTeamRun(tx: Transaction, runId: string, id: string): Promise<void> {
  await tx.query(REMEMBER, [runId, id]);
}

// Of several runs on the same task the newest one tells. No word of a text is a part of a query's syntax in quotes.
const RECALL = {
  name: "recall-team-memories",
  text: `
    with question as (
      select string_agg('''' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')::tsquery as words
      from (select lexeme from unnest(memory_words(left($2, ${KEPT}))) limit ${WORDS}) w
    ),
    recent as (
      select m.id, md5(m.task) as task, m.search, m.created_at from team_memories m
      where m.team_id = $1 order by m.created_at desc limit ${LOOKED_THROUGH}
    ),
    alike as (
      select distinct on (r.task) r.id, ts_rank_cd(r.search, q.words, 1) as score, r.created_at
      from question q, recent r where r.search @@ q.words
      order by r.task, r.created_at desc
    )
    select m.task, m.status, m.outcome, iso(m.created_at) as at
    from alike a join team_memories m on m.id = a.id
    order by a.score desc, a.created_at desc limit $3`,
};

/** What came of a team's earlier runs on tasks with words of this one: the one that is most like it first. */
export function recallTeamRuns(
  db: Database,
  { teamId, task, limit }: { readonly teamId: string; readonly task: string; readonly limit: number },
): Promise<TeamMemory[]> {
  return db.query<TeamMemory & Record<string, unknown>>(RECALL, [teamId, task, limit]);
}

const DELETE = {
  name: "delete-team-memory",
  text: `delete from team_memories where team_id = $1 and id = $2 returning id`,
};

/** Deletes a memory of a team; returns whether there was one. */
export async function deleteTeamMemory(tx: Transaction, teamId: string, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [teamId, id])).length === 1;
}

const DELETE_ALL = { name: "delete-team-memories", text: `delete from team_memories where team_id = $1` };

/** Deletes all that a team remembers. */
export async function deleteTeamMemories(tx: Transaction, teamId: string): Promise<void> {
  await tx.query(DELETE_ALL, [teamId]);
}
