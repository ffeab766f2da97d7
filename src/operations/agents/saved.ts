import { notFound, orNotFound } from "#domain/errors.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/agents/saved.ts";
import type { Saved, SavedFields } from "#db/queries/agents/saved.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

const LABEL: Readonly<Record<Saved, string>> = {
  voice_profile: "Voice profile",
  output_template: "Output template",
  knowledge_base: "Knowledge base",
};

/** A saved record by its id. */
export interface SavedRef {
  readonly of: Saved;
  readonly id: string;
}

/** Saves a record; its fields are validated already. */
export async function createSaved(
  workspace: Workspace,
  {
    of,
    fields: { id = newId(), ...fields },
  }: { readonly of: Saved; readonly fields: SavedFields & { readonly id?: string } },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    await rows.insertSaved(tx, of, {
      ...fields,
      id,
      workspace_id: workspace.who.workspaceId,
      created_by: workspace.who.userId,
    });
    return orNotFound(LABEL[of])(await readRecord(tx, of, id));
  });
}

/** Reads a record. @throws AppError `not_found`. */
export async function getSaved(workspace: Workspace, { of, id }: SavedRef): Promise<JsonText> {
  return orNotFound(LABEL[of])(await readRecord(workspace, of, id));
}

/** Changes the given fields of a record; runs dispatched after this use them. @throws AppError `not_found`. */
export async function updateSaved(
  workspace: Workspace,
  { of, id, patch }: SavedRef & { readonly patch: SavedFields },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    await rows.updateSaved(tx, of, { id, patch });
    return orNotFound(LABEL[of])(await readRecord(tx, of, id));
  });
}

/**
 * Deletes records, all or none; agents that selected a voice or a template use their own again.
 * @throws AppError `not_found`; `conflict` for a knowledge base that agents are restricted to.
 */
export async function deleteSaved(
  workspace: Workspace,
  { of, ids }: { readonly of: Saved; readonly ids: readonly string[] },
): Promise<void> {
  await workspace.change(async (tx) => {
    if ((await rows.deleteSaved(tx, of, ids)) < ids.length) throw notFound(LABEL[of]);
    if (of === "knowledge_base") tx.sweep();
  });
}
