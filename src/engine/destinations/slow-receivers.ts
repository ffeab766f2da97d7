/** Lanes remembered at a time; the oldest is evicted. */
const MAX_LANES = 10_000;

/** The receivers whose last delivery from this process timed out. */
export interface SlowReceivers {
  /** Records how the last delivery to a receiver went. */
  note(lane: string, hasTimedOut: boolean): void;
  has(lane: string): boolean;
}

/** Creates the memory of slow receivers. */
export function createSlowReceivers(): SlowReceivers {
  const lanes = new Set<string>();
  return {
    has: (lane) => lanes.has(lane),
    note(lane, hasTimedOut) {
      lanes.delete(lane);
      if (!hasTimedOut) return;
      lanes.add(lane);
      const [oldest] = lanes;
      if (lanes.size > MAX_LANES && oldest !== undefined) lanes.delete(oldest);
    },
  };
}
