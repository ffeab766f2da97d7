import type { Queries, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A data key, encrypted by one encryption key. */
export interface WrappedKey {
  readonly generation: number;
  /** The fingerprint of the encryption key. */
  readonly wrapping: string;
  readonly wrapped: string;
  /** The newest active generation encrypts; an inactive one only decrypts. */
  readonly isActive: boolean;
}

const READ = statement({
  name: "read-data-keys",
  text: `select generation, wrapping, wrapped, is_active as "isActive" from data_keys order by generation, wrapping`,
});

/** All data keys, by each encryption key. */
export function readDataKeys(db: Queries): Promise<WrappedKey[]> {
  return db.query<WrappedKey>(READ);
}

const INSERT = statement({
  name: "insert-data-key",
  text: `
    insert into data_keys (generation, wrapping, wrapped, is_active) values ($1, $2, $3, $4)
    on conflict (generation, wrapping) do nothing`,
});

/** Stores a data key as one encryption key encrypts it, unless it is stored already. */
export async function insertDataKey(db: Pick<Transaction, "query">, key: WrappedKey): Promise<void> {
  await db.query(INSERT, [key.generation, key.wrapping, key.wrapped, key.isActive]);
}

const ACTIVATE = statement({
  name: "activate-data-keys",
  text: `update data_keys set is_active = true where not is_active`,
});

/** Lets the newest generation encrypt. */
export async function activateDataKeys(db: Queries): Promise<void> {
  await db.query(ACTIVATE);
}

const RETIRE = statement({ name: "retire-data-keys", text: `delete from data_keys where generation < $1` });

/** Deletes all generations before this one; nothing encrypted by them can be decrypted afterwards. */
export async function retireDataKeys(tx: Transaction, generation: number): Promise<void> {
  await tx.query(RETIRE, [generation]);
}

const DROP = statement({ name: "drop-wrapped-keys", text: `delete from data_keys where wrapping <> $1` });

/** Deletes the data keys as all other encryption keys encrypt them. */
export async function dropOtherWrappings(db: Queries, wrapping: string): Promise<void> {
  await db.query(DROP, [wrapping]);
}

const READ_USE = statement({
  name: "read-keys-in-use",
  text: `
    select id, host || ':' || pid as name, beat::double precision as beat, wrapping_key as wrapping,
      newest_data_key as newest, current_data_key as current
    from executors order by name`,
});

/** What a process said with its last beat; null in a process of version 0.1.0. */
export interface KeyUse {
  readonly id: string;
  /** Its host and process id. */
  readonly name: string;
  readonly beat: number;
  readonly wrapping: string | null;
  readonly newest: number | null;
  readonly current: number | null;
}

/** The keys that the registered processes use. */
export function readKeyUse(db: Queries): Promise<KeyUse[]> {
  return db.query<KeyUse>(READ_USE);
}
