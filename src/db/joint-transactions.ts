import { AsyncLocalStorage } from "node:async_hooks";
import type { Tenant } from "#domain/role.ts";
import { createSemaphore } from "#lib/semaphore.ts";
import type { Database, Transaction } from "./database.ts";
import { retryDeadlock } from "./retry-deadlock.ts";

/** A transaction that several parts of one request share. */
interface Joint {
  readonly tenant: Tenant;
  readonly tx: Transaction;
  readonly effects: (() => void)[];
  /** Whether it still takes statements. */
  open: boolean;
  /** Why it must not be committed: a part of it has failed, whoever has caught that. */
  failure: Error | undefined;
}

/** A database without joint transactions. */
export type PlainDatabase = Omit<Database, "jointly" | "afterCommit">;

/**
 * Adds transactions that are found by the flow of calls (AsyncLocalStorage), so that operations need
 * not know of them: what a request does for its tenant in one or several transactions becomes one.
 * @param places how many may be open at once; fewer than the pool has connections, so that one which
 *   needs another connection for something else always gets it
 */
export function withJointTransactions(db: PlainDatabase, places: number): Database {
  const current = new AsyncLocalStorage<Joint>();
  const room = createSemaphore(places);

  function jointOf({ workspaceId, role }: Tenant): Joint | undefined {
    const joint = current.getStore();
    const fits = joint?.open === true && joint.tenant.workspaceId === workspaceId && joint.tenant.role === role;
    return fits ? joint : undefined;
  }

  function together<T>(tenant: Tenant, run: (tx: Transaction) => Promise<T>) {
    return db.inWorkspace(tenant, async (tx) => {
      const joint: Joint = { tenant, tx, effects: [], open: true, failure: undefined };
      try {
        const value = await current.run(joint, () => run(tx));
        if (joint.failure !== undefined) throw joint.failure;
        return { value, effects: joint.effects };
      } finally {
        joint.open = false;
      }
    });
  }

  return {
    ...db,
    transaction: (run) => retryDeadlock(() => db.transaction(run)),
    queryInWorkspace(tenant, statement, values) {
      const joint = jointOf(tenant);
      if (joint === undefined) return db.queryInWorkspace(tenant, statement, values);
      return part(joint, (tx) => tx.query(statement, values));
    },
    inWorkspace(tenant, run) {
      const joint = jointOf(tenant);
      return joint === undefined ? retryDeadlock(() => db.inWorkspace(tenant, run)) : part(joint, run);
    },
    async jointly(tenant, run) {
      const { value, effects } = await room.run(() => retryDeadlock(() => together(tenant, run)));
      for (const effect of effects) effect();
      return value;
    },
    afterCommit(effect) {
      const joint = current.getStore();
      if (joint?.open === true) joint.effects.push(effect);
      else effect();
    },
  };
}

async function part<T>(joint: Joint, run: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await run(joint.tx);
  } catch (error) {
    joint.failure ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  }
}
