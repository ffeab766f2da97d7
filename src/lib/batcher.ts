/** Settings of {@link createBatcher}. */
export interface BatcherOptions<Item, Result> {
  /** Between the starts of two writes, in milliseconds: what arrives meanwhile shares the next one. */
  readonly intervalMs: number;
  readonly maxBatch: number;
  /** How long an item may wait for others, in milliseconds from the start of the last write; default: the interval. */
  readonly maxDelayMs?: (item: Item) => number;
  /** Items of which this says the same may not share a write; undefined: all may. */
  readonly apart?: (item: Item) => string;
  /** Does the work for all items, or for none when it throws; its results are in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Result[]>;
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
 * Items that cannot be written together are written one by one.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { intervalMs, maxDelayMs = () => intervalMs } = options;
  let queue: Entry<Item, Result>[] = [];
  let isWriting = false;
  let begunAt = -Infinity;
  let delayMs = Infinity;
  let timer: NodeJS.Timeout | undefined;

  /** Sets the time of the next write again, because the queue or what it may wait for has changed. */
  function schedule(): void {
    if (isWriting || queue.length === 0) return;
    clearTimeout(timer);
    const waitMs = begunAt + Math.max(delayMs, intervalMs) - performance.now();
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
    const size = batchSize(options, queue);
    const batch = queue.slice(0, size);
    queue = queue.slice(size);
    delayMs = queue.length > 0 ? intervalMs : Infinity;
    await write(batch);
    isWriting = false;
    schedule();
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

  function shorten(toMs: number): void {
    if (queue.length === 0 || toMs >= delayMs) return;
    delayMs = toMs;
    schedule();
  }

  const add = (item: Item): Promise<Result> => {
    const done = Promise.withResolvers<Result>();
    queue.push({ item, done });
    shorten(maxDelayMs(item));
    return done.promise;
  };
  return Object.assign(add, { flush: () => shorten(intervalMs) });
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
