import type { Thread } from "#domain/tasks/conversation.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { isUuid } from "#lib/ids.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A conversation with an agent under the client's thread id: a task's id, or another text that is mapped to a task. */
export interface ThreadKey {
  readonly agentId: string;
  readonly threadId: string;
}

/**
 * SQL: the id of the thread's task: $1 the agent, $2 the thread id if it is a UUID, $3 as the client writes it. Compare
 * it as a column of a subquery with `offset 0`: under row security, no index is used for a comparison with subqueries.
 * The agent is no condition for an index either: a plan made for few tasks would read all tasks of the agent.
 */
const TASK_ID = `
  coalesce(
    (select t.id from runs t where t.id = $2 and t.agent_id is not distinct from $1),
    (select t.id from agent_threads a join runs t on t.id = a.task_id
     where a.agent_id = $1 and a.thread_id = $3 and t.agent_id is not distinct from $1))`;

const TASK_OF_THREAD = statement({
  name: "task-of-thread",
  text: `select task_id as id from agent_threads where thread_id = $1 order by created_at limit 1`,
});

/** The task of the workspace's oldest thread with this id, of any agent; undefined when there is none. */
export async function findTaskOfThread(db: WorkspaceDatabase, threadId: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(TASK_OF_THREAD, [threadId]);
  return row?.id;
}

const FIND_STREAM = statement({
  name: "find-thread-stream",
  text: `
    select t.id as "taskId", t.status,
      case when t.interaction->'wizard' is not null then 'wizard' else t.interaction->>'interactionType' end as "openQuestion",
      s.first_seq, s.last_seq, s.closed, s.attempt
    from (select ${TASK_ID} as id from agents where id = $1 offset 0) thread
    left join runs t on t.id = thread.id
    left join task_streams s on s.log_id = t.id`,
});

/** A thread's task and the head of its log; all null when the agent has no such task, or it never ran. */
export type ThreadStream =
  | {
      readonly taskId: string;
      readonly status: TaskStatus;
      /** The type of the open question, or `wizard`; null when there is none. */
      readonly openQuestion: string | null;
      readonly first_seq: number;
      readonly last_seq: number;
      readonly closed: boolean;
      readonly attempt: number;
    }
  | { readonly first_seq: null };

/** Finds a thread's task and log. Undefined when the workspace has no such agent. */
export async function findThreadStream(db: WorkspaceDatabase, key: ThreadKey): Promise<ThreadStream | undefined> {
  const [row] = await db.query<ThreadStream>(FIND_STREAM, valuesOf(key));
  return row;
}

const FIND_TASK = statement({ name: "find-thread-task", text: `select ${TASK_ID} as id` });

/** The id of a thread's task; undefined when the agent has no such thread. */
export async function findThreadTask(db: WorkspaceDatabase, key: ThreadKey): Promise<string | undefined> {
  const [row] = await db.query<{ id: string | null }>(FIND_TASK, valuesOf(key));
  return row?.id ?? undefined;
}

const FIND_TEAM_WORK = statement({
  name: "find-team-work",
  text: `
    select work.id
    from runs work
    where work.id = $2 and exists (select from team_members m where m.team_id = work.team_id and m.agent_id = $1)`,
});

/** Whether this is the id of a task or a run of a team that has the agent as a member. Both ids must be UUIDs. */
export async function isTeamWork(db: WorkspaceDatabase, { agentId, threadId }: ThreadKey): Promise<boolean> {
  return (await db.query(FIND_TEAM_WORK, [agentId, threadId])).length > 0;
}

const FIND_TEAM_RUN = statement({
  name: "find-run-of-team-task",
  text: `select team_run_id as id from runs where id = $1 and team_id is not null`,
});

/** The newest team run of a team's task; undefined for other tasks, and before the first run. */
export async function findRunOfTask(db: WorkspaceDatabase, taskId: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string | null }>(FIND_TEAM_RUN, [taskId]);
  return row?.id ?? undefined;
}

const OPEN_QUESTION = statement({
  name: "open-question-at",
  text: `
    select t.interaction from runs t join task_streams s on s.log_id = t.id
    where t.id = $1 and t.status = 'waiting_for_input' and s.last_seq = $2 and not s.closed`,
});

/** A task's open question as in its record, if the log's event with this number asks it. */
export async function readQuestionAt(
  db: WorkspaceDatabase,
  { taskId, seq }: { readonly taskId: string; readonly seq: number },
): Promise<unknown> {
  const [row] = await db.query<{ interaction: unknown }>(OPEN_QUESTION, [taskId, seq]);
  return row?.interaction;
}

const READ = statement({
  name: "read-thread",
  text: `
    select t.id, t.attempt, t.status, t.title, t.description, t.result, t.conversation
    from (select ${TASK_ID} as id offset 0) thread join runs t on t.id = thread.id`,
});
const LOCK = statement({ name: "lock-thread", text: `${READ.text} for update of t` });

/** A thread's task as a conversation. */
export type ThreadTask = Thread & { readonly status: TaskStatus };

/** Reads a thread's task; undefined when the agent has no such thread. */
export async function readThread(db: WorkspaceDatabase, key: ThreadKey): Promise<ThreadTask | undefined> {
  const [thread] = await db.query<ThreadTask>(READ, valuesOf(key));
  return thread;
}

/** The same, and locks the task until the transaction ends. */
export async function lockThread(tx: Transaction, key: ThreadKey): Promise<ThreadTask | undefined> {
  const [thread] = await tx.query<ThreadTask>(LOCK, valuesOf(key));
  return thread;
}

const INSERT = statement({
  name: "insert-thread",
  text: `
    insert into agent_threads (workspace_id, agent_id, thread_id, task_id)
    select workspace_id, $1::uuid, $2, id from runs where id = $3`,
});

/** Maps a thread to a task. @throws an error with the code 23505 when the thread is mapped already */
export async function insertThread(tx: Transaction, { agentId, threadId }: ThreadKey, taskId: string): Promise<void> {
  await tx.query(INSERT, [agentId, threadId, taskId]);
}

function valuesOf({ agentId, threadId }: ThreadKey): readonly unknown[] {
  return [agentId, isUuid(threadId) ? threadId : null, threadId];
}
