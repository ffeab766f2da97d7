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
