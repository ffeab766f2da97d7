import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamRun } from "../run/team-run-context.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** An agent of a discussion and its display name. */
export interface Participant {
  readonly agent: AgentSnapshot;
  /** Its name; agents with the same name are numbered. */
  readonly name: string;
}

/** The participants. */
export interface Roster {
  /** The agents that contribute, in config order. */
  readonly speakers: readonly Participant[];
  /** The agent that speaks between them, chooses the next speaker or ends the discussion; not a speaker itself. */
  readonly moderator: Participant | undefined;
  /** The agent that is asked for the next speaker when a model chooses. */
  readonly selector: Participant;
}

/** A speaker: a participant, or in a fork also a person, or an agent that no longer participates. */
export type Speaker = Participant | { readonly agent?: undefined; readonly name: string };

/** One contribution. */
export interface Contribution {
  readonly by: Speaker;
  readonly text: string;
  /** Prompt and completion tokens. */
  readonly tokensUsed: number;
  /** The turn of the contribution; undefined when a fork reuses it. */
  readonly answer?: TurnAnswer;
  /** Whether it is the moderator's, which is not a turn of the discussion. */
  readonly moderates: boolean;
}

/** A discussion in progress, with the contributions in order. */
export interface Discussion {
  readonly run: TeamRun;
  readonly config: TeamConfig<"collaboration">;
  readonly roster: Roster;
  readonly thread: Contribution[];
}

/** Why a discussion ended. */
export type EndReason = TeamConfig<"collaboration">["termination_condition"];

/** The speakers' contributions, without the moderator's. */
export function turnsOf({ thread }: Discussion): readonly Contribution[] {
  return thread.filter(({ moderates }) => !moderates);
}
