import { MusterError } from "#client/index.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The name and id of a record, as in `Writer (01a2…)`; the id alone when it is deleted, null for none.
 * @param read reads the record, as in `({ id }) => muster.getAgent({ id })`
 */
export async function nameAndId(
  id: string | null,
  read: (query: { readonly id: string }) => Promise<Named>,
): Promise<string | null> {
  if (id === null) return null;
  try {
    return `${(await read({ id })).name} (${id})`;
  } catch (error) {
    if (error instanceof MusterError && error.status === 404) return id;
    throw error;
  }
}
