import type { Logger } from "pino";

/** Deletes the remaining data of deleted workspaces, run by the keeper. */
export interface Purge {
  /** Continues the deletion, unless it is in progress. */
  next(): void;
  /** Waits until nothing is in progress. */
  idle(): Promise<void>;
}

/** Creates the purge of a process. @param run deletes everything that remains; rejects when the process closes */
export function createPurge(run: () => Promise<void>, log: Logger): Purge {
  let running: Promise<void> | undefined;
  return {
    next() {
      running ??= run()
        .catch((error: unknown) => {
          if (error instanceof Error && error.name === "AbortError") return;
          log.warn({ err: error }, "could not delete what is left of a workspace; it is tried again");
        })
        .finally(() => (running = undefined));
    },
    idle: async () => running,
  };
}
