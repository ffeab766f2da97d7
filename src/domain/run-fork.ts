import { z } from "zod";

const text = z.string().min(1).max(100_000);

const changes = z
  .strictObject({
    prompt: text.optional().describe("Replaces the instructions of the step."),
    model: z.string().min(1).max(200).optional().describe("Replaces the model of the step's agents, in this run only."),
    answer: text.optional().describe("Stands for the step's output; the step is not done."),
  })
  .refine(({ prompt, model, answer }) => answer === undefined || (prompt === undefined && model === undefined), {
    path: ["answer"],
    message: "stands for the whole step; leave out prompt and model",
  });

/** The body of POST /console/api/runs/{id}/fork. */
export const forkCreate = z
  .strictObject({
    from_step: z.int().min(0).describe("The step at which the new run begins, from 0."),
    changes: changes.optional(),
  })
  .describe("Starts a run that takes what came before a step from another run.");

/** A fork to start, checked. */
export type ForkCreate = z.output<typeof forkCreate>;

/** What a fork brings along, as it stands in `team_runs.fork`. */
export const runFork = z.object({
  run_id: z.string(),
  from_step: z.int(),
  /** For each step, from the first on, that is not done: who said what. Nobody: it was skipped. */
  given: z.array(z.array(z.object({ name: z.string(), text: z.string() }))),
  /** What replaces fields of the team's steps, by their index. */
  steps: z.record(z.string(), z.object({ instructions: z.string() })),
  /** What replaces fields of its agents, by their id. */
  agents: z.record(z.string(), z.object({ model: z.string(), provider: z.string(), version: z.null().optional() })),
});

/** See {@link runFork}. */
export type RunFork = z.output<typeof runFork>;

/** What an agent, or with an empty name a person, contributed to the output of a step that a fork does not do. */
export type GivenPart = RunFork["given"][number][number];
