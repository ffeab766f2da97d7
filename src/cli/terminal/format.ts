const MS_PER_SECOND = 1_000;
const SECONDS_PER_MINUTE = 60;
const SMALL_COST_USD = 0.01;

/** Formats a time of the API in the user's time zone: `2026-01-31 14:05:09`. */
export function formatTime(iso: string | null | undefined): string {
  // The Swedish form of a time is the sortable one.
  return iso ? new Date(iso).toLocaleString("sv-SE") : "";
}

/** `12,345` */
export function formatTokens(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

/** The tokens of model calls, as the API reports them. */
export interface UsedTokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
}

/** `12,345 tokens in (12,000 from the cache, 300 written to it), 56 out (20 reasoning)`; zeros are omitted. */
export function formatUsedTokens(used: UsedTokens): string {
  const sent = inBrackets([
    [used.cached_tokens, "from the cache"],
    [used.cache_write_tokens, "written to it"],
  ]);
  const received = inBrackets([[used.reasoning_tokens, "reasoning"]]);
  return `${formatTokens(used.prompt_tokens)} tokens in${sent}, ${formatTokens(used.completion_tokens)} out${received}`;
}

function inBrackets(parts: readonly (readonly [tokens: number, what: string])[]): string {
  const shown = parts.filter(([tokens]) => tokens > 0).map(([tokens, what]) => `${formatTokens(tokens)} ${what}`);
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}

/** `40 ms`, `1.4 s`, `12.0 s`, `3 min 5 s`. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < MS_PER_SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = ms / MS_PER_SECOND;
  if (seconds < SECONDS_PER_MINUTE) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / SECONDS_PER_MINUTE)} min ${whole % SECONDS_PER_MINUTE} s`;
}

/** Formats US dollars, small amounts with more decimals: `$1.25`, `$0.000420`, `$0`. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd.toFixed(usd < SMALL_COST_USD ? 6 : 2)}`;
}
