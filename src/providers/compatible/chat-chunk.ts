import { z } from "zod";

const text = z.string().nullish().catch(undefined);
/** Some servers write numbers as text. */
const count = z.coerce.number().optional().catch(undefined);

const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
  /** DeepSeek's and Moonshot's names of cached tokens. */
  prompt_cache_hit_tokens: count,
  cached_tokens: count,
});

const content = z.union([
  z.string(),
  // Mistral's reasoning models.
  z.array(
    z.union([
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({ type: z.literal("thinking"), thinking: z.array(z.object({ text: z.string() })) }),
    ]),
  ),
]);

const toolCall = z.object({
  index: z.int().optional().catch(undefined),
  id: text,
  function: z
    .object({
      name: text,
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((json) => JSON.stringify(json))])
        .nullish(),
    })
    .nullish(),
});

const delta = z.object({
  content: content.nullish().catch(undefined),
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  reasoning_details: z.array(z.record(z.string(), z.json())).nullish().catch(undefined),
  tool_calls: z.array(toolCall).nullish(),
});

/** A chunk of a reply; what is of no use, or has another form, is left out. */
export const chatChunk = z.object({
  choices: z
    .array(z.object({ delta: delta.nullish(), finish_reason: text, usage: usage.nullish().catch(undefined) }))
    .nullish(),
  usage: usage.nullish().catch(undefined),
});

/** The usage of a reply. */
export type ChatUsage = z.output<typeof usage>;
/** A piece of a message. */
export type ChatDelta = z.output<typeof delta>;
