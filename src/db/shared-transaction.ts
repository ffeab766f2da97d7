import type { Tenant } from "#domain/access/role.ts";
import type { Database, Transaction } from "./database.ts";

/** The result of a shared transaction before its commit. */
export interface SharedResult<T> {
  readonly value: T;
  /** Why it must be rolled back although `run` returned: a part of it failed, even if that error was caught. */
  readonly failure: Error | undefined;
}

/**
 * Runs a function with a database whose transactions in the tenant's workspace become parts of the open one. Statements
 * as the service itself or for another tenant are not included. After `run` returns, the database rejects further
 * statements for the tenant.
 */
export async function joinTransaction<T>(
  db: Database,
  { tenant, tx }: { readonly tenant: Tenant; readonly tx: Transaction },
  run: (joined: Database) => Promise<T>,
): Promise<SharedResult<T>> {
  let failure: Error | undefined;

  async function part<P>(work: Promise<P>): Promise<P> {
    try {
      return await work;
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }

  const isSame = ({ workspaceId, role, reach }: Tenant) =>
    workspaceId === tenant.workspaceId && role === tenant.role && reach === tenant.reach;
  const joined: Database = {
    ...db,
    get reports() {
      return joined;
    },
    inWorkspace: (who) =>
      isSame(who)
        ? {
            who,
            query: (statement, values) => part(tx.query(statement, values)),
            transaction: (work) => part(work(tx)),
          }
        : db.inWorkspace(who),
    inSharedTransaction: (who, work) => (isSame(who) ? part(work(joined, tx)) : db.inSharedTransaction(who, work)),
  };
  const value = await run(joined);
  return { value, failure };
}
