/** The averaging period, in milliseconds. */
const MEMORY_MS = 250;

/** Measures the recent rate of something per second. */
export interface RateMeter {
  add(count: number): void;
  perSecond(): number;
}

/** Creates a meter with exponential decay. */
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
