/** A moment by two clocks: one of them stands still while the computer sleeps, a person can set the other back. */
export interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** The present. */
export function momentNow(): Moment {
  return { steady: performance.now(), wall: Date.now() };
}
