import type { TeamMessage } from "#db/queries/running-teams.ts";
import type { TeamRunJob } from "#domain/team-run.ts";
import type { Run } from "./run-context.ts";

/** One execution of a team run's attempt. */
export interface TeamRun {
  readonly job: TeamRunJob;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
  /** See {@link Run.step}. */
  readonly step: Run["step"];
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
