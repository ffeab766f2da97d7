import type { UsageEntry } from "#db/queries/runs/run-steps.ts";
import type { EventUsage } from "#domain/streams/stream-event.ts";

/** The tokens of one model's calls. */
export type ModelTokens = Pick<UsageEntry, "provider" | "model" | "prompt_tokens" | "completion_tokens"> &
  Partial<Pick<UsageEntry, "cached_tokens" | "cache_write_tokens" | "reasoning_tokens">>;

/** The tokens that an attempt has used so far. */
export interface UsageTally {
  add(used: ModelTokens): void;
  /** The field of the event that ends the run; none without any tokens. */
  field(): { readonly usage?: readonly EventUsage[] };
}

/** Creates the tally of an attempt, with the usage of its earlier executions. */
export function createUsageTally(earlier: readonly ModelTokens[]): UsageTally {
  const calls = [...earlier];
  return {
    add: (used) => void calls.push(used),
    field() {
      const byModel = Map.groupBy(calls, ({ provider, model }) => JSON.stringify([provider, model]));
      const usage = [...byModel.values()].map(sumOf).filter(({ totalTokens }) => totalTokens > 0);
      return usage.length === 0 ? {} : { usage };
    },
  };
}

function sumOf(calls: readonly ModelTokens[]): EventUsage {
  const [{ provider, model } = { provider: "", model: "" }] = calls;
  const sum = (tokens: (call: ModelTokens) => number | undefined) =>
    calls.reduce((total, call) => total + (tokens(call) ?? 0), 0);
  const inputTokens = sum((call) => call.prompt_tokens);
  const outputTokens = sum((call) => call.completion_tokens);
  const reasoningTokens = sum((call) => call.reasoning_tokens);
  const cachedInputTokens = sum((call) => call.cached_tokens);
  const cacheWriteInputTokens = sum((call) => call.cache_write_tokens);
  return {
    provider,
    model,
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(reasoningTokens > 0 && { reasoningTokens }),
    ...(cachedInputTokens > 0 && { cachedInputTokens }),
    ...(cacheWriteInputTokens > 0 && { cacheWriteInputTokens }),
  };
}
