import { z } from "zod";

/** The changes of a task's fork, as stored in `tasks.fork`. A step is a call of the agent's model. */
export const taskFork = z.object({
  task_id: z.string(),
  attempt: z.int(),
  from_step: z.int(),
  /** A person's additional instructions before a step, by its number. */
  asides: z.record(z.string(), z.string()),
  /** Values that replace fields of the agent. */
  agent: z.object({ model: z.string(), provider: z.string(), version: z.null() }).optional(),
});

/** See {@link taskFork}. */
export type TaskFork = z.output<typeof taskFork>;
