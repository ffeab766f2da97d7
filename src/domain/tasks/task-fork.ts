import { z } from "zod";
import { agentChanges } from "../agents/agent-changes.ts";

/** The changes of a task's fork, as stored in `tasks.fork`. A step is a call of the agent's model. */
export const taskFork = z.object({
  task_id: z.string(),
  attempt: z.int(),
  from_step: z.int(),
  /** A person's additional instructions before a step, by its number. */
  asides: z.record(z.string(), z.string()),
  /** Values that replace fields of the agent, and its version that has the others. Older forks lack the version. */
  agent: agentChanges.optional(),
  of_version: z.int().optional(),
});

/** See {@link taskFork}. */
export type TaskFork = z.output<typeof taskFork>;
