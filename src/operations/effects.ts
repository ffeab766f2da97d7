import type { ReservedSlot, WorkQueue } from "./context.ts";

/** What a transaction causes outside the database: it happens after the commit, or not at all. */
export interface Effects {
  /** Has something happen after the commit. */
  add(effect: () => void): void;
  /** As {@link WorkQueue.reserve}; a slot whose job was not started is released in the end. */
  readonly reserve: WorkQueue["reserve"];
}

/**
 * Runs a transaction with effects.
 * @param run the transaction; it calls `begin` whenever it is executed, also again after a deadlock
 */
export async function withEffects<T>(queue: WorkQueue, run: (begin: () => Effects) => Promise<T>): Promise<T> {
  const slots: ReservedSlot[] = [];
  let effects: (() => void)[] = [];
  function reserve(job: Parameters<WorkQueue["reserve"]>[0]): ReservedSlot | undefined {
    const slot = queue.reserve(job);
    if (slot !== undefined) slots.push(slot);
    return slot;
  }
  try {
    const value = await run(() => {
      effects = [];
      return { add: (effect) => void effects.push(effect), reserve };
    });
    for (const effect of effects) effect();
    return value;
  } finally {
    // Slots without a job: the transaction was rolled back, or executed again.
    for (const slot of slots) slot.release();
  }
}
