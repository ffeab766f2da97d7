import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import { columnsOf, connectionFor, quoted } from "../backup/snapshot.ts";
import { shareBackupLock } from "../queries/backup/backup-lock.ts";
import { readBackupState } from "../queries/backup/backup-tables.ts";
import type { BackupState, BackupTable } from "../queries/backup/backup-tables.ts";
import { rowsOnClient } from "../rows-on-client.ts";
import { statement } from "../statement.ts";
import { readMoveTables, rowsToMove } from "./move-tables.ts";

const RETRY_MS = 100;

const FIND = statement({
  name: "workspace-to-move",
  text: `
    select w.id, w.slug, w.name, w.held_at::text as "heldAt",
      (select count(*) from jobs j where j.workspace_id = w.id and j.state = 'running')::integer as running,
      (select count(*) from api_keys k where k.workspace_id = w.id and k.app is not null)::integer as apps,
      (select count(*) from mcp_accounts a where a.workspace_id = w.id)::integer as "mcpAccounts",
      (select until::text from usage_sums) as "usageUntil"
    from workspaces w where w.id = $1 and w.deleted_at is null`,
});

/** A workspace that moves. */
export interface MovingWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Null: it is not held. */
  readonly heldAt: string | null;
  /** Jobs that end. */
  readonly running: number | null;
  /** Connected apps, which stay behind. */
  readonly apps: number | null;
  /** Accounts at MCP servers, which stay behind, too. */
  readonly mcpAccounts: number | null;
  /** Usage of before is in the sums. */
  readonly usageUntil: string | null;
}

/** A workspace at one moment. */
export interface WorkspaceSnapshot {
  readonly state: BackupState;
  readonly workspace: MovingWorkspace;
  readonly tables: readonly BackupTable[];
  /** The rows of a table, as COPY writes them. One stream at a time; read it to its end. */
  rows(table: BackupTable): Readable;
  /** The keys of its stored contents, one a line. */
  blobKeys(): Readable;
}

/** Runs a function with a snapshot of a workspace, as the owner of the tables; undefined when there is no such workspace. */
export async function withWorkspace<T>(
  url: string,
  workspaceId: string,
  { run, signal }: { readonly run: (snapshot: WorkspaceSnapshot) => Promise<T>; readonly signal: AbortSignal },
): Promise<T | undefined> {
  const client = connectionFor(url);
  await client.connect();
  try {
    while (!(await shareBackupLock(client))) await sleep(RETRY_MS, undefined, { signal });
    await client.query("begin isolation level repeatable read read only");
    const [workspace] = await rowsOnClient<MovingWorkspace>(client, FIND, [workspaceId]);
    return workspace && (await run(await snapshotOf(client, workspace)));
  } finally {
    await client.end();
  }
}

async function snapshotOf(client: Client, workspace: MovingWorkspace): Promise<WorkspaceSnapshot> {
  const tables = await readMoveTables(client);
  const copy = (select: string) => client.query(copyTo(`copy (${select}) to stdout`));
  const blobs = ["files", "knowledge_documents"]
    .map((name) => `select blob_key from public.${name} where workspace_id = '${workspace.id}'`)
    .join(" union ");
  return {
    workspace,
    tables,
    state: await readBackupState(client),
    rows: (table) =>
      copy(
        `select ${columnsOf(table)} from public.${quoted(table.name)} where ${rowsToMove(table, workspace.id, tables)}`,
      ),
    blobKeys: () => copy(`select k.blob_key from (${blobs}) k order by 1`),
  };
}
