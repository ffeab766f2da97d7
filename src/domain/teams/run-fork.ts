import { z } from "zod";
import { agentChanges } from "../agents/agent-changes.ts";
import { REASONING_EFFORTS } from "../models/model-catalogue.ts";
import { changedAnswer } from "../tasks/changed-answer.ts";
import { journalRow } from "../tasks/run-journal.ts";

const text = z.string().min(1).max(100_000);
const MAX_RESULT = 1_000_000;
/** The fields that may stand beside an answer. */
const WITH_ANSWER: ReadonlySet<string> = new Set(["answer", "question"]);

/** What a fork changes at its first step. */
const changes = z
  .strictObject({
    prompt: text
      .optional()
      .describe("Replaces the instructions of a pipeline's step; in other modes, it is added at the step."),
    model: z.string().min(1).max(200).optional().describe("Replaces the model of the step's agents, in this run only."),
    effort: z
      .enum(REASONING_EFFORTS)
      .nullable()
      .optional()
      .describe("Replaces the reasoning effort of these agents; null: the provider's default."),
    temperature: z
      .number()
      .min(0)
      .max(2)
      .nullable()
      .optional()
      .describe("Replaces the temperature of these agents; null: the provider's default."),
    system_prompt: z
      .string()
      .max(100_000)
      .optional()
      .describe("Replaces the system prompt of a task's agent, in this run only."),
    message: text
      .optional()
      .describe(
        "Replaces the message that a task answers, which is the last of a conversation; with from_step 0 only.",
      ),
    tool_results: z
      .record(z.string().min(1).max(2_000), z.string().max(MAX_RESULT))
      .refine((given) => Object.keys(given).length > 0, "must name at least one call")
      .optional()
      .describe(
        "Replaces results of a task's tools in the step, by the keys of the calls, such as `tool:call_1`. The step is not " +
          "repeated: the new run continues from these results.",
      ),
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
  .refine((given) => given.answer === undefined || Object.keys(given).every((key) => WITH_ANSWER.has(key)), {
    path: ["answer"],
    message: "cannot be changed together with other changes",
  })
  .refine(({ tool_results, prompt, message }) => tool_results === undefined || (prompt ?? message) === undefined, {
    path: ["tool_results"],
    message: "cannot be changed together with prompt or message: with those, the step is repeated",
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

/** What a fork changes, validated. */
export type ForkChanges = z.output<typeof changes>;

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
  agents: z.record(z.string(), agentChanges),
});

/** See {@link runFork}. */
export type RunFork = z.output<typeof runFork>;

/** A contribution to the output of a step that a fork takes over. */
export type GivenPart = RunFork["given"][number][number];
