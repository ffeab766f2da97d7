import { z } from "zod";
import { stepDetail } from "./step-detail.ts";
import { stepRow } from "./step-row.ts";

const time = z.iso.datetime().nullable();

/** What a link shows of a run: nothing but these fields. The records of members have more. */
export const sharedHead = z.object({
  kind: z.enum(["task", "run"]),
  title: z.string(),
  status: z.string().describe("As in the run's record."),
  created_at: z.iso.datetime(),
  started_at: time,
  ended_at: time,
  input: z.strictObject({ title: z.string(), description: z.string() }),
  result: z.string().nullable(),
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  seq: z.int().describe("The number of the newest event in its log: when it changes, so have the steps."),
  details: z.enum(["kept", "purged"]).describe("purged: the retention has deleted its steps."),
});

/** What it cost, where the link shows that. */
export const sharedCost = z.object({ tokens: z.number(), cost_usd: z.number() });

/** A run as a link shows it. */
export const sharedRun = z
  .strictObject({
    workspace: z.string().describe("Its name."),
    by: z.string().nullable().describe("The agent or team that works on it."),
    ...sharedHead.shape,
    cost: sharedCost.nullable().describe("null when the link does not show it."),
    shows_steps: z.boolean().describe("Whether the link shows the steps."),
    expires_at: z.iso.datetime().describe("When the link ends."),
  })
  .meta({ id: "SharedRun" });

/** See {@link sharedRun}. */
export type SharedRun = z.output<typeof sharedRun>;

/** A step in the list that a link shows. */
export const sharedStep = z
  .object(
    stepRow.pick({
      key: true,
      parent: true,
      kind: true,
      label: true,
      model: true,
      status: true,
      started_at: true,
      ended_at: true,
      error_code: true,
    }).shape,
  )
  .meta({ id: "SharedStep" });

/** The records of a step that a link shows: what was said and done, not what was sent to the model. */
export const sharedStepDetail = z
  .object({
    ...stepDetail.pick({ key: true, arguments: true, result: true, question: true, answer: true, error: true }).shape,
    text: z.string().nullable().describe("The text of the model's reply."),
  })
  .meta({ id: "SharedStepDetail" });

/** See {@link sharedStepDetail}. */
export type SharedStepDetail = z.output<typeof sharedStepDetail>;
