import { z } from "zod";
import { changedAnswer } from "../tasks/changed-answer.ts";
import { journalRow } from "../tasks/run-journal.ts";

const text = z.string().min(1).max(100_000);

const changes = z
  .strictObject({
    prompt: text
      .optional()
      .describe("Replaces the instructions of a pipeline's step; in other modes it is said at the step besides."),
    model: z.string().min(1).max(200).optional().describe("Replaces the model of the step's agents, in this run only."),
    answer: z
      .union([text, changedAnswer])
      .optional()
      .describe(
        "A text stands for the step's output, and the step is not done (of pipelines and discussions only). An object " +
          "replaces what a person answered in the step, which continues from there.",
      ),
    question: z
      .int()
      .min(0)
      .optional()
      .describe("Which of the questions that were answered in the step, from 0; the last one when absent."),
  })
  .refine(({ prompt, model, answer }) => answer === undefined || (prompt === undefined && model === undefined), {
    path: ["answer"],
    message: "cannot be changed together with prompt and model",
  })
  .refine(({ answer, question }) => question === undefined || typeof answer === "object", {
    path: ["question"],
    message: "says which answer is changed; give the answer as an object with it",
  });

/** The body of POST /console/api/runs/{id}/fork. */
export const forkCreate = z
  .strictObject({
    from_step: z
      .int()
      .min(0)
      .describe(
        "Where the new run begins, from 0: a step of a pipeline, a turn of a discussion, a call of the model of an " +
          "orchestrator's brain or of a task's agent.",
      ),
    changes: changes.optional(),
  })
  .describe("Starts a run that takes what came before a step from another run.");

/** A fork to start, checked. */
export type ForkCreate = z.output<typeof forkCreate>;

/** What a fork brings along, as it is in `team_runs.fork`. */
export const runFork = z.object({
  run_id: z.string(),
  from_step: z.int(),
  /**
   * For each step of a pipeline, or turn of a discussion, from the first on, that is not done: who said what.
   * Nobody: it was skipped.
   */
  given: z.array(
    z.array(
      z.object({
        /** Empty for a person. */
        name: z.string(),
        text: z.string(),
        /** In a discussion: the agent, whether it said that as the facilitator, and what it used. */
        agent_id: z.string().nullish(),
        moderates: z.boolean().optional(),
        tokens_used: z.int().optional(),
      }),
    ),
  ),
  /** What is in the run's journal from the beginning. Absent in the first forks. */
  journal: z.array(journalRow).optional(),
  /** What a person says at steps: what replaces fields of a pipeline's steps, by their index. */
  steps: z.record(z.string(), z.object({ instructions: z.string() })),
  /** What replaces fields of its agents, by their id. */
  agents: z.record(z.string(), z.object({ model: z.string(), provider: z.string(), version: z.null().optional() })),
});

/** See {@link runFork}. */
export type RunFork = z.output<typeof runFork>;

/** What somebody contributed to the output of a step that a fork does not do. */
export type GivenPart = RunFork["given"][number][number];
