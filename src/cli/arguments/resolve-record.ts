import type { MusterClient } from "#client/index.ts";
import { listNamed, recordKind } from "./record-kinds.ts";
import type { RecordKindName } from "./record-kinds.ts";
import { resolveName } from "./resolve-name.ts";
import type { Named } from "./resolve-name.ts";

/**
 * The record that a user named by its id, by the end of its id as tables show it, or by its exact name. A whole id is
 * taken as it is, without a request; its name is empty then.
 * @throws UsageError when no record or several are called so.
 */
export function resolveRecord(muster: MusterClient, kind: RecordKindName, given: string): Promise<Named> {
  const { what, listedBy, first } = recordKind(kind);
  return resolveName(given, {
    what,
    listedBy,
    list: () => listNamed(muster, kind),
    none:
      first === undefined ? `No ${what} yet; "muster ${listedBy}" lists them.` : `No ${what} yet. Create one: ${first}`,
  });
}

/** The id of a record; see {@link resolveRecord}. */
export async function resolveId(muster: MusterClient, kind: RecordKindName, given: string): Promise<string> {
  return (await resolveRecord(muster, kind, given)).id;
}

/** As {@link resolveId} for what need not be given. */
export async function resolveOptionalId(
  muster: MusterClient,
  kind: RecordKindName,
  given: string | undefined,
): Promise<string | undefined> {
  return given === undefined ? undefined : resolveId(muster, kind, given);
}
