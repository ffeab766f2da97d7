/** Settings of {@link createBatcher}. */
export interface BatcherOptions<Item, Result> {
  /**
   * The minimum time between the starts of two writes, in milliseconds; items that arrive meanwhile share the next one.
   */
  readonly intervalMs: number;
  readonly maxBatch: number;
  /** The maximum size of a batch with several items, in the unit of `sizeOf`; default: unlimited. */
  readonly maxBytes?: number;
  /** The size of an item; called when it is written. */
  readonly sizeOf?: (item: Item) => number;
  /** How long an item may wait for others, in milliseconds from the start of the last write; default: the interval. */
  readonly maxDelayMs?: (item: Item) => number;
  /** How long an item may wait for others, in milliseconds from when it was added; default: 0. */
  readonly lingerMs?: (item: Item) => number;
  /**
   * Writes all items, or none when it throws; returns results in item order. The next write does not wait for results
   * that are promises.
   */
  readonly write: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}

/** Adds an item to the next batch; resolves or rejects with its own result. */
export interface Batcher<Item, Result> {
  (item: Item): Promise<Result>;
  /** Makes items that are already queued wait no longer than the interval. */
  flush(): void;
}

/**
 * Batches items that arrive while a write is in flight. The first item after a pause is written immediately, together
 * with those of the same event-loop turn. Writes never overlap, and items keep their order. If a write fails, its items
 * are written one by one.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { intervalMs, maxDelayMs = () => intervalMs, lingerMs = () => 0 } = options;
  let queue: Entry<Item, Result>[] = [];
  let isWriting = false;
  let begunAt = -Infinity;
  /** The latest time for the next write. */
  let dueAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  /** Reschedules the next write, because the queue or its deadlines have changed. */
  function schedule(): void {
    if (isWriting || queue.length === 0) return;
    clearTimeout(timer);
    const waitMs = Math.max(dueAt, begunAt + intervalMs) - performance.now();
    if (waitMs > 0) {
      timer = setTimeout(() => void writeNext(), waitMs);
      return;
    }
    isWriting = true;
    setImmediate(() => void writeNext());
  }

  async function writeNext(): Promise<void> {
    isWriting = true;
    begunAt = performance.now();
    const batch = queue.slice(0, countFitting(options, queue));
    queue = queue.slice(batch.length);
    dueAt = queue.length > 0 ? begunAt : Infinity;
    await write(batch);
    isWriting = false;
    schedule();
  }

  /** An item that cannot be written must not fail the others. */
  async function write(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.write(batch.map(({ item }) => item));
      batch.forEach(({ done }, index) => resolveWith(done, results[index]));
    } catch (error) {
      if (batch.length > 1) for (const entry of batch) await write([entry]);
      else for (const { done } of batch) done.reject(error);
    }
  }

  function writeBy(at: number): void {
    if (queue.length === 0 || at >= dueAt) return;
    dueAt = at;
    schedule();
  }

  const add = (item: Item): Promise<Result> => {
    const done = Promise.withResolvers<Result>();
    queue.push({ item, done });
    const linger = lingerMs(item);
    writeBy(Math.max(begunAt + maxDelayMs(item), linger > 0 ? performance.now() + linger : -Infinity));
    return done.promise;
  };
  return Object.assign(add, { flush: () => writeBy(begunAt + intervalMs) });
}

/** A queued item and its promise. */
interface Entry<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** How many of the first items share the next batch. */
function countFitting<Item, Result>(
  { maxBatch, maxBytes = Infinity, sizeOf = () => 0 }: BatcherOptions<Item, Result>,
  queue: readonly Entry<Item, Result>[],
): number {
  let bytes = 0;
  const end = queue.findIndex(({ item }, index) => {
    bytes += sizeOf(item);
    return index >= maxBatch || (index > 0 && bytes > maxBytes);
  });
  return end === -1 ? queue.length : end;
}

function resolveWith<Result>(done: PromiseWithResolvers<Result>, result: Result | Promise<Result> | undefined): void {
  if (result === undefined) done.reject(new Error("A batch gave no result for one of its items."));
  else done.resolve(result);
}
