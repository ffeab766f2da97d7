import type { z } from "zod";
import type { DelegationState } from "#db/queries/teams/delegations.ts";
import type { TeamMessage } from "#db/queries/teams/running-teams.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import type { AgentSnapshot, ConversationMessage } from "#domain/tasks/run-job.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import type { Tool } from "#tools/define-tool.ts";
import type { Run } from "../../run/run-context.ts";

/** One execution of a team run's attempt. */
export interface TeamRun {
  readonly job: TeamRunJob;
  /** What the agents are told of earlier runs of the team, in a section "Team Memory" behind the task. */
  readonly memory: string | undefined;
  /** Fires when the run is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** See {@link Run.step}. */
  readonly step: Run["step"];
  /** What a step of this key gave in an earlier execution; undefined when it was not finished then. */
  recall<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /** An agent of the team, as it was when the run was started. @throws RunFailure when the team has none of this id. */
  agent(id: string): AgentSnapshot;
  /**
   * Lets an agent take a turn: the very loop in which it works on a task of its own, between STEP_STARTED and
   * STEP_FINISHED in the run's log. Turns may be taken concurrently. What was done in an earlier execution is not
   * done again.
   * @throws RunFailure when the turn cannot end well; Paused when it waits for a person; anything thrown when the
   * signal has fired. Failures other than a RunFailure must not be caught.
   */
  turn(turn: TurnRequest): Promise<TurnAnswer>;
  /**
   * Asks a person something that is the run's own matter. Returns the answer once it is there.
   * @param key names the question in the run; the same in every execution
   * @throws Paused as long as there is no answer
   */
  ask(key: string, question: Question): Answer;
  /**
   * Adds a message to the run, once per attempt under its key, however often a resumed execution sends it.
   * @throws OwnershipLost when this execution may not write to the run any more.
   */
  recordMessage(message: TeamMessage, key: string): Promise<void>;
  /**
   * Stores how a delegation stands; a change that an earlier execution has stored is not undone.
   * @throws OwnershipLost when this execution may not write to the run any more.
   */
  recordDelegation(delegation: DelegationState): Promise<void>;
  /**
   * Notes which step the run is at, from 0: from this one on it can be forked, and messages of it bear its number.
   * @throws OwnershipLost when this execution may not write to the run any more.
   */
  atStep(index: number): Promise<void>;
}

/** A turn that an agent is to take. */
export interface TurnRequest {
  /** Names the turn in the run; the same in every execution, and of no other turn. */
  readonly key: string;
  readonly agent: AgentSnapshot;
  /** What the agent is told, behind its system prompt and voice; the newest last. */
  readonly conversation: readonly ConversationMessage[];
  /** What the turn is called in the stream; no other turn that is in progress may have the same name. */
  readonly stepName: string;
  /**
   * Tools that the mode gives to the agent, besides its own. They are part of the mode: their calls are made again
   * in every execution, in the same order up to their first wait, and what is to be done once in them is a turn or
   * a step. They reject a call with a ToolRejection; anything else that they throw goes through the turn.
   */
  readonly tools?: readonly Tool[];
  /** Model calls that the turn may make; those of any run when absent. */
  readonly maxSteps?: number;
  /**
   * Called before each model call with its number, from 0, in every execution; what it gives the agent is told
   * besides, and is the same in every execution.
   */
  readonly beforeCall?: (call: number) => Promise<string | undefined>;
  /** Fires when this turn is no longer wanted, although the run continues. */
  readonly signal?: AbortSignal;
}

/** What came of a turn. */
export interface TurnAnswer {
  readonly text: string;
  /** Which model gave the answer. */
  readonly model: string;
  /** When it was complete, as ISO 8601; the same in every execution. */
  readonly answeredAt: string;
  /** Prompt and completion tokens of all model calls of the turn. */
  readonly tokensUsed: number;
}
