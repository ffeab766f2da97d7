import type { TaskFork } from "#domain/tasks/task-fork.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { JournalRow } from "#domain/tasks/run-journal.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-task-to-fork",
  text: `
    select t.status, t.attempt, t.conversation is not null as "isConversation", t.assigned_agent_id as "agentId",
      a.provider, t.fork, t.started_at is not null as "hasStarted"
    from tasks t left join agents a on a.id = t.assigned_agent_id where t.id = $1`,
});

/** A task to fork. */
export interface ForkableTask {
  readonly status: TaskStatus;
  readonly attempt: number;
  /** Whether its newest attempt was ever executed. */
  readonly hasStarted: boolean;
  /** Whether each attempt is a reply in a conversation, of which only the newest state is stored. */
  readonly isConversation: boolean;
  /** Null without an agent, or when it was deleted; the same for the next field. */
  readonly agentId: string | null;
  readonly provider: string | null;
  /** In the form of `taskFork`; null when the task is not a fork. */
  readonly fork: unknown;
}

/** Reads a task to fork; undefined when the workspace has none with this id. */
export async function readForkableTask(tx: Transaction, taskId: string): Promise<ForkableTask | undefined> {
  const [task] = await tx.query<ForkableTask>(READ, [taskId]);
  return task;
}

const INSERT = statement({
  name: "insert-forked-task",
  text: `
    insert into tasks (id, workspace_id, title, description, priority, status, assigned_agent_id, metadata,
      conversation, client_tools, client_request, created_by, source_kind, source_id,
      created_at, updated_at, dispatched_at, fork)
    select $2, workspace_id, title, description, priority, 'dispatched', assigned_agent_id, metadata,
      conversation, client_tools, client_request, $3, 'fork', id, at, at, at, $4
    from tasks, (select clock_timestamp() as at offset 0) now where id = $1`,
});

/** Inserts a dispatched task with the same work as another one. */
export async function insertForkedTask(
  tx: Transaction,
  task: { readonly id: string; readonly createdBy: string; readonly fork: TaskFork },
): Promise<void> {
  await tx.query(INSERT, [task.fork.task_id, task.id, task.createdBy, JSON.stringify(task.fork)]);
}

/** The rows of a fork's journal, as `journalRow`, in a `from`. */
export const JOURNAL_ROW = "s (key text, result text, at timestamptz, changed jsonb)";

/**
 * What a reused step `s` has of the other run's step `o`: its time, facts and request. A changed answer has its
 * question only; a given output, which no call made, the turn that starts with it.
 */
export const INHERITED = `
      case when s.changed is null then s.at else clock_timestamp() end,
      case when s.changed is null then (inherited_facts(o.facts)::jsonb - 'changed')::json
        else (jsonb_strip_nulls(jsonb_build_object('label', o.facts->'label', 'turn', o.facts->'turn'))
          || '{"takenOver": true, "changed": true}' || s.changed)::json end,
      case when s.changed is null or s.changed ? 'answeredVia' then o.request end`;

const BEGIN_JOURNAL = statement({
  name: "begin-journal-of-forked-task",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select t.id, t.attempt, s.key, t.workspace_id, s.result::json, ${INHERITED}
    from (
      select id, attempt, workspace_id, (fork->>'task_id')::uuid as source_id, (fork->>'attempt')::integer as source_attempt
      from tasks where id = $1 offset 0
    ) t
    cross join lateral json_to_recordset($2::json) as ${JOURNAL_ROW}
    left join lateral (
      select o.facts, o.request from run_steps o
      where o.run_id = t.source_id and o.attempt = t.source_attempt and o.key = s.key limit 1
    ) o on true`,
});

/** Copies the reused steps into a fork's journal. */
export async function beginJournal(tx: Transaction, taskId: string, rows: readonly JournalRow[]): Promise<void> {
  await tx.query(BEGIN_JOURNAL, [taskId, JSON.stringify(rows)]);
}

const BEGIN_JOURNAL_AGAIN = statement({
  name: "begin-journal-of-forked-task-again",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select r.run_id, t.attempt, r.key, r.workspace_id, r.result, r.created_at, r.facts, r.request
    from tasks t join run_steps r on r.run_id = t.id and r.attempt = 1
    where t.id = $1 and t.fork is not null and t.conversation is null and t.attempt > 1
      and (r.facts->>'takenOver')::boolean`,
});

/** Copies the reused steps of a fork's first attempt into its newest; does nothing for other tasks. */
export async function beginJournalAgain(tx: Transaction, taskId: string): Promise<void> {
  await tx.query(BEGIN_JOURNAL_AGAIN, [taskId]);
}
