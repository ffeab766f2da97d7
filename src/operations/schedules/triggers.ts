import { hashKey } from "#domain/access/api-key.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import { generateTriggerToken, triggerSecretContext } from "#domain/schedules/trigger.ts";
import type { TriggerCreate, TriggerPatch } from "#domain/schedules/trigger.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/schedules/triggers.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { replaceAssignee } from "../tasks/task-template.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Trigger");

/** A trigger's record with the token of its URL, which is shown only once. */
export interface ShownTrigger {
  readonly record: JsonText;
  readonly token: string;
}

/** Creates a trigger. @throws AppError `bad_request` for an unknown agent or team. */
export async function createTrigger(workspace: Workspace, input: TriggerCreate): Promise<ShownTrigger> {
  const id = newId();
  const { token, prefix } = generateTriggerToken();
  const { secret, ...fields } = input;
  const record = await workspace.transaction(async (tx) => {
    await rows.insertTrigger(tx, {
      ...fields,
      id,
      workspace_id: workspace.who.workspaceId,
      created_by: workspace.who.userId,
      token_hash: hashKey(token),
      token_prefix: prefix,
      secret_ciphertext: encrypted(workspace, { workspaceId: workspace.who.workspaceId, id, secret }),
    });
    return readRecord(tx, "trigger", id);
  });
  return { record: found(record), token };
}

/** Reads a trigger. @throws AppError `not_found`. */
export async function getTrigger(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "trigger", id));
}

/** Changes a trigger; its URL remains. @throws AppError `not_found`; `bad_request` as in {@link createTrigger}. */
export async function updateTrigger(
  workspace: Workspace,
  change: { readonly id: string; readonly patch: TriggerPatch },
): Promise<JsonText> {
  const { id } = change;
  const { secret, ...patch } = replaceAssignee(change.patch);
  return workspace.transaction(async (tx) => {
    if (!(await rows.updateTrigger(tx, id, patch))) throw notFound("Trigger");
    if (secret !== undefined) {
      await rows.setTriggerSecret(tx, id, encrypted(workspace, { workspaceId: workspace.who.workspaceId, id, secret }));
    }
    return found(await readRecord(tx, "trigger", id));
  });
}

/** Replaces a trigger's URL; the old one is invalid from now on. @throws AppError `not_found`. */
export async function rotateTrigger(workspace: Workspace, id: string): Promise<ShownTrigger> {
  const { token, prefix } = generateTriggerToken();
  const record = await workspace.transaction(async (tx) => {
    if (!(await rows.setTriggerToken(tx, id, { hash: hashKey(token), prefix }))) throw notFound("Trigger");
    return readRecord(tx, "trigger", id);
  });
  return { record: found(record), token };
}

/** Deletes a trigger with its log; its tasks remain. @throws AppError `not_found`. */
export async function deleteTrigger(workspace: Workspace, id: string): Promise<void> {
  if (!(await workspace.transaction((tx) => rows.deleteTrigger(tx, id)))) throw notFound("Trigger");
}

function encrypted(
  { secrets }: Services,
  { workspaceId, id, secret }: { readonly workspaceId: string; readonly id: string; readonly secret: string | null },
): string | null {
  return secret === null ? null : secrets.encrypt(secret, triggerSecretContext(workspaceId, id));
}
