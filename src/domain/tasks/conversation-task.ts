import type { ConversationMessage } from "./run-job.ts";
import type { TaskStatus } from "./task-status.ts";

/** An attachment or output file of a task. */
export interface TaskFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly direction: "input" | "output";
}

/** A task as A2A clients see it. */
export interface ConversationTask {
  readonly id: string;
  readonly agent_id: string;
  readonly context_id: string;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly conversation: readonly ConversationMessage[] | null;
  readonly result: string | null;
  readonly error: string | null;
  /** The open question, as the stream's INTERACTION_REQUEST. */
  readonly interaction: Readonly<Record<string, unknown>> | null;
  /** When it got its current status, in ISO 8601 with microseconds. */
  readonly status_at: string;
  /** The attachments of the task, and the outputs of its current attempt. */
  readonly files: readonly TaskFile[];
}
