import type { MusterClient } from "#client/index.ts";
import { listNamed, recordKind } from "./record-kinds.ts";
import type { RecordKindName } from "./record-kinds.ts";
import { resolveName } from "./resolve-name.ts";
import type { Named } from "./resolve-name.ts";

/**
 * Finds a record by its id, the end of its id as tables show it, or its exact name. A complete id is returned without a
 * request and with an empty name.
 * @throws UsageError when no record or several match.
 */
export function resolveRecord(muster: MusterClient, kind: RecordKindName, given: string): Promise<Named> {
  const { what, listedBy, hint } = recordKind(kind);
  return resolveName(given, {
    what,
    listedBy,
    list: () => listNamed(muster, kind),
    none: hint === undefined ? `There is no ${what}.` : `There is no ${what} yet. ${hint}`,
  });
}

/** Returns the id of a record; see {@link resolveRecord}. */
export async function resolveId(muster: MusterClient, kind: RecordKindName, given: string): Promise<string> {
  return (await resolveRecord(muster, kind, given)).id;
}

/** Like {@link resolveId}, for an optional argument. */
export async function resolveOptionalId(
  muster: MusterClient,
  kind: RecordKindName,
  given: string | undefined,
): Promise<string | undefined> {
  return given === undefined ? undefined : resolveId(muster, kind, given);
}
