/** Readers of the same thing who share an answer; see {@link createCoalescer}. */
export type Coalescer<Value> = (key: string, read: () => Promise<Value>) => Promise<Value>;

/** The readings of one key. */
interface Line<Value> {
  /** The one that began last. */
  current: Promise<Value>;
  /** The one that has not begun yet; who comes now shares it. */
  next: Promise<Value> | undefined;
}

/**
 * Lets those who want to read the same thing at the same time do it together. Who comes while somebody reads shares
 * the next reading with all who come until it begins: so nobody gets what was read before they asked, and each key
 * has few readings under way, however many ask. A failure is everybody's who shared it.
 * @param patienceMs for how long the next reading waits for the end of the one before, at most
 */
export function createCoalescer<Value>(patienceMs: number): Coalescer<Value> {
  const lines = new Map<string, Line<Value>>();

  function begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = startOf(read);
    const line = { current: reading, next: undefined };
    lines.set(key, line);
    const leave = () => {
      if (lines.get(key) === line && line.next === undefined) lines.delete(key);
    };
    reading.then(leave, leave);
    return reading;
  }

  async function beginBehind(key: string, current: Promise<Value>, read: () => Promise<Value>): Promise<Value> {
    await settledWithin(current, patienceMs);
    return begin(key, read);
  }

  return (key, read) => {
    const line = lines.get(key);
    if (line === undefined) return begin(key, read);
    return (line.next ??= beginBehind(key, line.current, read));
  };
}

/** One that throws before it reads must not leave the others waiting. */
async function startOf<Value>(read: () => Promise<Value>): Promise<Value> {
  return read();
}

/** Waits until a promise has settled, in whatever way, or the time is up. */
function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const settled = () => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(settled, settled);
  });
}
