import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamRun, TurnAnswer } from "../run/team-run-context.ts";

/** An agent of a discussion and what the others call it. */
export interface Participant {
  readonly agent: AgentSnapshot;
  /** Its name; of several agents of one name, the later ones have a number behind it. */
  readonly name: string;
}

/** Who takes part. */
export interface Roster {
  /** Those who contribute, in the order of the config. */
  readonly speakers: readonly Participant[];
  /** Who speaks between them, chooses the next one or decides the end; not one of the speakers. */
  readonly moderator: Participant | undefined;
  /** Who is asked to name the next speaker when a model is to choose. */
  readonly selector: Participant;
}

/** Who speaks: somebody who takes part, or in a fork also a person, or an agent that does not take part any more. */
export type Speaker = Participant | { readonly agent?: undefined; readonly name: string };

/** What somebody has said. */
export interface Contribution {
  readonly by: Speaker;
  readonly text: string;
  /** Prompt and completion tokens. */
  readonly tokensUsed: number;
  /** The turn in which it was said; undefined when a fork has it from another run. */
  readonly answer?: TurnAnswer;
  /** Whether the moderator spoke, which is no turn of the discussion. */
  readonly moderates: boolean;
}

/** A discussion in progress; the thread grows, the oldest contribution first. */
export interface Discussion {
  readonly run: TeamRun;
  readonly config: TeamConfig<"collaboration">;
  readonly roster: Roster;
  readonly thread: Contribution[];
}

/** Why a discussion was over. */
export type EndReason = TeamConfig<"collaboration">["termination_condition"];

/** What speakers have said, without the moderator's words. */
export function turnsOf({ thread }: Discussion): readonly Contribution[] {
  return thread.filter(({ moderates }) => !moderates);
}
