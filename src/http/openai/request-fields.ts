import { z } from "zod";

/** A field of OpenAI's API that agents do not support, but callers would rely on. */
const unsupported = (message: string) => z.null({ error: message }).optional();
const off = (message: string) => z.literal(false, { error: message }).nullish();
const NOT_SUPPORTED = "is not supported";

const plainText = z.looseObject({ type: z.literal("text", { error: 'only "text" is supported' }) }).nullish();

/**
 * Fields of Chat Completions that would change the response. They are rejected, not ignored. Fields that tune the model
 * (temperature, max_tokens …) have no effect: the agent's own settings apply.
 */
export const unsupportedInChat = {
  n: z.literal(1, { error: "must be 1" }).nullish(),
  logprobs: off(NOT_SUPPORTED),
  top_logprobs: unsupported(NOT_SUPPORTED),
  audio: unsupported(NOT_SUPPORTED),
  modalities: z.array(z.literal("text", { error: 'only "text" is supported' })).nullish(),
  response_format: plainText,
  web_search_options: unsupported(`${NOT_SUPPORTED}: list web_search on the agent`),
  functions: unsupported(`${NOT_SUPPORTED}: use tools`),
  function_call: unsupported(`${NOT_SUPPORTED}: use tool_choice`),
};

/** The corresponding fields of Responses. */
export const unsupportedInResponses = {
  conversation: unsupported(`${NOT_SUPPORTED}: use previous_response_id`),
  prompt: unsupported(`${NOT_SUPPORTED}: the agent has its own prompt`),
  text: z.looseObject({ format: plainText }).nullish(),
  top_logprobs: z.literal(0, { error: NOT_SUPPORTED }).nullish(),
};
