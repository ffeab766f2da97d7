import type { JobKindName } from "#domain/tasks/job.ts";

/** How many jobs of a kind one process runs concurrently. */
export interface Concurrency {
  /** Of runs, per depth of delegation. */
  readonly perProcess: number;
  /** The limit per lane: per workspace and depth of delegation, or per receiver. */
  readonly perLane: number;
  /** The limit per host and workspace, across receivers; undefined for kinds whose lanes have no host. */
  readonly perHost?: number;
  /** The limit of a slow lane. */
  readonly perSlowLane?: number;
}

/** The capacity of this process, by kind. */
export interface Slots {
  /** How many more jobs of a kind, or of one of its lanes, this process may run. */
  free(kind: JobKindName, lane?: string): number;
  /**
   * Takes a slot, even beyond the limit, because a claimed job must run. Returns a function to free it, called once.
   */
  take(kind: JobKindName, lane: string): () => void;
}

/** What changes the slots of a process. */
export interface SlotState {
  /**
   * False while the process must not claim: it is closing, or others may have presumed it dead and would take over the
   * claimed job at once.
   */
  readonly mayClaim: () => boolean;
  /** Whether the last job of a lane took too long, as far as this process knows. */
  readonly isSlow: (lane: string) => boolean;
}

/** Creates the slots of a process. */
export function createSlots(
  concurrency: Readonly<Record<JobKindName, Concurrency>>,
  { mayClaim, isSlow }: SlotState,
): Slots {
  const taken = new Map<string, number>();
  const count = (key: string, change: number) => taken.set(key, (taken.get(key) ?? 0) + change);
  const left = ({ key, limit }: Limit) => Math.max(0, limit - (taken.get(key) ?? 0));

  return {
    free(kind, lane) {
      if (!mayClaim()) return 0;
      const of = concurrency[kind];
      const perLane = lane !== undefined && isSlow(lane) ? (of.perSlowLane ?? of.perLane) : of.perLane;
      return Math.min(...limitsOf(kind, { ...of, perLane }, lane).map(left));
    },
    take(kind, lane) {
      const limits = limitsOf(kind, concurrency[kind], lane);
      for (const { key } of limits) count(key, 1);
      return () => {
        for (const { key } of limits) {
          count(key, -1);
          if (taken.get(key) === 0) taken.delete(key);
        }
      };
    },
  };
}

interface Limit {
  /** The keys that are counted. */
  readonly key: string;
  readonly limit: number;
}

function limitsOf(kind: string, { perProcess, perLane, perHost }: Concurrency, lane: string | undefined): Limit[] {
  // Runs may wait for work that they delegated: it never waits for the slots that they hold.
  const depth = perHost === undefined ? (lane?.split("/")[1] ?? "") : "";
  const limits = [{ key: depth === "" ? kind : `${kind} /${depth}`, limit: perProcess }];
  if (lane === undefined) return limits;
  limits.push({ key: `${kind} ${lane}`, limit: perLane });
  if (perHost !== undefined)
    limits.push({ key: `${kind} ${lane.slice(0, lane.lastIndexOf("/") + 1)}`, limit: perHost });
  return limits;
}
