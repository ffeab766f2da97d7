import { z } from "zod";
import { FINISH_REASONS } from "../models/reply-parts.ts";
import { STEP_KINDS } from "./step-key.ts";

/** The states of a step. */
export const STEP_STATUSES = ["running", "waiting", "completed", "failed", "cancelled"] as const;

/** One of {@link STEP_STATUSES}. */
export type StepStatus = (typeof STEP_STATUSES)[number];

const time = z.int().describe("Unix milliseconds.");

/** A row in the list of a run's steps. Fields without a value are omitted: a list of 500 steps remains small. */
export const stepRow = z
  .strictObject({
    key: z.string().describe("Identifies the step in its attempt, for GET /console/api/runs/{id}/step."),
    parent: z.string().optional().describe("The key of its parent row."),
    kind: z.enum(STEP_KINDS),
    label: z.string().optional().describe("The tool, the title of a question, or the name of a turn."),
    agent_id: z.uuid().optional().describe("The agent of a turn; other rows have that of their parent or of the run."),
    model: z.string().optional(),
    status: z.enum(STEP_STATUSES),
    started_at: time.optional(),
    first_token_at: time.optional(),
    ended_at: time.optional(),
    wait_ms: z.int().optional().describe("The part of it spent waiting for budgets, and between tries."),
    tries: z.int().optional().describe("The number of tries of a model call, if more than one."),
    failed_tries: z
      .array(z.strictObject({ started_at: time, ended_at: time }))
      .optional()
      .describe("The start and failure of each try of a model call, up to 20, if one failed."),
    prompt_tokens: z.int().optional(),
    completion_tokens: z.int().optional(),
    cached_tokens: z.int().optional().describe("The prompt tokens that the provider read from its cache."),
    cache_write_tokens: z.int().optional().describe("The prompt tokens that the provider wrote to its cache."),
    reasoning_tokens: z.int().optional().describe("The completion tokens of reasoning."),
    cost_usd: z.number().optional(),
    finish_reason: z.enum(FINISH_REASONS).optional().describe("Why a model's reply ended; absent: `stop`."),
    notes: z.int().optional().describe("How many notes say what was changed in the request for its model."),
    message_id: z.string().optional().describe("The `messageId` of a model call's text in the event log."),
    taken_over: z.literal(true).optional().describe("A fork took it over from another run, which has paid for it."),
    changed: z
      .literal(true)
      .optional()
      .describe("The fork was started with this answer or output instead of the original one."),
    error_code: z
      .string()
      .optional()
      .describe("As in RUN_ERROR; TOOL_ERROR for a tool that returned an error to the model."),
    error: z.string().optional().describe("The first 300 characters of the error of a model call."),
    rejected_by: z.string().optional().describe("The provider of models that rejected the key."),
    digest: z.string().optional().describe("Equal for equal steps; requested by digests=true."),
    size: z.int().optional().describe("The size of its record, in bytes."),
  })
  .meta({ id: "StepRow" });

/** See {@link stepRow}. */
export type StepRow = z.output<typeof stepRow>;
