import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-file",
  text: `
    insert into files (id, workspace_id, direction, name, type, size, blob_key, created_by, task_id, run_id)
    values ($1, $2, 'input', $3, $4, $5, $6, $7, $8, $9)`,
});

/** A file whose content is already stored. */
export interface NewFile {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  readonly blobKey: string;
  readonly createdBy: string;
  /** The task or run to attach it to immediately. */
  readonly owner?: FileOwner;
}

/** Inserts an upload. */
export async function insertFile(tx: Transaction, file: NewFile): Promise<void> {
  const { id, workspaceId, name, type, size, blobKey, createdBy, owner } = file;
  const taskId = owner !== undefined && "taskId" in owner ? owner.taskId : null;
  const runId = owner !== undefined && "runId" in owner ? owner.runId : null;
  await tx.query(INSERT, [id, workspaceId, name, type, size, blobKey, createdBy, taskId, runId]);
}

const REMOVE_FILE = statement({ name: "remove-file-of-tool", text: `delete from files where id = $1` });
const INSERT_OF_TOOL = statement({
  name: "insert-file-of-tool",
  text: `
    insert into files (id, workspace_id, direction, attempt, name, type, size, blob_key, task_id, run_id)
    values ($1, $2, 'output', $3, $4, $5, $6, $7, $8, $9)`,
});

/** A file returned by a tool in an attempt of a task, or of a team run when the task is null. */
export interface ToolFile extends Omit<NewFile, "createdBy" | "owner"> {
  readonly attempt: number;
  readonly taskId: string | null;
  readonly runId: string | null;
}

/** Inserts a file returned by a tool, replacing one with the same id. */
export async function insertToolFile(tx: Transaction, file: ToolFile): Promise<void> {
  const { id, workspaceId, attempt, name, type, size, blobKey, taskId, runId } = file;
  await tx.query(REMOVE_FILE, [id]);
  await tx.query(INSERT_OF_TOOL, [id, workspaceId, attempt, name, type, size, blobKey, taskId, runId]);
}

/** The task or team run of a file. */
export type FileOwner = { readonly taskId: string } | { readonly runId: string };

const LINK_TO_TASK = statement({ name: "link-files-to-task", text: linkTo("task_id") });
const LINK_TO_RUN = statement({ name: "link-files-to-run", text: linkTo("run_id") });

function linkTo(column: "task_id" | "run_id"): string {
  return `
    update files f set ${column} = $2
    where f.id = any($1::uuid[]) and f.task_id is null and f.run_id is null
    returning f.id`;
}

/** Attaches files without an owner to a task or run; returns the ids of those attached. */
export async function linkFiles(tx: Transaction, ids: readonly string[], owner: FileOwner): Promise<readonly string[]> {
  const linked =
    "taskId" in owner
      ? await tx.query<{ id: string }>(LINK_TO_TASK, [ids, owner.taskId])
      : await tx.query<{ id: string }>(LINK_TO_RUN, [ids, owner.runId]);
  return linked.map(({ id }) => id);
}

/** An attachment of a task or run. */
export interface InputFile extends StoredFile {
  readonly id: string;
}

/** An output file, as passed to the statement that ends the run. */
export interface CreatedFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly blob_key: string;
}

const INPUTS_OF_TASK = statement({ name: "inputs-of-task", text: inputsWhere("f.task_id = $1") });
const INPUTS_OF_RUN = statement({ name: "inputs-of-run", text: inputsWhere("f.run_id = $1") });

function inputsWhere(condition: string): string {
  return `
    select f.id, f.name, f.type, f.size, f.blob_key as "blobKey" from files f
    where ${condition} and f.direction = 'input' order by f.created_at, f.id`;
}

/** The attachments of a task or run, in order of upload. */
export function inputsOf(db: Database | Transaction, owner: FileOwner): Promise<InputFile[]> {
  return "taskId" in owner
    ? db.query<InputFile>(INPUTS_OF_TASK, [owner.taskId])
    : db.query<InputFile>(INPUTS_OF_RUN, [owner.runId]);
}

const ATTACHMENTS_OF_TASK = statement({ name: "attachments-of-task", text: attachmentsWhere("f.task_id = $1") });
const ATTACHMENTS_OF_RUN = statement({ name: "attachments-of-run", text: attachmentsWhere("f.run_id = $1") });

function attachmentsWhere(condition: string): string {
  return `
    select f.id, f.name, f.type, f.size, f.direction from files f
    where ${condition} and (f.attempt is null or f.attempt = $2) order by f.direction, f.created_at, f.id`;
}

/** A file of a task or a run. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly direction: "input" | "output";
}

/** The attachments of a task or run, and the outputs of one of its attempts. */
export function attachmentsOf(
  db: WorkspaceDatabase,
  { owner, attempt }: { readonly owner: FileOwner; readonly attempt: number },
): Promise<Attachment[]> {
  return "taskId" in owner
    ? db.query<Attachment>(ATTACHMENTS_OF_TASK, [owner.taskId, attempt])
    : db.query<Attachment>(ATTACHMENTS_OF_RUN, [owner.runId, attempt]);
}

const INPUTS_OF_FORKED = statement({
  name: "inputs-of-forked-run",
  text: `
    select f.id, f.name, f.type, f.size, f.blob_key as "blobKey" from (
      select * from files where run_id = $1
      union all
      select * from files where task_id = coalesce((select r.parent_id from runs r where r.id = $1), $1)
    ) f
    where f.direction = 'input' order by f.created_at, f.id`,
});

/** The attachments of a task or team run, including those of the run's task. */
export function inputsOfForked(tx: Transaction, runId: string): Promise<InputFile[]> {
  return tx.query<InputFile>(INPUTS_OF_FORKED, [runId]);
}

const FIND = statement({
  name: "find-file",
  text: `select name, type, size, blob_key as "blobKey" from files where id = $1`,
});

/** The data needed to serve a file. */
export interface StoredFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly blobKey: string;
}

/** Finds a file of any workspace; only for callers with a valid signature. */
export async function findFile(db: Database, id: string): Promise<StoredFile | undefined> {
  const [file] = await db.query<StoredFile>(FIND, [id]);
  return file;
}

/** Finds a file of the workspace. */
export async function findOwnFile(db: WorkspaceDatabase, id: string): Promise<StoredFile | undefined> {
  const [file] = await db.query<StoredFile>(FIND, [id]);
  return file;
}

const LOCK = statement({
  name: "lock-file",
  text: `
    select r.status from files f
    left join lateral (select status from runs where id = f.task_id or id = f.run_id limit 1) r on true
    where f.id = $1 for update of f`,
});

/** Locks a file until the transaction ends, and reads the state of its task or run; undefined without such a file. */
export async function lockFile(tx: Transaction, id: string): Promise<{ readonly status: string | null } | undefined> {
  const [row] = await tx.query<{ status: string | null }>(LOCK, [id]);
  return row;
}

const DELETE = statement({ name: "delete-file", text: `delete from files where id = $1` });

/** Deletes a file; the janitor removes its content later. */
export async function deleteFile(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE, [id]);
}

const DELETE_FREE = statement({
  name: "delete-free-files",
  text: `
    delete from files f using (
      select id from files where task_id is null and run_id is null and created_at < $1 order by created_at limit $2
    ) old
    where f.id = old.id and f.task_id is null and f.run_id is null
    returning 1`,
});

/** Deletes up to `limit` uploads from before a time that were never attached; returns the number. */
export async function deleteFreeFiles(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_FREE, [before, limit])).length;
}
