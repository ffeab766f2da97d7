import type { HttpClient } from "../service/http-client.ts";
import { RECORD_KINDS, listNamed } from "./record-kinds.ts";
import type { RecordKindName } from "./record-kinds.ts";
import { resolveNamed } from "./resolve-name.ts";
import type { Named } from "./resolve-name.ts";

/**
 * The record that a user named by its id, by the end of its id as tables show it, or by its exact name. A whole id is
 * taken as it is, without a request; its name is empty then.
 * @throws UsageError when no record or several are called so.
 */
export function resolveRecord(client: HttpClient, kind: RecordKindName, given: string): Promise<Named> {
  const { what, listedBy } = RECORD_KINDS[kind];
  return resolveNamed(given, {
    what,
    list: () => listNamed(client, kind),
    detail: ({ name }) => name,
    none: `No ${what} yet; "muster ${listedBy}" lists them.`,
  });
}

/** The id of a record; see {@link resolveRecord}. */
export async function resolveId(client: HttpClient, kind: RecordKindName, given: string): Promise<string> {
  return (await resolveRecord(client, kind, given)).id;
}
