import type { StepFacts } from "./step-facts.ts";
import type { StepKey } from "./step-key.ts";

/** The records of an attempt's steps. Times are in Unix milliseconds. */
export interface RecordedAttempt {
  readonly finished: readonly FinishedRecord[];
  /** Turns and tool calls that were started; of a long ended attempt only those that came to no result. */
  readonly begun: readonly StartedRecord[];
  /** The open question. */
  readonly question: { readonly key: string; readonly title: string; readonly askedAt: number } | undefined;
  /** The status of the attempt; unfinished steps of an ended attempt get the same. */
  readonly status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
  /** The code with which it failed or was cancelled. */
  readonly errorCode: string | null;
  /** When it started to run, and when it ended. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly isTeam: boolean;
  /** The first steps of a pipeline, or turns of a discussion, that a fork took over from another run. */
  readonly takenOver: readonly TakenOverStep[];
}

/** See {@link RecordedAttempt.takenOver}. */
export interface TakenOverStep {
  readonly key: string;
  /** Its number, from 0. */
  readonly step: number;
  /** Its name in the other run, if it is known. */
  readonly label: string | null;
  /** Whether a person gave its output for the fork. */
  readonly isChanged: boolean;
}

/** A finished step. @see stepFacts for the facts */
export interface FinishedRecord {
  readonly key: string;
  readonly facts: unknown;
  readonly startedAt: number | null;
  readonly firstTokenAt: number | null;
  readonly endedAt: number;
  /** Times of tries of a model call that failed, as pairs of beginning and end. */
  readonly failedTries?: readonly (readonly [number, number])[] | null;
}

/** A turn or a tool call that was started. */
export interface StartedRecord {
  readonly kind: "turn" | "tool";
  readonly key: string;
  readonly label: string;
  readonly agentId: string | null;
  readonly at: number;
  /** Null if its end is not in the log: it is in progress, or was when its attempt ended. */
  readonly endedAt: number | null;
  /** Why a turn ended without a result: `CANCELLED` when it was no longer needed. */
  readonly code: string | null;
}

/** A finished step with its parsed key and facts. */
export interface Entry extends FinishedRecord {
  readonly facts: StepFacts;
  readonly parsed: StepKey;
}
