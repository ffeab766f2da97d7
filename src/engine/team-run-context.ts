import type { TeamMessage } from "#db/queries/running-teams.ts";
import type { TeamRunJob } from "#domain/team-run.ts";

/** One execution of a team run's attempt. */
export interface TeamRun {
  readonly job: TeamRunJob;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Does one recorded step of the run: what it returned is remembered, so that it is not done again.
   * @throws RunFailure `CRASH_LOOP` when the process has died in this step too often.
   */
  step<T>(name: string, body: () => Promise<T>): Promise<T>;
  /**
   * Adds a message to the run, once per attempt under its key, however often a resumed execution sends it.
   * @throws OwnershipLost when this execution may not write to the run any more.
   */
  recordMessage(message: TeamMessage, key: string): Promise<void>;
  /**
   * Notes which step of its config the run is at, from 0.
   * @throws OwnershipLost when this execution may not write to the run any more.
   */
  atStep(index: number): Promise<void>;
}
