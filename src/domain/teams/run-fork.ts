import { z } from "zod";
import { changedAnswer } from "../tasks/changed-answer.ts";
import { journalRow } from "../tasks/run-journal.ts";

const text = z.string().min(1).max(100_000);

const changes = z
  .strictObject({
    prompt: text
      .optional()
      .describe("Replaces the instructions of a pipeline's step; in other modes, it is added at the step."),
    model: z.string().min(1).max(200).optional().describe("Replaces the model of the step's agents, in this run only."),
    answer: z
      .union([text, changedAnswer])
      .optional()
      .describe(
        "A text replaces the step's output, and the step is not run; a task and an orchestrator's run end with it. " +
          "An object replaces a person's answer in the step, which continues from there.",
      ),
    question: z
      .union([z.int().min(0), z.string().min(1).max(2_000)])
      .optional()
      .describe("The answered question of the step: its index, from 0, or its key; by default the last."),
  })
  .refine(({ prompt, model, answer }) => answer === undefined || (prompt === undefined && model === undefined), {
    path: ["answer"],
    message: "cannot be changed together with prompt and model",
  })
  .refine(({ answer, question }) => question === undefined || typeof answer === "object", {
    path: ["question"],
    message: "selects the answer to change; set changes.answer to an object, too",
  });

/** The body of POST /console/api/runs/{id}/fork. */
export const forkCreate = z
  .strictObject({
    from_step: z
      .int()
      .min(0)
      .describe(
        "The step at which the new run starts, from 0: a step of a pipeline, a turn of a discussion, or a model call of an " +
          "orchestrator's brain or of a task's agent.",
      ),
    attempt: z.int().min(1).optional().describe("The attempt to fork; by default the newest."),
    changes: changes.optional(),
  })
  .describe("Starts a run that takes over the earlier steps of another run.");

/** A fork to start, validated. */
export type ForkCreate = z.output<typeof forkCreate>;

/** The changes of a run's fork, as stored in `team_runs.fork`. */
export const runFork = z.object({
  run_id: z.string(),
  /** The forked attempt. Absent in the first forks, which are of the newest one then. */
  attempt: z.int().optional(),
  from_step: z.int(),
  /**
   * For each step of a pipeline, or turn of a discussion, that is taken over: the agents' contributions. Empty: it was
   * skipped.
   */
  given: z.array(
    z.array(
      z.object({
        /** Empty for a person. */
        name: z.string(),
        text: z.string(),
        /** In a discussion: the agent, whether it spoke as the facilitator, and its usage. */
        agent_id: z.string().nullish(),
        moderates: z.boolean().optional(),
        tokens_used: z.int().optional(),
      }),
    ),
  ),
  /** The names of these steps, as in the list of the other run's steps. Absent in the first forks. */
  names: z.array(z.string()).optional(),
  /** The first rows of the run's journal. Absent in the first forks. */
  journal: z.array(journalRow).optional(),
  /** A person's instructions for steps: they replace fields of a pipeline's steps, by index. */
  steps: z.record(z.string(), z.object({ instructions: z.string() })),
  /** Values that replace fields of its agents, by agent id. */
  agents: z.record(z.string(), z.object({ model: z.string(), provider: z.string(), version: z.null().optional() })),
});

/** See {@link runFork}. */
export type RunFork = z.output<typeof runFork>;

/** A contribution to the output of a step that a fork takes over. */
export type GivenPart = RunFork["given"][number][number];
