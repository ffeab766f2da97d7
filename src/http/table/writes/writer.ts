import type { Principal } from "#domain/access/principal.ts";
import type { Transaction } from "#db/database.ts";
import type { Services } from "#operations/context.ts";
import type { Row } from "../body.ts";

/** The context of a write: a joint transaction, in which the operations of `services` take part. */
export interface WriteContext {
  readonly services: Services;
  readonly who: Principal;
  readonly tx: Transaction;
  readonly timeoutMs: number;
}

/** The write operations of a table. Missing ones are rejected. */
export interface Writer {
  /** Inserts a row with this id. */
  insert?(context: WriteContext, row: Row & { readonly id: string }): Promise<void>;
  /** Changes the given fields of the existing row with this id. */
  update?(context: WriteContext, id: string, patch: Row): Promise<void>;
  /** Deletes the existing rows with these ids, together. */
  remove?(context: WriteContext, ids: readonly string[]): Promise<void>;
}
