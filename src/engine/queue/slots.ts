import type { JobKindName } from "#domain/job.ts";

/** How many jobs of a kind a process runs at a time. */
export interface Concurrency {
  readonly perProcess: number;
  /** At most this many of one workspace. */
  readonly perWorkspace: number;
}

/** The capacity of this process, by kind. */
export interface Slots {
  /** How many more jobs of a kind, or of one workspace's, the process may run. */
  free(kind: JobKindName, workspaceId?: string): number;
  /** Takes a slot, even one too many: a job that was claimed is run. Call the returned function once to free it. */
  take(kind: JobKindName, workspaceId: string): () => void;
}

/**
 * Creates the slots of a process.
 * @param mayClaim false while it must not claim: it is closing, or others may have presumed it dead, so that what it
 *   claimed would be taken from it at once
 */
export function createSlots(concurrency: Readonly<Record<JobKindName, Concurrency>>, mayClaim: () => boolean): Slots {
  const taken = new Map<string, number>();
  const count = (key: string, change: number) => taken.set(key, (taken.get(key) ?? 0) + change);
  const left = (key: string, limit: number) => Math.max(0, limit - (taken.get(key) ?? 0));

  return {
    free(kind, workspaceId) {
      if (!mayClaim()) return 0;
      const { perProcess, perWorkspace } = concurrency[kind];
      const total = left(kind, perProcess);
      return workspaceId === undefined ? total : Math.min(total, left(`${kind} ${workspaceId}`, perWorkspace));
    },
    take(kind, workspaceId) {
      const keys = [kind, `${kind} ${workspaceId}`];
      for (const key of keys) count(key, 1);
      return () => {
        for (const key of keys) {
          count(key, -1);
          if (taken.get(key) === 0) taken.delete(key);
        }
      };
    },
  };
}
