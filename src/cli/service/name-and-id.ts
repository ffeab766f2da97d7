import { MusterError } from "#client/index.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Reads a record, as in `muster.getAgent`. */
type Read = (query: { readonly id: string }) => Promise<Named>;

/** Returns a record as `Writer (01a2…)`; only the id if it was deleted, null for null. */
export async function nameAndId(id: string | null, read: Read): Promise<string | null> {
  if (id === null) return null;
  const name = await nameOf(id, read);
  return name === undefined ? id : `${name} (${id})`;
}

/** Returns the names of records by id; the id itself for a deleted record. Reads each record once. */
export async function namesById(ids: Iterable<string>, read: Read): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(ids)].map(async (id) => [id, (await nameOf(id, read)) ?? id] as const);
  return new Map(await Promise.all(names));
}

async function nameOf(id: string, read: Read): Promise<string | undefined> {
  try {
    return (await read({ id })).name;
  } catch (error) {
    if (error instanceof MusterError && error.status === 404) return undefined;
    throw error;
  }
}
