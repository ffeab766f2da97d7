import { z } from "zod";
import { tokenUsage } from "#domain/models/model-call.ts";
import { FINISH_REASONS, toolCall } from "#domain/models/reply-parts.ts";
import { modelTry, providerExchange } from "./model-try.ts";
import { sentMessage, sentParameters, sentTool } from "./sent-request.ts";
import { ANSWER_CHANNELS } from "./step-facts.ts";
import { stepRow } from "./step-row.ts";

/** A step with all its records. */
export const stepDetail = stepRow
  .extend({
    run_id: z.uuid().describe("The task's or the team run's id."),
    log_id: z.uuid().describe("The id of its steps and events: the task's, or the team run's."),
    attempt: z.int(),
    request: z
      .strictObject({
        messages: z.array(sentMessage),
        kept: z.int().describe("The number of them that an earlier call of the turn has already sent."),
        tools: z.array(sentTool),
        parameters: sentParameters,
        message_tokens: z
          .array(z.int())
          .describe(
            "An estimate for each message: the prompt tokens that the provider reported, divided by size; without a " +
              "report, the estimate by which budgets reserve.",
          ),
      })
      .nullable()
      .describe("The request to the model; null for other steps, and if it was not recorded."),
    reply: z
      .strictObject({
        text: z.string(),
        reasoning: z.array(z.string()).describe("The model's thoughts, as far as the provider shows them."),
        tool_calls: z.array(toolCall),
        finish_reason: z.enum(FINISH_REASONS).describe("Why the reply ended."),
        finish_reason_raw: z.string().describe("The provider's word for it."),
        notes: z.array(z.string()).describe("What of the request was changed or left out for this model."),
        provider: z.string(),
        model: z.string(),
        usage: tokenUsage,
      })
      .nullable()
      .describe("The model's reply."),
    reserved: z
      .strictObject({ usd: z.number().nullable(), tokens: z.int() })
      .nullable()
      .describe("What budgets reserved for a model call: its worst case. `usd` is null for a model without a price."),
    arguments: z.string().nullable().describe("The arguments of a tool call: JSON as the model wrote it."),
    result: z
      .string()
      .nullable()
      .describe("The tool's result for the model, or the output of a step that a fork took over as a whole."),
    question: z.record(z.string(), z.unknown()).nullable().describe("The question to a person."),
    answer: z.record(z.string(), z.unknown()).nullable().describe("The person's answer."),
    answered_by: z
      .strictObject({ id: z.uuid(), name: z.string().nullable(), key_id: z.uuid().nullable() })
      .nullable()
      .describe(
        "The person who answered, or gave a changed output, and the API key if one was used; no name if the person has left the workspace.",
      ),
    answered_name: z.string().nullable().describe("The name entered by a person who answered through a link."),
    answered_via: z.enum(ANSWER_CHANNELS).nullable(),
    answered_at: z.int().nullable().describe("Unix milliseconds."),
    error: z.string().nullable().describe("Why the step failed."),
    attempts: z.array(modelTry).describe("The tries of a model call, if one failed."),
    exchanges: z.array(providerExchange).describe("The requests and responses of failed tries, if stored."),
    idempotency_key: z
      .string()
      .nullable()
      .describe("Sent by tools that support it, so that a repeated call takes effect once."),
  })
  .meta({ id: "StepDetail" });

/** See {@link stepDetail}. */
export type StepDetail = z.output<typeof stepDetail>;
