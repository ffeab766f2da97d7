/** Settings of {@link createBatcher}. */
export interface BatcherOptions<Item, Result> {
  /** Between the starts of two writes, in milliseconds: what arrives meanwhile shares the next one. */
  readonly intervalMs: number;
  readonly maxBatch: number;
  /** How long an item may wait for others, in milliseconds from the start of the last write; default: the interval. */
  readonly maxDelayMs?: (item: Item) => number;
  /** How long an item may wait for others from when it was added, in milliseconds; default: 0. */
  readonly lingerMs?: (item: Item) => number;
  /** Items of which this says the same are written together, or fail together; default: each is on its own. */
  readonly together?: (item: Item) => string;
  /**
   * Does the work for all items, or for none when it throws; its results are in their order. The next write does not
   * wait for those that are promises.
   */
  readonly write: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
}

/** Adds an item to the next batch; gives its own result or failure. */
export interface Batcher<Item, Result> {
  (item: Item): Promise<Result>;
  /** Lets no item wait longer than the interval that is already there. */
  flush(): void;
}

/**
 * Gathers what arrives while a write is in flight into the next one. The first item after a pause is written
 * immediately, with what comes in the same turn of the event loop. Writes never overlap, and items keep their order.
 * When a write fails, its items are written one by one.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { intervalMs, maxBatch, maxDelayMs = () => intervalMs, lingerMs = () => 0 } = options;
  let queue: Entry<Item, Result>[] = [];
  let isWriting = false;
  let begunAt = -Infinity;
  /** When what waits is to be written at the latest. */
  let dueAt = Infinity;
  let timer: NodeJS.Timeout | undefined;

  /** Sets the time of the next write again, because the queue or what it may wait for has changed. */
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
    const batch = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    dueAt = queue.length > 0 ? begunAt : Infinity;
    await write(batch);
    isWriting = false;
    schedule();
  }

  /** What cannot be written must not take the others with it. */
  async function write(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await options.write(batch.map(({ item }) => item));
      batch.forEach(({ done }, index) => allSettledOrThrow(done, results[index]));
    } catch (error) {
      const parts = partsOf(options, batch);
      if (parts.length > 1) for (const part of parts) await write(part);
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

/** An item on its way, and who waits for what becomes of it. */
interface Entry<Item, Result> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Result>;
}

/** What of a batch is written or fails together. */
function partsOf<Item, Result>(
  { together }: BatcherOptions<Item, Result>,
  batch: readonly Entry<Item, Result>[],
): (readonly Entry<Item, Result>[])[] {
  if (together === undefined) return batch.map((entry) => [entry]);
  return [...Map.groupBy(batch, ({ item }) => together(item)).values()];
}

function allSettledOrThrow<Result>(
  done: PromiseWithResolvers<Result>,
  result: Result | Promise<Result> | undefined,
): void {
  if (result === undefined) done.reject(new Error("A batch gave no result for one of its items."));
  else done.resolve(result);
}
