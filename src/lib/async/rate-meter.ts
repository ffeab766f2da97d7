/** Over about how long a rate is measured, in milliseconds. */
const MEMORY_MS = 250;

/** Measures how many of something there were per second lately. */
export interface RateMeter {
  add(count: number): void;
  perSecond(): number;
}

/** Creates a meter. What was added counts less the longer ago it was. */
export function createRateMeter(now: () => number = performance.now.bind(performance)): RateMeter {
  let count = 0;
  let countedAt = now();

  function decay(): void {
    const at = now();
    count *= Math.exp((countedAt - at) / MEMORY_MS);
    countedAt = at;
  }

  return {
    add(more) {
      decay();
      count += more;
    },
    perSecond() {
      decay();
      return (count * 1_000) / MEMORY_MS;
    },
  };
}
