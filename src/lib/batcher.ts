import { setTimeout as sleep } from "node:timers/promises";

/** Settings of {@link createBatcher}. */
export interface BatcherOptions<Item, Result> {
  /** Between the beginnings of two writes, in milliseconds: what arrives meanwhile shares the next one. */
  readonly intervalMs: number;
  readonly maxBatch: number;
  /** Items of which this says the same may not share a write; undefined: all may. */
  readonly apart?: (item: Item) => string;
  /** Does the work for all items, or for none when it throws; its results are in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/**
 * Gathers what arrives while a write is under way into the next one. The first item after a
 * pause is written at once; writes never overlap, and items keep their order.
 * The returned function gives each item's own result or failure: items that cannot be written together are written
 * one by one.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let queue: Entry<Item, Result>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (queue.length > 0) {
      const size = batchSize(options, queue);
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      const pause = sleep(options.intervalMs);
      await write(batch);
      await pause;
    }
    writing = false;
  }

  /** One that cannot be written must not take the others with it. */
  async function write(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.write(batch.map(({ item }) => item));
      batch.forEach(({ done }, index) => settle(done, results[index]));
    } catch (error) {
      if (batch.length > 1) for (const entry of batch) await write([entry]);
      else batch[0]?.done.reject(error);
    }
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    queue.push({ item, done });
    if (!writing) void writeAll();
    return done.promise;
  };
}

/** An item on its way, and who waits for what becomes of it. */
interface Entry<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** How many from the head of the queue may share a write. */
function batchSize<Item, Result>(
  { maxBatch, apart }: BatcherOptions<Item, Result>,
  queue: readonly Entry<Item, Result>[],
): number {
  if (apart === undefined) return maxBatch;
  const taken = new Set<string>();
  const end = queue.findIndex(({ item }) => {
    const isTaken = taken.has(apart(item));
    taken.add(apart(item));
    return isTaken;
  });
  return Math.min(maxBatch, end === -1 ? queue.length : end);
}

function settle<Result>(done: PromiseWithResolvers<Result>, result: Result | undefined): void {
  if (result === undefined) done.reject(new Error("A batch gave no result for one of its items."));
  else done.resolve(result);
}
