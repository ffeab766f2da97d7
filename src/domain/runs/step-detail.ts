import { z } from "zod";
import { tokenUsage, toolCall } from "#domain/models/model-call.ts";
import { modelTry, vendorExchange } from "./model-try.ts";
import { sentMessage, sentParameters, sentTool } from "./sent-request.ts";
import { ANSWER_CHANNELS } from "./step-facts.ts";
import { stepRow } from "./step-row.ts";

/** A step with all that is recorded of it. */
export const stepDetail = stepRow
  .extend({
    run_id: z.uuid().describe("The task's or the team run's id."),
    log_id: z.uuid().describe("Under which its steps and events stand: the task's id, or that of the team's run."),
    attempt: z.int(),
    request: z
      .strictObject({
        messages: z.array(sentMessage),
        kept: z.int().describe("How many of them an earlier call of the turn has sent already; the rest is new."),
        tools: z.array(sentTool),
        parameters: sentParameters,
      })
      .nullable()
      .describe("What the model was sent, as it was sent; null for other steps, and where it was not recorded."),
    reply: z
      .strictObject({
        text: z.string(),
        tool_calls: z.array(toolCall),
        provider: z.string(),
        model: z.string(),
        usage: tokenUsage,
      })
      .nullable()
      .describe("What the model answered."),
    arguments: z.string().nullable().describe("With which the model called a tool: JSON as it wrote it."),
    result: z.string().nullable().describe("What the tool gave the model."),
    question: z.record(z.string(), z.unknown()).nullable().describe("What a person was asked."),
    answer: z.record(z.string(), z.unknown()).nullable().describe("What the person answered."),
    answered_by: z
      .strictObject({ id: z.uuid(), name: z.string().nullable(), key_id: z.uuid().nullable() })
      .nullable()
      .describe("Who answered, and with which API key if with one; no name when the person has left the workspace."),
    answered_name: z.string().nullable().describe("The name entered by a person who answered through a link."),
    answered_via: z.enum(ANSWER_CHANNELS).nullable(),
    answered_at: z.int().nullable().describe("Unix milliseconds."),
    error: z.string().nullable().describe("Why the step failed."),
    attempts: z.array(modelTry).describe("The tries of a model call, where one failed."),
    exchanges: z.array(vendorExchange).describe("What was exchanged with the vendor in tries that failed, if kept."),
    idempotency_key: z.string().nullable().describe("Sent by tools that can, so that a call counts once."),
  })
  .meta({ id: "StepDetail" });

/** See {@link stepDetail}. */
export type StepDetail = z.output<typeof stepDetail>;
