import type { Principal } from "#domain/access/principal.ts";
import type { Transaction } from "#db/database.ts";
import type { Services } from "#operations/context.ts";
import type { Row } from "../body.ts";

/** In what a row is written: a joint transaction, in which the operations of `services` take part. */
export interface WriteContext {
  readonly services: Services;
  readonly who: Principal;
  readonly tx: Transaction;
  readonly timeoutMs: number;
}

/** How the rows of a table are written. What is missing is rejected. */
export interface Writer {
  /** Makes a row that has this id. */
  insert?(context: WriteContext, row: Row & { readonly id: string }): Promise<void>;
  /** Changes the given fields of the row with this id, which is there. */
  update?(context: WriteContext, id: string, patch: Row): Promise<void>;
  /** Removes the row with this id, which is there. */
  remove?(context: WriteContext, id: string): Promise<void>;
}
