import { z } from "zod";
import type { ReportedUsage } from "#domain/models/model-call.ts";
import { isRecord } from "#lib/is-record.ts";
import { tokenCount } from "./token-count.ts";

/**
 * Reads what an event of a stream reports of the call's usage: what is known after it. So an interrupted call is
 * counted as far as its provider has counted it.
 */
export type ReadUsage = (event: unknown, before: ReportedUsage | undefined) => ReportedUsage | undefined;

/** Of a report that is older than a part of the reply, only the prompt's tokens hold. */
export function promptOnly({ promptTokens, cachedTokens, cacheWriteTokens }: ReportedUsage): ReportedUsage {
  return { promptTokens, cachedTokens, cacheWriteTokens };
}

const count = z.number().transform(tokenCount).catch(0);

const messageStart = z.object({
  message: z.object({
    usage: z.object({ input_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count }),
  }),
});
const messageDelta = z.object({ usage: z.object({ output_tokens: count }) });

/**
 * Anthropic counts the prompt in the first event, and the reply in the last.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export const readAnthropicUsage: ReadUsage = (event, before) => {
  const type = isRecord(event) ? event["type"] : undefined;
  if (type === "message_start") {
    const usage = messageStart.safeParse(event).data?.message.usage;
    if (usage === undefined) return before;
    const { input_tokens: fresh, cache_read_input_tokens: cachedTokens } = usage;
    const { cache_creation_input_tokens: cacheWriteTokens } = usage;
    return { promptTokens: fresh + cachedTokens + cacheWriteTokens, cachedTokens, cacheWriteTokens };
  }
  const usage = type === "message_delta" ? messageDelta.safeParse(event).data?.usage : undefined;
  return before && usage ? { ...before, completionTokens: usage.output_tokens } : before;
};

const generated = z.object({
  usageMetadata: z.object({
    promptTokenCount: count,
    cachedContentTokenCount: count,
    candidatesTokenCount: count,
    thoughtsTokenCount: count,
  }),
});

/** Google counts both in each event. https://ai.google.dev/api/generate-content#UsageMetadata */
export const readGoogleUsage: ReadUsage = (event, before) => {
  const usage = generated.safeParse(event).data?.usageMetadata;
  if (usage === undefined) return before && promptOnly(before);
  return {
    promptTokens: usage.promptTokenCount,
    completionTokens: usage.candidatesTokenCount + usage.thoughtsTokenCount,
    cachedTokens: usage.cachedContentTokenCount,
    reasoningTokens: usage.thoughtsTokenCount,
  };
};
