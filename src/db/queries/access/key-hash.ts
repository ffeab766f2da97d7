import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const FIND = statement({ name: "find-key-hash", text: `select key_hash as hash from api_keys where id = $1` });

/** The hash of the key with this id, which never changes; undefined when there is none. */
export async function findKeyHash(db: Database, keyId: string): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string }>(FIND, [keyId]);
  return row?.hash;
}
