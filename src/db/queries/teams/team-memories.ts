import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The part of a run's input and output that is kept, in characters. */
const MAX_TEXT_LENGTH = 10_000;

const LOCK = statement({
  name: "lock-remembering-team",
  text: `
    select t.id from runs r join teams t on t.id = r.team_id
    where r.id = $1 and r.kind = 'team_run' and t.config->'memory'->'enabled' = 'true' for key share of t`,
});

/**
 * Whether a run's team has memory. Locks the team against deletion until the transaction ends; call it before locking
 * the run and its task, the same order as a deletion of the team.
 */
export async function lockRememberingTeam(tx: Transaction, runId: string): Promise<boolean> {
  return (await tx.query(LOCK, [runId])).length === 1;
}

// Later runs find the memory by its passage.
const REMEMBER = statement({
  name: "remember-team-run",
  text: `
    with memory as (
      insert into team_memories (id, workspace_id, team_id, run_id, attempt, status, task, outcome)
      select $2, workspace_id, team_id, id, attempt, status, left(title, ${MAX_TEXT_LENGTH}),
        left(coalesce(result, error, ''), ${MAX_TEXT_LENGTH})
      from runs where id = $1 and kind = 'team_run' and team_id is not null and status in ('completed', 'failed')
      on conflict on constraint team_memories_run do nothing
      returning *
    )
    insert into passages (id, workspace_id, scope, memory_id, position, heading, content)
    select id, workspace_id, team_id, id, 0, task, outcome from memory`,
});

/** Stores a memory of an ended run; call it in the transaction that ends the run. @param id the memory's id */
export async function rememberTeamRun(tx: Transaction, runId: string, id: string): Promise<void> {
  await tx.query(REMEMBER, [runId, id]);
}

const DELETE = statement({
  name: "delete-team-memory",
  text: `delete from team_memories where team_id = $1 and id = $2 returning id`,
});

/** Deletes a memory of a team; returns whether there was one. */
export async function deleteTeamMemory(tx: Transaction, teamId: string, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [teamId, id])).length === 1;
}

const DELETE_ALL = statement({ name: "delete-team-memories", text: `delete from team_memories where team_id = $1` });

/** Deletes all memories of a team. */
export async function deleteTeamMemories(tx: Transaction, teamId: string): Promise<void> {
  await tx.query(DELETE_ALL, [teamId]);
}
