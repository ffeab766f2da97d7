import type { DelegationStatus } from "#domain/teams/delegation.ts";
import type { AgentSnapshot, ConversationMessage } from "#domain/tasks/run-job.ts";

/** The state of a piece of work that the brain has delegated to a worker. */
export interface Delegation {
  /** The brain's name for it: `d1` is the first of the run. */
  readonly name: string;
  readonly worker: AgentSnapshot;
  readonly instruction: string;
  /** The conversation between brain and worker, in order. */
  readonly conversation: readonly ConversationMessage[];
  readonly status: DelegationStatus;
  readonly result: string | null;
  readonly error: string | null;
  readonly score: number | null;
  /** How often it was sent back for revision. */
  readonly revisions: number;
  readonly tokensUsed: number;
}

/** The fields of a delegation that change. */
export type DelegationChange = Partial<Omit<Delegation, "name" | "worker" | "instruction">>;
