import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { isRecord } from "#lib/is-record.ts";
import { promptOnly } from "../ai-sdk/reported-usage.ts";
import type { ReadUsage } from "../ai-sdk/reported-usage.ts";
import { toUsage } from "../ai-sdk/reply-stream.ts";
import { chatChunk } from "./chat-chunk.ts";
import type { ChatUsage } from "./chat-chunk.ts";

/** The usage in the form of the AI SDK. */
export function chatUsage(usage: ChatUsage | undefined): LanguageModelV4Usage {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage ?? {};
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = usage?.prompt_tokens_details ?? {};
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
  const known = (prompt ?? 0) + (completion ?? 0);
  // xAI counts its reasoning apart.
  const isApart = reasoning !== undefined && reasoning > 0 && total === known + reasoning;
  return {
    inputTokens: {
      total: prompt,
      noCache: undefined,
      cacheRead: cached ?? usage?.prompt_cache_hit_tokens ?? usage?.cached_tokens,
      cacheWrite,
    },
    outputTokens: { total: isApart ? (completion ?? 0) + reasoning : completion, text: undefined, reasoning },
  };
}

/** Chat Completions report usage in a chunk after the reply; some endpoints do so in each chunk. */
export const readChatUsage: ReadUsage = (event, before) => {
  if (!isRecord(event)) return before;
  const [choice]: readonly unknown[] = Array.isArray(event["choices"]) ? event["choices"] : [];
  const isReport = isRecord(event["usage"]) || (isRecord(choice) && isRecord(choice["usage"]));
  if (!isReport) return before && choice !== undefined ? promptOnly(before) : before;
  const { data: chunk } = chatChunk.safeParse(event);
  return toUsage(chatUsage(chunk?.usage ?? chunk?.choices?.[0]?.usage ?? undefined));
};
