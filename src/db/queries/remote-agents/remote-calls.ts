import type { Database, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A delegation as stored for a restart. */
export interface RemoteCall {
  readonly remote_agent_id: string;
  readonly remote_task_id: string | null;
  readonly remote_context_id: string | null;
  /** The round of the question that a person is asked, and what tells it from others; null before the first. */
  readonly asked_round: number | null;
  readonly asked_question: string | null;
}

const OPEN = statement({
  name: "open-remote-call",
  text: `
    with made as (
      insert into remote_calls (workspace_id, key, remote_agent_id, subject_id) values ($1, $2, $3, $4)
      on conflict (workspace_id, key) do nothing
    )
    select remote_agent_id, remote_task_id, remote_context_id, asked_round, asked_question
    from remote_calls where workspace_id = $1 and key = $2`,
});

/** Records the start of a call; returns the stored call when an earlier execution has made it. */
export async function openRemoteCall(
  db: WorkspaceDatabase,
  call: { readonly key: string; readonly remoteAgentId: string; readonly subjectId: string },
): Promise<RemoteCall | undefined> {
  const values = [db.who.workspaceId, call.key, call.remoteAgentId, call.subjectId];
  const [row] = await db.query<RemoteCall>(OPEN, values);
  return row;
}

const NAME_TASK = statement({
  name: "name-remote-task",
  text: `
    update remote_calls set remote_task_id = $3, remote_context_id = $4
    where workspace_id = $1 and key = $2`,
});

/** Stores the remote agent's ids of the work. */
export async function nameRemoteTask(
  db: WorkspaceDatabase,
  task: { readonly key: string; readonly taskId: string; readonly contextId: string | undefined },
): Promise<void> {
  const values = [db.who.workspaceId, task.key, task.taskId, task.contextId ?? null];
  await db.query(NAME_TASK, values);
}

const ASK = statement({
  name: "ask-for-remote-agent",
  text: `update remote_calls set asked_round = $3, asked_question = $4 where workspace_id = $1 and key = $2`,
});

/** Stores which question of the remote agent a person is asked. */
export async function recordRemoteQuestion(
  db: WorkspaceDatabase,
  asked: { readonly key: string; readonly round: number; readonly question: string },
): Promise<void> {
  await db.query(ASK, [db.who.workspaceId, asked.key, asked.round, asked.question]);
}

const CLAIM_ANSWER = statement({
  name: "claim-remote-answer",
  text: `
    update remote_calls set answered_round = $3 where workspace_id = $1 and key = $2 and answered_round < $3
    returning key`,
});

/** Records that the answer of a round is about to be sent; false if an execution has done so before. */
export async function claimRemoteAnswer(
  db: WorkspaceDatabase,
  { key, round }: { readonly key: string; readonly round: number },
): Promise<boolean> {
  return (await db.query(CLAIM_ANSWER, [db.who.workspaceId, key, round])).length > 0;
}

const END = statement({
  name: "end-remote-call",
  text: `update remote_calls set ended_at = clock_timestamp() where workspace_id = $1 and key = $2`,
});

/** Records that the remote task has ended, or was cancelled. */
export async function endRemoteCall(db: WorkspaceDatabase, key: string): Promise<void> {
  await db.query(END, [db.who.workspaceId, key]);
}

const CLAIM_END = statement({
  name: "claim-end-of-remote-call",
  text: `
    update remote_calls set ended_at = clock_timestamp() where workspace_id = $1 and key = $2 and ended_at is null
    returning key`,
});

/** The same, for one of several processes that would cancel it; false for the others. */
export async function claimEndOfRemoteCall(db: WorkspaceDatabase, key: string): Promise<boolean> {
  return (await db.query(CLAIM_END, [db.who.workspaceId, key])).length > 0;
}

const OPEN_OF_AGENT = statement({
  name: "list-open-remote-calls",
  narrows: ["remote_task_id"],
  text: `
    select c.workspace_id, c.key, c.remote_agent_id, c.remote_task_id from remote_calls c
    where c.ended_at is null and c.remote_task_id is not null and c.remote_agent_id = $1 limit $2`,
});

/** The tasks of a remote agent that have not ended. */
export function listOpenCalls(db: WorkspaceDatabase, remoteAgentId: string, limit: number): Promise<OpenCall[]> {
  return db.query<OpenCall>(OPEN_OF_AGENT, [remoteAgentId, limit]);
}

const SUBJECT_IS_OVER = `
  not exists (select from runs r where r.id = c.subject_id and r.status not in ('completed', 'failed', 'cancelled'))`;

const IS_OVER = statement({
  name: "is-delegating-work-over",
  text: `select ${SUBJECT_IS_OVER} as over from (select $1::uuid as subject_id) c`,
});

/** Whether the delegating task or team run has ended, so the remote task is no longer needed. */
export async function isDelegatingWorkOver(db: Database, subjectId: string): Promise<boolean> {
  const [row] = await db.query<{ over: boolean }>(IS_OVER, [subjectId]);
  return row?.over ?? true;
}

/** A remote task that has not ended. */
export interface OpenCall {
  readonly workspace_id: string;
  readonly key: string;
  readonly remote_agent_id: string;
  readonly remote_task_id: string;
}

const ABANDONED = statement({
  name: "list-abandoned-remote-calls",
  narrows: ["remote_task_id"],
  text: `
    select c.workspace_id, c.key, c.remote_agent_id, c.remote_task_id from remote_calls c
    where c.ended_at is null and c.remote_task_id is not null and ${SUBJECT_IS_OVER}
    order by c.created_at limit $1`,
});

/** Remote tasks that are still running because our process died before it could cancel them. */
export function listAbandonedCalls(db: Database, limit: number): Promise<OpenCall[]> {
  return db.query<OpenCall>(ABANDONED, [limit]);
}

const DELETE_OLD = statement({
  name: "delete-old-remote-calls",
  text: `
    delete from remote_calls where (workspace_id, key) in (
      select workspace_id, key from remote_calls where created_at < $1 order by created_at limit $2)
    returning key`,
});

/** Deletes calls started before a time; returns the number. */
export async function deleteOldRemoteCalls(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD, [before, limit])).length;
}
