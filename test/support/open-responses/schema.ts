import { z } from "zod";

/*
 * What Open Responses requires (https://www.openresponses.org, schema/components/schemas of openresponses/openresponses
 * on GitHub), written anew and stricter: no field may be missing, and an unknown event is an error.
 */

const nullableText = z.string().nullable();
const nullableInt = z.int().nullable();
const mode = z.enum(["none", "auto", "required"]);
const namedTool = z.object({ type: z.literal("function"), name: z.string() });

const outputText = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});
const summaryText = z.object({ type: z.literal("summary_text"), text: z.string() });
const status = z.enum(["in_progress", "completed", "incomplete"]);

const item = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: z.string(),
    status,
    role: z.literal("assistant"),
    content: z.array(outputText),
  }),
  z.object({
    type: z.literal("function_call"),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  z.object({ type: z.literal("reasoning"), id: z.string(), status, summary: z.array(summaryText) }),
]);

const tool = z.object({
  type: z.literal("function"),
  name: z.string(),
  description: nullableText,
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});

const format = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  z.object({ type: z.literal("json_object") }),
  z.object({
    type: z.literal("json_schema"),
    name: z.string(),
    description: nullableText,
    schema: z.record(z.string(), z.unknown()).nullable(),
    strict: z.boolean(),
  }),
]);

/** A response object. */
export const responseResource = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  completed_at: nullableInt,
  status: z.enum(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: nullableText,
  instructions: nullableText,
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(tool),
  tool_choice: z.union([
    mode,
    namedTool,
    z.object({ type: z.literal("allowed_tools"), mode, tools: z.array(namedTool) }),
  ]),
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.object({ effort: nullableText, summary: nullableText }).nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  max_output_tokens: nullableInt,
  max_tool_calls: nullableInt,
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  user: nullableText,
  safety_identifier: nullableText,
  prompt_cache_key: nullableText,
});

const numbered = { sequence_number: z.int() };
const inItem = { ...numbered, item_id: z.string(), output_index: z.int() };
const inPart = { ...inItem, content_index: z.int() };
const inSummary = { ...inItem, summary_index: z.int() };
const logprobs = z.array(z.never());

const whole = (type: string) => z.object({ type: z.literal(type), ...numbered, response: responseResource });
const ofItem = (type: string) => z.object({ type: z.literal(type), ...numbered, output_index: z.int(), item });
const ofPart = (type: string) => z.object({ type: z.literal(type), ...inPart, part: outputText });
const ofSummary = (type: string) => z.object({ type: z.literal(type), ...inSummary, part: summaryText });

/** An event of a response's stream. */
export const streamingEvent = z.union([
  ...["created", "queued", "in_progress", "completed", "failed", "incomplete"].map((name) => whole(`response.${name}`)),
  ofItem("response.output_item.added"),
  ofItem("response.output_item.done"),
  ofPart("response.content_part.added"),
  ofPart("response.content_part.done"),
  z.object({ type: z.literal("response.output_text.delta"), ...inPart, delta: z.string(), logprobs }),
  z.object({ type: z.literal("response.output_text.done"), ...inPart, text: z.string(), logprobs }),
  z.object({ type: z.literal("response.function_call_arguments.delta"), ...inItem, delta: z.string() }),
  z.object({ type: z.literal("response.function_call_arguments.done"), ...inItem, arguments: z.string() }),
  ofSummary("response.reasoning_summary_part.added"),
  ofSummary("response.reasoning_summary_part.done"),
  z.object({ type: z.literal("response.reasoning_summary_text.delta"), ...inSummary, delta: z.string() }),
  z.object({ type: z.literal("response.reasoning_summary_text.done"), ...inSummary, text: z.string() }),
]);

/** A response object, see {@link responseResource}. */
export type ResponseResource = z.output<typeof responseResource>;
