import { z } from "zod";
import { checkOutcome, goldenCheck } from "#domain/golden/golden-check.ts";
import { GOLDEN_RESULT_STATES, GOLDEN_RUN_STATES } from "#domain/golden/golden-run.ts";
import { recordedTool } from "#domain/golden/recorded-tools.ts";
import { feedbackRecord } from "#domain/runs/feedback.ts";

const time = z.iso.datetime();

const figures = {
  cost_usd: z.number(),
  tokens: z.number().describe("Prompt and completion tokens."),
  duration_ms: z.number().describe("Without waits for people."),
};

const shared = {
  id: z.uuid(),
  agent_id: z.uuid(),
  name: z.string(),
  source_run_id: z.uuid().describe("The run that was kept; it may have been deleted since."),
  source_attempt: z.int(),
  expected: z.string(),
  checks: z.array(goldenCheck),
  agent_version: z.int().nullable().describe("The version that made the kept run; null if it was changed for it."),
  ...figures,
  created_by: z.uuid().nullable(),
  created_at: time,
  updated_at: time,
};

/** A golden case, as lists show it. */
export const goldenCaseRecord = z
  .strictObject({ ...shared, tools: z.array(z.string()).describe("The tools that the kept run called, in order.") })
  .meta({ id: "GoldenCase" });

/** A golden case with all that it has recorded. */
export const goldenCaseDetails = z
  .strictObject({
    ...shared,
    input: z
      .strictObject({
        title: z.string(),
        description: z.string(),
        conversation: z.array(z.looseObject({ role: z.string(), content: z.string() })).nullable(),
        clientTools: z.unknown(),
        files: z.int().describe("The number of its files, which belong to the kept run."),
      })
      .describe("What a run of the case is given."),
    result: z.string().nullable().describe("Of the kept run."),
    tools: z.array(recordedTool).describe("The calls of the kept run with their results."),
    feedback: z.array(feedbackRecord).describe("What people had said of the run."),
  })
  .meta({ id: "GoldenCaseDetails" });

const goldenRun = {
  id: z.uuid(),
  agent_id: z.uuid(),
  version: z.int().nullable().describe("The version that has the fields of the candidate; null if none has."),
  model: z.string(),
  status: z.enum(GOLDEN_RUN_STATES).describe("passed: all of its cases have."),
  cases: z.int(),
  running: z.int(),
  passed: z.int(),
  failed: z.int(),
  diverged: z.int().describe("Cases whose agent made a call, or asked something, that the record does not answer."),
  cancelled: z.int(),
  cost_usd: z.number().describe("What the candidate has cost; judges are not in it."),
  cost_usd_before: z.number().describe("What the kept runs had cost."),
  created_by: z.uuid().nullable(),
  created_at: time,
  ended_at: time.nullable(),
};

/** A golden run, as lists show it. */
export const goldenRunRecord = z.strictObject(goldenRun).meta({ id: "GoldenRun" });

const side = {
  result: z.string().nullable(),
  tools: z.array(z.string()),
};

/** A golden run with the result of each case. */
export const goldenRunDetails = z
  .strictObject({
    ...goldenRun,
    results: z.array(
      z.strictObject({
        case_id: z.uuid(),
        name: z.string(),
        run_id: z.uuid().describe("The task that tried it."),
        status: z.enum(GOLDEN_RESULT_STATES),
        reason: z.string().nullable().describe("Why its task failed, diverged or was cancelled."),
        checks: z.array(checkOutcome).describe("Empty for a task that came to no result."),
        before: z.strictObject({ ...side, expected: z.string(), ...figures }).describe("Of the kept run."),
        after: z
          .strictObject({
            ...side,
            cost_usd: z.number().nullable(),
            tokens: z.number().nullable(),
            duration_ms: z.number().nullable(),
          })
          .describe("Of the candidate."),
      }),
    ),
  })
  .meta({ id: "GoldenRunDetails" });
