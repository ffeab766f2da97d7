import type { Transaction, WorkspaceDatabase } from "../../../database.ts";
import { statement } from "../../../statement.ts";
import type { PushConfig } from "#domain/destinations/push-config.ts";

/** A configuration to store, with encrypted secrets. */
export interface StoredPushConfig {
  readonly id: string;
  readonly workspaceId: string;
  readonly taskId: string;
  readonly name: string;
  readonly url: string;
  /** The A2A version of its notifications. */
  readonly version: "0.3" | "1.0";
  readonly authScheme: string | null;
  readonly secretsCiphertext: string | null;
}

// The task and its configurations are locked until this transaction ends.
const LOCK = statement({
  name: "lock-task-of-push-configs",
  text: `select id from runs where id = $1 for no key update`,
});
const STATE = statement({
  name: "read-push-configs-state",
  text: `
    select (select id from push_configs where task_id = $1 and name = $2) as id,
      (select count(*)::integer from push_configs where task_id = $1 and name <> $2) as others`,
});

/** Locks a task's configurations; returns the id of the one with this name, if any, and the number of others. */
export async function lockPushConfigs(
  tx: Transaction,
  { taskId, name }: { readonly taskId: string; readonly name: string },
): Promise<{ readonly id: string | null; readonly others: number }> {
  await tx.query(LOCK, [taskId]);
  const [row] = await tx.query<{ id: string | null; others: number }>(STATE, [taskId, name]);
  return row ?? { id: null, others: 0 };
}

const SAVE = statement({
  name: "save-push-config",
  text: `
    insert into push_configs as p (id, workspace_id, task_id, name, url, version, auth_scheme, secrets_ciphertext)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (id) do update set url = excluded.url, version = excluded.version,
      auth_scheme = excluded.auth_scheme, secrets_ciphertext = excluded.secrets_ciphertext`,
});

/** Stores or replaces a configuration. {@link lockPushConfigs} must have locked the task. */
export async function savePushConfig(tx: Transaction, config: StoredPushConfig): Promise<void> {
  const { id, workspaceId, taskId, name, url, version, authScheme, secretsCiphertext } = config;
  await tx.query(SAVE, [id, workspaceId, taskId, name, url, version, authScheme, secretsCiphertext]);
}

const LIST = statement({
  name: "list-push-configs",
  text: `
    select name, url, auth_scheme from push_configs
    where task_id = $1 and ($2::text is null or name = $2) order by created_at, id`,
});

/** A task's configurations, all or the one with this name, oldest first. */
export function listPushConfigs(
  db: WorkspaceDatabase,
  of: { readonly taskId: string; readonly name?: string | undefined },
): Promise<PushConfig[]> {
  return db.query<PushConfig>(LIST, [of.taskId, of.name ?? null]);
}

const DELETE = statement({
  name: "delete-push-config",
  text: `delete from push_configs where task_id = $1 and name = $2`,
});

/** Deletes the configuration with this name, if any. */
export async function deletePushConfig(
  tx: Transaction,
  of: { readonly taskId: string; readonly name: string },
): Promise<void> {
  await tx.query(DELETE, [of.taskId, of.name]);
}

const READ_TARGET = statement({
  name: "read-push-target",
  text: `
    select url, version, auth_scheme as "authScheme", secrets_ciphertext as "secretsCiphertext"
    from push_configs where id = $1`,
});

/** The target of notifications, and their version. */
export type PushTarget = Pick<StoredPushConfig, "url" | "version" | "authScheme" | "secretsCiphertext">;

/** Reads the target of a notification; undefined when the configuration was deleted. */
export async function readPushTarget(db: WorkspaceDatabase, id: string): Promise<PushTarget | undefined> {
  const [row] = await db.query<PushTarget>(READ_TARGET, [id]);
  return row;
}

const DELETE_TARGET = statement({ name: "delete-push-target", text: `delete from push_configs where id = $1` });

/** Deletes a configuration by its id. */
export async function deletePushTarget(db: WorkspaceDatabase, id: string): Promise<void> {
  await db.query(DELETE_TARGET, [id]);
}
