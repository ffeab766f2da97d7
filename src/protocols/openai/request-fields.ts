import { z } from "zod";
import { REASONING_EFFORTS, REASONING_SUMMARIES } from "#domain/models/model-catalogue.ts";

/** A field of OpenAI's API that agents do not support, but callers would rely on. */
const unsupported = (message: string) => z.null({ error: message }).optional();
const off = (message: string) => z.literal(false, { error: message }).nullish();
const NOT_SUPPORTED = "is not supported";

/** Fields of Chat Completions that would change the response. They are rejected, not ignored. */
export const unsupportedInChat = {
  n: z.literal(1, { error: "must be 1" }).nullish(),
  logprobs: off(NOT_SUPPORTED),
  top_logprobs: unsupported(NOT_SUPPORTED),
  audio: unsupported(NOT_SUPPORTED),
  modalities: z.array(z.literal("text", { error: 'only "text" is supported' })).nullish(),
  web_search_options: unsupported(`${NOT_SUPPORTED}: list web_search on the agent`),
  functions: unsupported(`${NOT_SUPPORTED}: use tools`),
  function_call: unsupported(`${NOT_SUPPORTED}: use tool_choice`),
};

const NO_LOGPROBS = "message.output_text.logprobs";

/** The corresponding fields of Responses. */
export const unsupportedInResponses = {
  conversation: unsupported(`${NOT_SUPPORTED}: use previous_response_id`),
  prompt: unsupported(`${NOT_SUPPORTED}: the agent has its own prompt`),
  top_logprobs: z.literal(0, { error: NOT_SUPPORTED }).nullish(),
  include: z.array(z.string().refine((field) => field !== NO_LOGPROBS, { error: NOT_SUPPORTED })).nullish(),
};

/** How much the model thinks before it replies. */
export const effort = z.enum(REASONING_EFFORTS);

/** How long the readable form of its thoughts is. */
export const summary = z.enum(REASONING_SUMMARIES);

const MAX_METADATA = 16;

/** Texts of the client for its own use, with OpenAI's limits. */
export const metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((given) => Object.keys(given).length <= MAX_METADATA, `must have at most ${MAX_METADATA} keys`)
  .nullish();
