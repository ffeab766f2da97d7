import { z } from "zod";
import { outgoingUrlIssue } from "#domain/destinations/outgoing-url.ts";
import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { requireRole } from "#domain/access/role.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/conversations/a2a/push-configs.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../../context.ts";
import { getConversationTask } from "./read-tasks.ts";
import type { PushConfig, NewPushConfig } from "#domain/destinations/push-config.ts";
import { pushConfigContext } from "#domain/destinations/push-config.ts";
import type { Workspace } from "../../workspace.ts";

const MAX_CONFIGS = 20;

/** The owner of a configuration: a task, and its agent when one is named. */
interface OfTask {
  readonly taskId: string;
  readonly agentId: string | undefined;
}

const pushSecrets = z.strictObject({ token: z.string().optional(), credentials: z.string().optional() });

/** The secrets by which the receiver verifies notifications. */
export type PushSecrets = z.output<typeof pushSecrets>;

/** Decrypts the secrets of a configuration. */
export function openPushSecrets(
  secrets: Services["secrets"],
  {
    workspaceId,
    id,
    encrypted,
  }: { readonly workspaceId: string; readonly id: string; readonly encrypted: string | null },
): PushSecrets {
  return encrypted === null
    ? {}
    : pushSecrets.parse(JSON.parse(secrets.open(encrypted, pushConfigContext(workspaceId, id))));
}

/**
 * Stores where a client wants to be notified of a task; replaces one of the same name. The task's current state is
 * notified immediately.
 * @throws AppError `not_found` for the task; `bad_request` for a URL that is not allowed, and above the maximum number.
 */
export async function setPushConfig(
  workspace: Workspace,
  { config, ...of }: OfTask & { readonly config: NewPushConfig },
): Promise<PushConfig> {
  requireRole(workspace.who, "member");
  checkPushTarget(workspace, config.url);
  const { id: taskId } = await getConversationTask(workspace, of);
  return workspace.transaction((tx) => storePushConfig(workspace, { tx, taskId, config, task: "existing" }));
}

/** A configuration to store in a transaction. */
interface StoredWith {
  readonly tx: Transaction;
  readonly taskId: string;
  readonly config: NewPushConfig;
  /** A task that the transaction creates has no other configurations: nothing is read. */
  readonly task: "new" | "existing";
}

/**
 * Stores a configuration whose URL {@link checkPushTarget} has checked, as part of a transaction; replaces one of the
 * same name.
 * @throws AppError `bad_request` above the maximum number.
 */
export async function storePushConfig(
  workspace: Workspace,
  { tx, taskId, config, task }: StoredWith,
): Promise<PushConfig> {
  const newConfigId = newId();
  const { name = newConfigId, url, version, token, credentials, authScheme = null } = config;
  const existing = task === "new" ? undefined : await rows.lockPushConfigs(tx, { taskId, name });
  if (existing !== undefined && existing.others >= MAX_CONFIGS) {
    throw new AppError("bad_request", `A task has at most ${MAX_CONFIGS} push notification configurations.`);
  }
  const id = existing?.id ?? newConfigId;
  const plain = JSON.stringify({ token, credentials });
  const secretsCiphertext =
    plain === "{}" ? null : workspace.secrets.encrypt(plain, pushConfigContext(workspace.who.workspaceId, id));
  await rows.savePushConfig(tx, {
    id,
    workspaceId: workspace.who.workspaceId,
    taskId,
    name,
    url,
    version,
    authScheme,
    secretsCiphertext,
  });
  return { name, url, auth_scheme: authScheme };
}

/**
 * Returns a task's configuration of this name, or its oldest. @throws AppError `not_found` for the task or the
 * configuration.
 */
export async function getPushConfig(
  workspace: Workspace,
  { name, ...of }: OfTask & { readonly name: string | undefined },
): Promise<PushConfig> {
  const { id: taskId } = await getConversationTask(workspace, of);
  const [config] = await rows.listPushConfigs(workspace, { taskId, name });
  if (config === undefined) throw notFound("Push notification configuration");
  return config;
}

/** Lists the configurations of a task. @throws AppError `not_found` for the task. */
export async function listPushConfigs(workspace: Workspace, of: OfTask): Promise<readonly PushConfig[]> {
  const { id: taskId } = await getConversationTask(workspace, of);
  return rows.listPushConfigs(workspace, { taskId });
}

/** Deletes a configuration, if it exists. @throws AppError `not_found` for the task. */
export async function deletePushConfig(
  workspace: Workspace,
  { name, ...of }: OfTask & { readonly name: string },
): Promise<void> {
  requireRole(workspace.who, "member");
  const { id: taskId } = await getConversationTask(workspace, of);
  await workspace.transaction((tx) => rows.deletePushConfig(tx, { taskId, name }));
}

/** @throws AppError `bad_request` for a URL that notifications may not be sent to. */
export function checkPushTarget({ allowPrivateUrls }: Pick<Services, "allowPrivateUrls">, url: string): void {
  const message = outgoingUrlIssue(new URL(url), { allowPrivate: allowPrivateUrls });
  if (message !== undefined) throw invalid("params", [{ path: "url", message }]);
}
