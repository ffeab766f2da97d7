import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { TeamRun } from "./run/team-run-context.ts";

/** A team mode: one file in this folder, with the mode as its default export. */
export interface TeamMode<Name extends TeamModeName = TeamModeName> {
  readonly name: Name;
  /**
   * Runs a team run and returns its output. After a takeover it runs again from the beginning: work that must happen
   * only once is a step (`run.step`); everything else is safe to repeat.
   * @throws RunFailure when the run cannot succeed
   */
  run(engine: EngineServices, run: TeamRun, config: TeamConfig<Name>): Promise<string>;
}

/**
 * Defines a team mode; the generated registry imports it from its file.
 * @public
 */
export function defineTeamMode<Name extends TeamModeName>(mode: TeamMode<Name>): TeamMode<Name> {
  return mode;
}
