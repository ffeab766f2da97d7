import { notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { readRecord, readRecordIn } from "#db/queries/records.ts";
import * as rows from "#db/queries/saved.ts";
import type { Saved, SavedFields } from "#db/queries/saved.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/json-text.ts";
import type { Services } from "./context.ts";

const LABEL: Readonly<Record<Saved, string>> = {
  voice_profile: "Voice profile",
  output_template: "Output template",
};

/** A saved thing by its id. */
export interface SavedRef {
  readonly of: Saved;
  readonly id: string;
}

/** Saves a voice profile or an output template; its fields are checked already. */
export async function createSaved(
  services: Services,
  who: Principal,
  {
    of,
    fields: { id = newId(), ...fields },
  }: { readonly of: Saved; readonly fields: SavedFields & { readonly id?: string } },
): Promise<JsonText> {
  return services.db.inWorkspace(who, async (tx) => {
    await rows.insertSaved(tx, of, { ...fields, id, workspace_id: who.workspaceId, created_by: who.userId });
    return found(await readRecordIn(tx, of, id), of);
  });
}

/** Reads one. @throws AppError `not_found`. */
export async function getSaved(services: Services, who: Principal, { of, id }: SavedRef): Promise<JsonText> {
  return found(await readRecord(services.db, who, of, id), of);
}

/** Changes the given fields of one; runs that are dispatched from now on see the change. @throws AppError `not_found`. */
export async function updateSaved(
  services: Services,
  who: Principal,
  { of, id, patch }: SavedRef & { readonly patch: SavedFields },
): Promise<JsonText> {
  return services.db.inWorkspace(who, async (tx) => {
    await rows.updateSaved(tx, of, { id, patch });
    return found(await readRecordIn(tx, of, id), of);
  });
}

/** Deletes one; agents that selected it go back to what is their own. @throws AppError `not_found`. */
export async function deleteSaved(services: Services, who: Principal, { of, id }: SavedRef): Promise<void> {
  if (!(await services.db.inWorkspace(who, (tx) => rows.deleteSaved(tx, of, id)))) throw notFound(LABEL[of]);
}

function found(record: JsonText | undefined, of: Saved): JsonText {
  if (record === undefined) throw notFound(LABEL[of]);
  return record;
}
