import type { DelegationStatus } from "#domain/teams/delegation.ts";
import type { AgentSnapshot, ConversationMessage } from "#domain/tasks/run-job.ts";

/** A piece of work that the brain has given to a worker, as it stands. */
export interface Delegation {
  /** How the brain names it: `d1` is the first of the run. */
  readonly name: string;
  readonly worker: AgentSnapshot;
  readonly instruction: string;
  /** What the worker was told and answered, the newest last. */
  readonly conversation: readonly ConversationMessage[];
  readonly status: DelegationStatus;
  readonly result: string | null;
  readonly error: string | null;
  readonly score: number | null;
  /** How often it was sent back. */
  readonly revisions: number;
  readonly tokensUsed: number;
}

/** What can change in a delegation. */
export type DelegationChange = Partial<Omit<Delegation, "name" | "worker" | "instruction">>;
