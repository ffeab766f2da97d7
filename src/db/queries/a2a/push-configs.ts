import type { Tenant } from "#domain/role.ts";
import type { Database, Transaction } from "../../database.ts";

/** A push notification configuration as it is shown: without its secrets. */
export interface PushConfig {
  readonly name: string;
  readonly url: string;
  readonly auth_scheme: string | null;
}

/** A configuration to store, its secrets encrypted. */
export interface StoredPushConfig {
  readonly id: string;
  readonly workspaceId: string;
  readonly taskId: string;
  readonly name: string;
  readonly url: string;
  readonly authScheme: string | null;
  readonly secretsCiphertext: string | null;
}

const SAVE = {
  name: "save-push-config",
  text: `
    insert into push_configs as p (id, workspace_id, task_id, name, url, auth_scheme, secrets_ciphertext)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (task_id, name) do update set id = excluded.id, url = excluded.url,
      auth_scheme = excluded.auth_scheme, secrets_ciphertext = excluded.secrets_ciphertext`,
};

/** Stores a configuration; one of the same name is replaced. */
export async function savePushConfig(tx: Transaction, config: StoredPushConfig): Promise<void> {
  const { id, workspaceId, taskId, name, url, authScheme, secretsCiphertext } = config;
  await tx.query(SAVE, [id, workspaceId, taskId, name, url, authScheme, secretsCiphertext]);
}

const LIST = {
  name: "list-push-configs",
  text: `
    select name, url, auth_scheme from push_configs
    where task_id = $1 and ($2::text is null or name = $2) order by created_at, id`,
};

/** A task's configurations, or the one of this name, the oldest first. */
export function listPushConfigs(
  db: Database,
  tenant: Tenant,
  of: { readonly taskId: string; readonly name?: string | undefined },
): Promise<PushConfig[]> {
  return db.queryInWorkspace<PushConfig & Record<string, unknown>>(tenant, LIST, [of.taskId, of.name ?? null]);
}

const COUNT = {
  name: "count-other-push-configs",
  text: `select count(*)::integer as count from push_configs where task_id = $1 and name <> $2`,
};

/** How many configurations of other names a task has. */
export async function countOtherPushConfigs(
  tx: Transaction,
  of: { readonly taskId: string; readonly name: string },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT, [of.taskId, of.name]);
  return row?.count ?? 0;
}

const DELETE = { name: "delete-push-config", text: `delete from push_configs where task_id = $1 and name = $2` };

/** Deletes a configuration, if there is one of this name. */
export async function deletePushConfig(
  tx: Transaction,
  of: { readonly taskId: string; readonly name: string },
): Promise<void> {
  await tx.query(DELETE, [of.taskId, of.name]);
}
