/** A process and the number of its newest beat. */
export interface Beating {
  readonly id: string;
  readonly beat: number;
}

/** Tells which processes are dead, by beat numbers and this process's own monotonic time alone. */
export interface BeatJudge<Process extends Beating> {
  /** Notes the beats that were just read; returns the processes whose number has not changed for a lease. */
  observe(processes: readonly Process[]): readonly Process[];
}

/**
 * Creates a judge. Only time in which it observes regularly counts: after a freeze of this process, or an outage of the
 * database, every process has a whole lease again.
 */
export function createBeatJudge<Process extends Beating>(
  leaseMs: number,
  now: () => number = () => performance.now(),
): BeatJudge<Process> {
  let seen = new Map<string, { readonly beat: number; readonly since: number }>();
  let observedAt = -Infinity;
  return {
    observe(processes) {
      const at = now();
      const isInterrupted = at - observedAt > leaseMs / 2;
      observedAt = at;
      seen = new Map(
        processes.map(({ id, beat }) => {
          const before = seen.get(id);
          const isUnchanged = !isInterrupted && before?.beat === beat;
          return [id, isUnchanged ? before : { beat, since: at }];
        }),
      );
      return processes.filter(({ id }) => at - (seen.get(id)?.since ?? at) >= leaseMs);
    },
  };
}
