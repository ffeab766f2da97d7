import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import type { RunSource } from "#domain/runs/run-source.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { Transaction } from "../../database.ts";
import { cancel } from "../queue/jobs.ts";
import { statement } from "../../statement.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

// Separate parameters, because parsing a JSON record costs a quarter of the statement.
const INSERT = statement({
  name: "insert-task",
  text: `
    insert into runs (kind, id, workspace_id, title, description, priority, status, agent_id, team_id,
      team_run_id, metadata, conversation, scheduled_for, created_by, client_tools, source_kind, source_id,
      created_at, updated_at, dispatched_at, started_at, agent_version, client_request)
    select 'task', $1, $2, $3, $4, $5, case when runs then 'running' else $6 end, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      at, at, case when $6 = 'dispatched' then at end, case when runs then at end,
      case when runs then (select a.version from agents a where a.id = $7) end, $18
    from (select $17::boolean and may_start($2::uuid) as runs, clock_timestamp() as at offset 0) start`,
});

/** A task row to insert. */
export interface NewTask {
  readonly id: string;
  readonly workspace_id: string;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  readonly status: "pending" | "dispatched";
  /** Whether it runs immediately: its job is claimed in this transaction, unless its workspace is paused. */
  readonly startsNow?: boolean;
  readonly assigned_agent_id: string | null;
  readonly assigned_team_id?: string | null;
  /** The team run that does its work; only for teams. */
  readonly team_run_id?: string | null;
  /** JSON, because a number of JavaScript would lose digits. */
  readonly metadata: string;
  readonly conversation?: readonly ConversationMessage[];
  /** ISO 8601; a scheduled task is inserted as pending. */
  readonly scheduled_for?: string | null;
  readonly created_by: string | null;
  readonly source: RunSource;
  /** Tools executed by the client. */
  readonly client_tools?: ClientTools | undefined;
  /** What else its client's request says, as JSON; see `clientRequest`. */
  readonly client_request?: string | undefined;
}

/** Inserts a task. */
export async function insertTask(tx: Transaction, task: NewTask): Promise<void> {
  await tx.query(INSERT, [
    task.id,
    task.workspace_id,
    task.title,
    task.description,
    task.priority,
    task.status,
    task.assigned_agent_id,
    task.assigned_team_id ?? null,
    task.team_run_id ?? null,
    task.metadata,
    task.conversation === undefined ? null : JSON.stringify(task.conversation),
    task.scheduled_for ?? null,
    task.created_by,
    toColumn(task.client_tools),
    task.source.kind,
    task.source.id,
    task.startsNow ?? false,
    task.client_request ?? null,
  ]);
}

const BEGIN_STREAM = statement({
  name: "begin-task-stream",
  text: `
    insert into task_streams (log_id, workspace_id, attempt, last_seq)
    select id, workspace_id, attempt, case status when 'running' then 1 else 0 end from tasks where id = $1`,
});

// A separate statement, because row-level security allows an event only if its stream is visible.
const OPENING = statement({
  name: "write-opening-event",
  text: `
    insert into task_events (log_id, seq, workspace_id, attempt, event)
    select log_id, last_seq, workspace_id, attempt, $2 from task_streams where log_id = $1 and last_seq > 0`,
});

/**
 * Opens the log of a task that was just inserted.
 * @param opening the log's first event, as JSON, if the task may have been inserted as running
 * @throws an error with the code 23505 when a team run has the id, because logs of both share one table
 */
export async function beginTaskStream(tx: Transaction, taskId: string, opening?: string): Promise<void> {
  await allSettledOrThrow([
    tx.query(BEGIN_STREAM, [taskId]),
    opening === undefined ? undefined : tx.query(OPENING, [taskId, opening]),
  ]);
}

const OPEN_STREAM = statement({
  name: "open-task-stream",
  text: `
    insert into task_streams as s (log_id, workspace_id, attempt)
    select id, workspace_id, attempt from tasks where id = $1
    on conflict (log_id) do update set attempt = excluded.attempt, first_seq = s.last_seq + 1, closed = false`,
});

/** Opens the log of a task's current attempt. */
export async function openTaskStream(tx: Transaction, taskId: string): Promise<void> {
  await tx.query(OPEN_STREAM, [taskId]);
}

const LOCK = statement({
  name: "lock-tasks-to-change",
  text: `
    select id, status, attempt, title, description, priority, metadata::text as metadata, assigned_agent_id, assigned_team_id,
      scheduled_for as "scheduledFor" from tasks
    where id = any($1::uuid[]) order by id for update`,
});

/** The fields that decide which changes a task allows. */
export interface LockedTask {
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  /** JSON. */
  readonly metadata: string;
  readonly assigned_agent_id: string | null;
  readonly assigned_team_id: string | null;
  readonly scheduledFor: Date | null;
}

/** Reads a task and locks it until the transaction ends. */
export async function lockTask(tx: Transaction, taskId: string): Promise<LockedTask | undefined> {
  return (await lockTasks(tx, [taskId])).get(taskId);
}

/** Reads tasks, by their ids, and locks them in the same way. */
export async function lockTasks(tx: Transaction, taskIds: readonly string[]): Promise<ReadonlyMap<string, LockedTask>> {
  const tasks = await tx.query<LockedTask & { id: string }>(LOCK, [taskIds]);
  return new Map(tasks.map(({ id, ...task }) => [id, task]));
}

const WRITE_CONVERSATION = statement({
  name: "write-conversation",
  text: `update tasks set conversation = $2, client_request = null, updated_at = clock_timestamp() where id = $1`,
});

/** Writes a task's conversation so far, which a request of another client continues. */
export async function writeConversation(
  tx: Transaction,
  taskId: string,
  conversation: readonly ConversationMessage[],
): Promise<void> {
  await tx.query(WRITE_CONVERSATION, [taskId, JSON.stringify(conversation)]);
}

const UPDATE = statement({
  name: "update-task",
  text: `
    update tasks t set (title, description, priority, assigned_agent_id, assigned_team_id, metadata, scheduled_for,
      updated_at) =
      (select r.title, r.description, r.priority, r.assigned_agent_id, r.assigned_team_id, r.metadata, r.scheduled_for,
        clock_timestamp()
       from jsonb_populate_record(t, $2) r)
    where id = $1`,
});

/** Changes the fields of a task that its owner may write; absent fields stay. */
export async function updateTask(tx: Transaction, taskId: string, patch: object): Promise<void> {
  await tx.query(UPDATE, [taskId, JSON.stringify(patch)]);
}

const DISPATCH = statement({
  name: "dispatch-task",
  text: `
    update tasks set status = 'dispatched', dispatched_at = clock_timestamp(), updated_at = clock_timestamp(),
      attempt = attempt + case when status = 'pending' then 0 else 1 end, segment = 0, waited = '0',
      team_run_id = $3, client_tools = $4, agent_version = null, result = null, error = null, error_code = null, finish_reason = null,
      cost_usd = 0, interaction = null, started_at = null, completed_at = null
    where id = $1 and status = any($2)
    returning attempt`,
});

/**
 * Dispatches a pending task, or an ended one again; returns its attempt, or undefined when its status does not allow
 * it.
 */
export async function dispatchTask(
  tx: Transaction,
  task: {
    readonly id: string;
    readonly from: readonly TaskStatus[];
    /** The team run that does its work, for teams. */
    readonly teamRunId: string | null;
    /** Tools executed by the client of this attempt. */
    readonly clientTools?: ClientTools | undefined;
  },
): Promise<number | undefined> {
  const values = [task.id, task.from, task.teamRunId, toColumn(task.clientTools)];
  const [row] = await tx.query<{ attempt: number }>(DISPATCH, values);
  return row?.attempt;
}

function toColumn(clientTools: ClientTools | undefined): string | null {
  return clientTools === undefined || clientTools.tools.length === 0 ? null : JSON.stringify(clientTools);
}

const CANCEL = statement({
  name: "cancel-task",
  text: `
    update tasks set status = 'cancelled', interaction = null, cancelled_by = current_user_id(),
      completed_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and status = any($2)
    returning attempt, team_run_id as "teamRunId"`,
});

/**
 * Cancels a task that has not ended, and notifies the process that runs it. Without its job, nothing is appended to its
 * log any more, so open messages can be closed. Returns the cancelled attempt, and the team run of its work, if any.
 */
export async function cancelTask(
  tx: Transaction,
  taskId: string,
  from: readonly TaskStatus[],
): Promise<{ readonly attempt: number; readonly teamRunId: string | null } | undefined> {
  const [row] = await tx.query<{ attempt: number; teamRunId: string | null }>(CANCEL, [taskId, from]);
  if (row !== undefined) await cancel(tx, taskId, row.attempt);
  return row;
}

const CLOSE_STREAM = statement({
  name: "close-task-stream",
  text: `
    with last as (
      select e.event, e.n from rows from (json_to_recordset($2::json) as (event json)) with ordinality as e (event, n)
    ),
    closed as (
      update task_streams set closed = true, last_seq = last_seq + (select count(*)::integer from last)
      where log_id = $1 and not closed
      returning log_id, workspace_id, attempt, last_seq - (select count(*)::integer from last) as before
    ),
    stored as (
      insert into task_events (log_id, seq, workspace_id, attempt, event)
      select c.log_id, c.before + l.n, c.workspace_id, c.attempt, l.event from closed c, last l
      returning log_id, seq
    )
    select announce_events(log_id, max(seq)) from stored group by log_id`,
});

/** Ends a log of a task or a team run with these events (JSON texts); has no effect if it has ended or was never opened. */
export async function closeTaskStream(tx: Transaction, logId: string, events: readonly string[]): Promise<void> {
  await tx.query(CLOSE_STREAM, [logId, `[${events.map((event) => `{"event":${event}}`).join(",")}]`]);
}

const DELETE = statement({ name: "delete-tasks", text: `delete from tasks where id = any($1::uuid[])` });

/** Deletes tasks and their logs. */
export async function deleteTasks(tx: Transaction, taskIds: readonly string[]): Promise<void> {
  await tx.query(DELETE, [taskIds]);
}

const ACTIVE_OF_AGENTS = statement({
  name: "active-tasks-of-agents",
  text: `select id from tasks where assigned_agent_id = any($1::uuid[]) and status = any($2) order by id for update`,
});

/** The tasks of agents with these statuses, locked. */
export async function lockTasksOfAgents(
  tx: Transaction,
  agentIds: readonly string[],
  states: readonly TaskStatus[],
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ACTIVE_OF_AGENTS, [agentIds, states]);
  return rows.map((row) => row.id);
}
