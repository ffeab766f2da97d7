import { z } from "zod";
import { STEP_KINDS } from "./step-key.ts";

/** How a step stands. */
export const STEP_STATUSES = ["running", "waiting", "completed", "failed", "cancelled"] as const;

/** One of {@link STEP_STATUSES}. */
export type StepStatus = (typeof STEP_STATUSES)[number];

const time = z.int().describe("Unix milliseconds.");

/** A row in the list of a run's steps. Fields without a value are left out: a list of 500 steps stays small. */
export const stepRow = z
  .strictObject({
    key: z.string().describe("Names the step in its attempt, as in GET /console/api/runs/{id}/step."),
    parent: z.string().optional().describe("The key of the row of which it is a part."),
    kind: z.enum(STEP_KINDS),
    label: z.string().optional().describe("The tool, the title of a question, the name of a turn."),
    agent_id: z.uuid().optional().describe("Whose turn it is; of other rows it is that of their parent or of the run."),
    model: z.string().optional(),
    status: z.enum(STEP_STATUSES),
    started_at: time.optional(),
    first_token_at: time.optional(),
    ended_at: time.optional(),
    wait_ms: z.int().optional().describe("Of it: waiting for budgets, and between tries."),
    tries: z.int().optional().describe("Tries of a model call, where there was more than one."),
    prompt_tokens: z.int().optional(),
    completion_tokens: z.int().optional(),
    cost_usd: z.number().optional(),
    taken_over: z.literal(true).optional().describe("A fork has it from another run, which has paid for it."),
    error_code: z.string().optional().describe("As in RUN_ERROR; TOOL_ERROR for a tool that gave the model an error."),
    digest: z.string().optional().describe("Same for steps that did the same, if asked for: see digests=true."),
    size: z.int().optional().describe("Bytes of what is recorded of it."),
  })
  .meta({ id: "StepRow" });

/** See {@link stepRow}. */
export type StepRow = z.output<typeof stepRow>;
