import type { PushConfig } from "#db/queries/protocols/a2a/push-configs.ts";
import type { Artifact, Status, Task, TaskIds } from "./view.ts";

/** A change of a task, in no version's shape. */
export type Update = TaskIds &
  (
    | { readonly kind: "status"; readonly status: Status; readonly final: boolean }
    | {
        readonly kind: "artifact";
        readonly artifact: Artifact;
        /** Whether its parts follow those that were sent; they replace them otherwise. */
        readonly append: boolean;
        readonly lastChunk: boolean;
      }
  );

/** The shapes of one version of A2A. */
export interface Dialect {
  readonly version: "0.3" | "1.0";
  /** A task as the result of a method that answers with a task. */
  task(task: Task): object;
  /** A task as the result of sending a message, and as the first event of a stream. */
  sent(task: Task): object;
  update(update: Update): object;
  pushConfig(taskId: string, config: PushConfig): object;
  pushConfigs(taskId: string, configs: readonly PushConfig[]): object;
  /** The result of deleting something. */
  readonly deleted: object | null;
}
