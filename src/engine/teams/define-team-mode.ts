import type { TeamConfig, TeamModeName } from "#domain/teams/team-config.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { TeamRun } from "./run/team-run-context.ts";

/** How teams of one mode work: one file in this folder with this as its default export. */
export interface TeamMode<Name extends TeamModeName = TeamModeName> {
  readonly name: Name;
  /**
   * Does a run and returns its output. It is run again from the top when another process takes the
   * run over: what may be done only once is a step (`run.step`), and the rest is safe to do twice.
   * @throws RunFailure when the run cannot end well.
   */
  run(engine: EngineServices, run: TeamRun, config: TeamConfig<Name>): Promise<string>;
}

/**
 * Declares a mode; the generated registry finds it by its file.
 * @public
 */
export function defineTeamMode<Name extends TeamModeName>(mode: TeamMode<Name>): TeamMode<Name> {
  return mode;
}
