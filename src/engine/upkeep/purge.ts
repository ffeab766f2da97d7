import type { Logger } from "pino";

/** The deletion of what is left of deleted workspaces, by the keeper. */
export interface Purge {
  /** Continues with it, unless that is in progress. */
  next(): void;
  /** Waits until nothing is in progress. */
  idle(): Promise<void>;
}

/** Creates a process's purge. @param run deletes all that is left; rejected when the process closes */
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
