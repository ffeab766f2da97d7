import type { Transaction } from "#db/database.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { ReservedSlot, Services } from "./context.ts";

/**
 * Runs `run` in one transaction of the tenant's workspace: all that it does with the given services is committed
 * together, or rolled back. The services' notifications (of jobs, events, files to sweep) are sent after the commit.
 * `run` is executed again after a deadlock.
 */
export async function inSharedTransaction<Given extends Services, T>(
  services: Given,
  tenant: Tenant,
  run: (joined: Given, tx: Transaction) => Promise<T>,
): Promise<T> {
  const slots: ReservedSlot[] = [];
  try {
    const { value, effects } = await services.db.inSharedTransaction(tenant, async (db, tx) => {
      const gathered: (() => void)[] = [];
      const joined = { ...services, db, ...deferred(services, { effects: gathered, slots }) };
      return { value: await run(joined, tx), effects: gathered };
    });
    for (const effect of effects) effect();
    return value;
  } finally {
    for (const slot of slots) slot.release();
  }
}

interface DeferredEffects {
  readonly effects: (() => void)[];
  readonly slots: ReservedSlot[];
}

/** The services that send notifications, deferred: before the commit, no other connection sees the rows. */
function deferred({ queue, events, sweeper }: Services, { effects, slots }: DeferredEffects) {
  return {
    queue: {
      reserve(job) {
        const slot = queue.reserve(job);
        if (slot === undefined) return undefined;
        slots.push(slot);
        // The slot is kept until the transaction is committed.
        const { executorId } = slot;
        return {
          executorId,
          begin: (claimed) => void effects.push(() => slot.begin(claimed)),
          release: () => undefined,
        };
      },
      wake: (...work: Parameters<typeof queue.wake>) => void effects.push(() => queue.wake(...work)),
    },
    events: {
      ...events,
      publish: (...args: Parameters<typeof events.publish>) => void effects.push(() => events.publish(...args)),
    },
    sweeper: { soon: () => void effects.push(() => sweeper.soon()) },
  } satisfies Partial<Services>;
}
