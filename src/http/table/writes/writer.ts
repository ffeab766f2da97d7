import type { Transaction } from "#db/database.ts";
import type { Row } from "../body.ts";
import type { Workspace } from "#operations/workspace.ts";

/** The context of a write: a joint transaction, in which the operations of `workspace` take part. */
export interface WriteContext {
  readonly workspace: Workspace;
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
