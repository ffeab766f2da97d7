import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import type { RunSource } from "#domain/runs/run-source.ts";
import type { Transaction } from "../../database.ts";
import { clientToolsColumn } from "../runs/restart-run.ts";
import { statement } from "../../statement.ts";

// Separate parameters, because parsing a JSON record costs a quarter of the statement.
const INSERT = statement({
  name: "insert-task",
  text: `
    insert into runs (kind, id, workspace_id, title, description, priority, status, agent_id, team_id,
      team_run_id, metadata, conversation, scheduled_for, created_by, client_tools, source_kind, source_id,
      created_at, updated_at, dispatched_at, started_at, agent_version, client_request, trace)
    select 'task', $1, $2, $3, $4, $5, case when runs then 'running' else $6 end, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      at, at, case when $6 = 'dispatched' then at end, case when runs then at end,
      case when runs then (select a.version from agents a where a.id = $7) end, $18, $19
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
  /** As {@link JobTransaction.trace} decides. */
  readonly trace: string | null;
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
    clientToolsColumn(task.client_tools),
    task.source.kind,
    task.source.id,
    task.startsNow ?? false,
    task.client_request ?? null,
    task.trace,
  ]);
}

const WRITE_CONVERSATION = statement({
  name: "write-conversation",
  text: `update runs set conversation = $2, client_request = null, updated_at = clock_timestamp() where id = $1`,
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
