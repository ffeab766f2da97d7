import { z } from "zod";
import { openAiRefusal } from "./openai-words.ts";
import { openAiFault, openObjects } from "./tool-rules.ts";

const item = z.union([
  z.looseObject({ type: z.literal("function_call"), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.looseObject({ type: z.literal("function_call_output"), call_id: z.string() }),
  z.looseObject({ type: z.literal("reasoning"), id: z.string().optional(), encrypted_content: z.string().nullish() }),
  z.looseObject({ type: z.literal("item_reference"), id: z.string() }),
  z.looseObject({ type: z.literal("message").default("message"), role: z.string(), content: z.unknown() }),
]);

/** A request to the Responses API. */
export const responsesRequest = z.strictObject({
  model: z.string(),
  input: z.array(item),
  tools: z
    .array(
      z.looseObject({ type: z.string(), name: z.string(), parameters: z.unknown(), strict: z.boolean().nullish() }),
    )
    .optional(),
  tool_choice: z.unknown().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_output_tokens: z.int().optional(),
  store: z.boolean().default(true),
  include: z.array(z.string()).default([]),
  reasoning: z.looseObject({ effort: z.string().optional(), summary: z.string().nullish() }).optional(),
  text: z
    .looseObject({
      format: z
        .looseObject({
          type: z.string(),
          name: z.string().optional(),
          schema: z.unknown(),
          strict: z.boolean().nullish(),
        })
        .optional(),
    })
    .optional(),
  prompt_cache_key: z.string().max(64).optional(),
  parallel_tool_calls: z.boolean().optional(),
  metadata: z.unknown().optional(),
  stream: z.literal(true),
});

/** A request that has the vendor's form. */
export type ResponsesRequest = z.output<typeof responsesRequest>;

const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_LENGTH = 64;
const MIN_OUTPUT = 16;
const REASONS = /^(?:o\d|gpt-[5-9])/;
/** Models that reject a temperature even without reasoning. */
const FIXED_TEMPERATURE = /^(?:o\d|gpt-5(?:-|$)|gpt-6-astra|gpt-6\.)/;

/** The encrypted reasoning of a model. */
export function encryptedOf(model: string, id: string): string {
  return `gAAA.${Buffer.from(`${model}/${id}`).toString("base64url")}`;
}

/**
 * Checks a request by the rules of https://developers.openai.com/api/reference/responses and the guide to reasoning.
 * @throws Rejection
 */
export function checkResponses(body: unknown): void {
  const parsed = responsesRequest.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = issue?.code === "unrecognized_keys" ? (issue.keys[0] ?? "") : (issue?.path.join(".") ?? "");
    return openAiRefusal(`Unknown parameter: '${param}'.`, { param, code: "unknown_parameter" });
  }
  checkParameters(parsed.data);
  checkTools(parsed.data);
  checkFormat(parsed.data);
  checkReasoning(parsed.data);
  checkPairs(parsed.data);
}

function checkParameters({ model, temperature, reasoning, max_output_tokens: max, include }: ResponsesRequest): void {
  const isThinking = REASONS.test(model) && (FIXED_TEMPERATURE.test(model) || reasoning?.effort !== "none");
  if (temperature !== undefined && isThinking) {
    const message = "Unsupported parameter: 'temperature' is not supported with this model.";
    openAiRefusal(message, { param: "temperature", code: "unsupported_parameter" });
  }
  if (max !== undefined && max < MIN_OUTPUT) {
    const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${MIN_OUTPUT}, but got ${max} instead.`;
    openAiRefusal(message, { param: "max_output_tokens", code: "integer_below_min_value" });
  }
  if (include.includes("reasoning.encrypted_content") && !REASONS.test(model)) {
    openAiRefusal("Encrypted content is not supported with this model.", { param: "include" });
  }
}

function checkTools({ tools = [], tool_choice: choice, input }: ResponsesRequest): void {
  tools.forEach(({ name, parameters }, index) => {
    checkName(name, `tools[${index}].name`);
    const fault = openAiFault(parameters);
    if (fault === undefined) return;
    const param = `tools[${index}].parameters`;
    openAiRefusal(`Invalid schema for function '${name}': ${fault}`, { param, code: "invalid_function_parameters" });
  });
  if (choice === "required" && tools.length === 0) {
    openAiRefusal("Tool choice 'required' must be specified with 'tools' parameter.", { param: "tool_choice" });
  }
  input.forEach((each, index) => {
    if (each.type === "function_call") checkName(each.name, `input[${index}].name`);
    if ("call_id" in each) checkLength(String(each["call_id"]), `input[${index}].call_id`);
  });
}

function checkName(name: string, param: string): void {
  if (!NAME.test(name)) {
    const message = `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    openAiRefusal(message, { param, code: "invalid_value" });
  }
  checkLength(name, param);
}

function checkLength(text: string, param: string): void {
  if (text.length <= MAX_LENGTH) return;
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${MAX_LENGTH}, but got a string with length ${text.length} instead.`;
  openAiRefusal(message, { param, code: "string_above_max_length" });
}

/** Only strict schemas must be closed. */
function checkFormat({ text }: ResponsesRequest): void {
  const format = text?.format;
  if (format?.type !== "json_schema") return;
  const param = "text.format.schema";
  if (!NAME.test(format.name ?? "")) openAiRefusal("Invalid 'text.format.name'.", { param: "text.format.name" });
  if (format.strict === true && openObjects(format.schema).length > 0) {
    const message = `Invalid schema for response_format '${format.name}': In context=(), 'additionalProperties' is required to be supplied and to be false.`;
    openAiRefusal(message, { param, code: "invalid_json_schema" });
  }
}

function checkReasoning({ model, store, input }: ResponsesRequest): void {
  input.forEach((each, index) => {
    if (each.type === "item_reference" || (each.type === "reasoning" && each.encrypted_content == null)) {
      const message = `Item with id '${each.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
      if (!store) openAiRefusal(message, { param: "input", status: 404 });
      return;
    }
    if (each.type !== "reasoning") return;
    if (each.encrypted_content !== encryptedOf(model, each.id ?? "")) {
      const message =
        "The encrypted content gAAA…xxxx could not be verified. Reason: Encrypted content could not be decrypted or parsed.";
      openAiRefusal(message, { code: "invalid_encrypted_content" });
    }
    const next = input[index + 1];
    const isFollowed =
      next?.type === "function_call" ||
      next?.type === "reasoning" ||
      (next?.type === "message" && next.role === "assistant");
    if (!isFollowed) {
      openAiRefusal(`Item '${each.id}' of type 'reasoning' was provided without its required following item.`, {
        param: "input",
      });
    }
  });
}

function checkPairs({ input }: ResponsesRequest): void {
  const called = new Set(input.flatMap((each) => (each.type === "function_call" ? [each.call_id] : [])));
  const answered = new Set(input.flatMap((each) => (each.type === "function_call_output" ? [each.call_id] : [])));
  for (const id of called) {
    if (!answered.has(id)) openAiRefusal(`No tool output found for function call ${id}.`, { param: "input" });
  }
  for (const id of answered) {
    if (!called.has(id))
      openAiRefusal(`No tool call found for function call output with call_id ${id}.`, { param: "input" });
  }
}
