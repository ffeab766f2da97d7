import type { JobKindName } from "#domain/tasks/job.ts";
import type { OwnedJob } from "../queue/lease.ts";
import type { EngineServices } from "../run/run-context.ts";
import type { EventBus } from "#operations/ports.ts";

/** One execution of a job. */
export interface JobExecution<Input> {
  readonly job: OwnedJob<Input>;
  readonly bus: EventBus;
  /** Aborts when the job is cancelled, or this process has lost it. */
  readonly signal: AbortSignal;
}

/** A job kind. */
export interface JobKind<Input = never> {
  readonly name: JobKindName;
  /**
   * Runs a job until it ends or waits for a person. When another process takes over the job, the handler runs again
   * from the beginning: recorded steps return their recorded values; all other code must be safe to repeat.
   * @throws OwnershipLostError when the execution cannot continue; HandedOverError when the process closes; any other
   * error counts like a crash in the current step
   */
  run(engine: EngineServices, execution: JobExecution<Input>): Promise<void>;
}

/** Defines a job kind; `npm run gen` finds its file in this folder. */
export function defineJobKind<Input>(kind: JobKind<Input>): JobKind {
  return kind;
}
