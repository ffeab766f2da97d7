import type { JobKindName } from "#domain/tasks/job.ts";
import type { EventBus } from "#operations/streams/event-bus.ts";
import type { OwnedJob } from "../queue/lease.ts";
import type { EngineServices } from "../run/run-context.ts";

/** One execution of a job. */
export interface JobExecution<Input> {
  readonly job: OwnedJob<Input>;
  readonly bus: EventBus;
  /** Fires when the job is cancelled, or this process has lost it. */
  readonly signal: AbortSignal;
}

/** A kind of jobs. */
export interface JobKind<Input = never> {
  readonly name: JobKindName;
  /**
   * Runs a job to its end, or until it waits for a person. It begins again from the top when another process takes the
   * job over: recorded steps return what they returned before, everything else must be safe to do twice.
   * @throws OwnershipLost when the execution cannot continue; HandedOver when the process closes; anything else counts
   *   like the death of a process in the current step
   */
  run(engine: EngineServices, execution: JobExecution<Input>): Promise<void>;
}

/** Defines a kind of jobs; its file in this folder is found by `npm run gen`. */
export function defineJobKind<Input>(kind: JobKind<Input>): JobKind {
  return kind;
}
