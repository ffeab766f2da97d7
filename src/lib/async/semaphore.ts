/** Lets a number of callers at once do something; the others wait in the order of their coming. */
export interface Semaphore {
  /** Runs something when there is room for it. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes a semaphore with so many places. */
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
