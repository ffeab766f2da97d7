import { z } from "zod";

/** What a fork of a task brings along, as it is in `tasks.fork`. A step is a call of the agent's model. */
export const taskFork = z.object({
  task_id: z.string(),
  attempt: z.int(),
  from_step: z.int(),
  /** What a person says besides before a step, by its number. */
  asides: z.record(z.string(), z.string()),
  /** What replaces fields of the agent. */
  agent: z.object({ model: z.string(), provider: z.string(), version: z.null() }).optional(),
});

/** See {@link taskFork}. */
export type TaskFork = z.output<typeof taskFork>;
