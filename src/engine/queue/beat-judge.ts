/** A process and its newest beat number. */
export interface ProcessBeat {
  readonly id: string;
  readonly beat: number;
}

/** Decides which processes are dead, from beat numbers and this process's own monotonic clock. */
export interface BeatJudge<Process extends ProcessBeat> {
  /** Records the beats just read; returns the processes whose number has not changed for one lease. */
  observe(processes: readonly Process[]): readonly Process[];
}

/**
 * Creates a judge. Only time with regular observations counts: after a freeze of this process, or a database outage,
 * every process gets a full lease again.
 */
export function createBeatJudge<Process extends ProcessBeat>(
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
