/** Limits concurrent callers; others wait in order of arrival. */
export interface Semaphore {
  /** Runs a function when a slot is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Creates a semaphore with this many slots. */
export function createSemaphore(places: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = places;

  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((enter) => queue.push(enter));
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
