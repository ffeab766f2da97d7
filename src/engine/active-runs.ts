import { setTimeout as sleep } from "node:timers/promises";
import { OwnershipLost } from "./event-writer.ts";

/** A run in this process: an attempt of a task or of a team's run. */
export interface ActiveRun {
  /** The task's or the team run's id. */
  readonly id: string;
  readonly attempt: number;
  /** Hands the run over to whoever takes it next. */
  readonly release: () => Promise<void>;
}

/** The runs of this process: who can be cancelled, and whether they may go on. */
export interface ActiveRuns {
  /** Adds a run; its signal fires when it is cancelled. Call the returned function at its end. */
  enter(run: ActiveRun): { readonly signal: AbortSignal; readonly leave: () => void };
  /** Breaks off the run of an attempt (`<id>.<attempt>`), if it is here. */
  abort(attempt: string): void;
  /** All runs of this process. */
  list(): readonly ActiveRun[];
  /**
   * Does one step of a run. Once the process is closing no further step begins, and the run stays
   * where it is; so does one whose run was handed over while it was under way.
   */
  step<T>(body: () => Promise<T>): Promise<T>;
  /** Whether the process is closing: runs that lose their work now are being handed over. */
  isClosing(): boolean;
  /** Lets the steps that are under way finish, at most so long; returns the runs that are left. */
  drain(graceMs: number): Promise<readonly ActiveRun[]>;
}

const DRAIN_LOOK_MS = 20;

/** Keeps track of the runs of this process. */
export function createActiveRuns(): ActiveRuns {
  const runs = new Map<string, { readonly run: ActiveRun; readonly controller: AbortController }>();
  let steps = 0;
  let closing = false;

  return {
    enter(run) {
      const controller = new AbortController();
      const entry = { run, controller };
      const attempt = `${run.id}.${run.attempt}`;
      runs.set(attempt, entry);
      return {
        signal: controller.signal,
        leave: () => {
          if (runs.get(attempt) === entry) runs.delete(attempt);
        },
      };
    },
    abort(attempt) {
      runs.get(attempt)?.controller.abort();
    },
    list: () => [...runs.values()].map(({ run }) => run),
    async step(body) {
      if (closing) return new Promise(() => {});
      steps += 1;
      try {
        return await body();
      } catch (error) {
        if (closing && error instanceof OwnershipLost) return new Promise(() => {});
        throw error;
      } finally {
        steps -= 1;
      }
    },
    isClosing: () => closing,
    async drain(graceMs) {
      closing = true;
      const deadline = Date.now() + graceMs;
      while (steps > 0 && Date.now() < deadline) await sleep(DRAIN_LOOK_MS);
      return [...runs.values()].map(({ run }) => run);
    },
  };
}
