import type { Database, Transaction } from "#db/database.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import type { AgentSnapshot } from "#db/queries/tasks.ts";
import type { EventBus } from "./event-bus.ts";

/** A run of a task's attempt, as it is handed to the durable engine. */
export interface RunJob {
  readonly workspaceId: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly agent: AgentSnapshot;
}

/** Where operations hand work to; the durable engine stands behind it. */
export interface WorkQueue {
  /**
   * Enqueues a run within the caller's transaction: it exists when and only when that commits.
   * Leaves the workspace's role; do everything else in the transaction before.
   * @param priority the smaller, the sooner.
   */
  enqueueRun(tx: Transaction, job: RunJob, priority: number): Promise<void>;
}

/** What operations work with; built once at start. */
export interface Services {
  readonly db: Database;
  readonly queue: WorkQueue;
  readonly events: EventBus;
  readonly secrets: SecretBox;
  /** The ids of the vendors that this program can call. */
  readonly providerIds: readonly string[];
}
