import type { Artifact, Status, Task, TaskIds } from "./view.ts";
import type { PushConfig } from "#domain/destinations/push-config.ts";

/** A change of a task, independent of the version. */
export type Update = TaskIds &
  (
    | { readonly kind: "status"; readonly status: Status; readonly final: boolean }
    | {
        readonly kind: "artifact";
        readonly artifact: Artifact;
        /** True if its parts follow the previous ones; otherwise they replace them. */
        readonly append: boolean;
        readonly lastChunk: boolean;
      }
  );

/** The serialization of one version of A2A. */
export interface Dialect {
  readonly version: "0.3" | "1.0";
  /** A task as the result of a method that returns a task. */
  task(task: Task): object;
  /** A task as the result of sending a message, and as the first event of a stream. */
  sent(task: Task): object;
  update(update: Update): object;
  pushConfig(taskId: string, config: PushConfig): object;
  pushConfigs(taskId: string, configs: readonly PushConfig[]): object;
  /** The result of a delete method. */
  readonly deleted: object | null;
}
