import { setTimeout as sleep } from "node:timers/promises";

/** Settings of {@link createBatcher}. */
export interface BatcherOptions<Item, Result> {
  /** Between the beginnings of two writes, in milliseconds: what arrives meanwhile shares the next one. */
  readonly intervalMs: number;
  readonly maxBatch: number;
  /** Does the work for all items; its results are in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
}

/**
 * Gathers what arrives while a write is under way into the next one. The first item after a
 * pause is written at once; writes never overlap, and items keep their order.
 * The returned function gives each item's own result, or the failure of its batch.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let queue: { readonly item: Item; readonly done: PromiseWithResolvers<Result> }[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (queue.length > 0) {
      const batch = queue.slice(0, options.maxBatch);
      queue = queue.slice(options.maxBatch);
      const pause = sleep(options.intervalMs);
      await options.write(batch.map(({ item }) => item)).then(
        (results) => batch.forEach(({ done }, index) => settle(done, results[index])),
        (error: unknown) => batch.forEach(({ done }) => done.reject(error)),
      );
      await pause;
    }
    writing = false;
  }

  return (item) => {
    const done = Promise.withResolvers<Result>();
    queue.push({ item, done });
    if (!writing) void writeAll();
    return done.promise;
  };
}

function settle<Result>(done: PromiseWithResolvers<Result>, result: Result | undefined): void {
  if (result === undefined) done.reject(new Error("A batch gave no result for one of its items."));
  else done.resolve(result);
}
