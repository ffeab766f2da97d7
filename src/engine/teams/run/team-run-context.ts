import type { z } from "zod";
import type { DelegationState } from "#db/queries/teams/delegations.ts";
import type { TeamMessage } from "#db/queries/teams/running-teams.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import type { AgentSnapshot, ConversationMessage } from "#domain/tasks/run-job.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import type { Tool } from "#tools/define-tool.ts";
import type { Run } from "../../run/run-context.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** One execution of a team run's attempt. */
export interface TeamRun {
  readonly job: TeamRunJob;
  /** The team's memory, for a section "Team Memory" after the task. */
  readonly memory: string | undefined;
  /** Aborts when the run is cancelled or reaches its time limit. */
  readonly signal: AbortSignal;
  /** See {@link Run.step}. */
  readonly step: Run["step"];
  /** The recorded value of a step; undefined when no earlier execution finished it. */
  recall<T>(key: string, schema: z.ZodType<T>): T | undefined;
  /** An agent of the team, as of the start of the run. @throws RunFailure when the team has no agent with this id */
  agent(id: string): AgentSnapshot;
  /**
   * Runs an agent's turn: the same loop as for a task, between STEP_STARTED and STEP_FINISHED in the run's log. Turns
   * may run concurrently. Work of earlier executions is not repeated.
   * @throws RunFailure when the turn fails; Paused when it waits for a person; any error after the signal aborts.
   * Errors other than RunFailure must not be caught.
   */
  turn(turn: TurnRequest): Promise<TurnAnswer>;
  /**
   * Asks a person a question of the run itself. Returns the answer once it exists.
   * @param key names the question in the run; the same in every execution
   * @throws Paused while there is no answer
   */
  ask(key: string, question: Question): Answer;
  /**
   * Adds a message to the run, once per attempt and key, however often a resumed execution adds it.
   * @throws OwnershipLostError when this execution may not write to the run any more
   */
  recordMessage(message: TeamMessage, key: string): Promise<void>;
  /**
   * Stores the state of a delegation; a newer state stored by an earlier execution is kept.
   * @throws OwnershipLostError when this execution may not write to the run any more
   */
  recordDelegation(delegation: DelegationState): Promise<void>;
  /**
   * Records the current step, from 0: the run can be forked from it, and its messages have its number.
   * @throws OwnershipLostError when this execution may not write to the run any more
   */
  atStep(index: number): Promise<void>;
}

/** An agent's turn to run. */
export interface TurnRequest {
  /** Names the turn in the run; unique, and the same in every execution. */
  readonly key: string;
  readonly agent: AgentSnapshot;
  /** The messages after the agent's system prompt and voice, in order. */
  readonly conversation: readonly ConversationMessage[];
  /** The turn's name in the stream; unique among the turns in progress. */
  readonly stepName: string;
  /**
   * Tools of the mode for the agent, in addition to its own. Their calls are repeated in every execution, in the same
   * order up to their first wait; work that must happen once is a turn or a step. They reject a call with a
   * ToolRejection; other errors pass through the turn.
   */
  readonly tools?: readonly Tool[];
  /** The turn's limit of model calls; by default that of any run. */
  readonly maxSteps?: number;
  /**
   * Called before each model call with its number, from 0, in every execution; returns further messages, the same in
   * every execution.
   */
  readonly beforeCall?: (call: number) => Promise<string | undefined>;
  /** Aborts when this turn is no longer needed although the run continues. */
  readonly signal?: AbortSignal;
}
