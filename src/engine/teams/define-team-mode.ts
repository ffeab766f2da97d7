import type { FinishReason } from "#domain/models/reply-parts.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { TeamRun } from "./run/team-run-context.ts";

/** The result of a team run: its output, and why the reply that it consists of ended. */
export interface TeamResult {
  readonly output: string;
  readonly finish: FinishReason;
}

/** A team mode: one file in this folder, with the mode as its default export. */
export interface TeamMode<Name extends TeamModeName = TeamModeName> {
  readonly name: Name;
  /**
   * Runs a team run and returns its result. After a takeover it runs again from the beginning: work that must happen
   * only once is a step (`run.step`); everything else is safe to repeat.
   * @throws RunFailure when the run cannot succeed
   */
  run(engine: EngineServices, run: TeamRun, config: TeamConfig<Name>): Promise<TeamResult>;
}

/**
 * Defines a team mode; the generated registry imports it from its file.
 * @public
 */
export function defineTeamMode<Name extends TeamModeName>(mode: TeamMode<Name>): TeamMode<Name> {
  return mode;
}
