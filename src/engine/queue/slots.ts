import type { JobKindName } from "#domain/tasks/job.ts";

/** How many jobs of a kind a process runs at a time. */
export interface Concurrency {
  readonly perProcess: number;
  /** At most this many of one lane: of one workspace, or to one receiver. */
  readonly perLane: number;
  /** At most this many to one host, whatever the receivers; undefined for kinds whose lanes have no host. */
  readonly perHost?: number;
}

/** The capacity of this process, by kind. */
export interface Slots {
  /** How many more jobs of a kind, or of one lane of it, the process may run. */
  free(kind: JobKindName, lane?: string): number;
  /** Takes a slot, even one too many: a job that was claimed is run. Call the returned function once to free it. */
  take(kind: JobKindName, lane: string): () => void;
}

/**
 * Creates the slots of a process.
 * @param mayClaim false while it must not claim: it is closing, or others may have presumed it dead, so that what it
 *   claimed would be taken from it at once
 */
export function createSlots(concurrency: Readonly<Record<JobKindName, Concurrency>>, mayClaim: () => boolean): Slots {
  const taken = new Map<string, number>();
  const count = (key: string, change: number) => taken.set(key, (taken.get(key) ?? 0) + change);
  const left = ({ key, limit }: Limit) => Math.max(0, limit - (taken.get(key) ?? 0));

  return {
    free(kind, lane) {
      if (!mayClaim()) return 0;
      return Math.min(...limitsOf(kind, concurrency[kind], lane).map(left));
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
  /** What is counted. */
  readonly key: string;
  readonly limit: number;
}

function limitsOf(kind: string, { perProcess, perLane, perHost }: Concurrency, lane: string | undefined): Limit[] {
  const limits = [{ key: kind, limit: perProcess }];
  if (lane === undefined) return limits;
  limits.push({ key: `${kind} ${lane}`, limit: perLane });
  if (perHost !== undefined)
    limits.push({ key: `${kind} ${lane.slice(0, lane.lastIndexOf("/") + 1)}`, limit: perHost });
  return limits;
}
