import type { ToldLimits } from "#db/queries/queue/model-gates.ts";

/** A limit and what is left of it. */
interface Told {
  readonly limit: number;
  readonly left: number;
  readonly fullInMs: number;
}

type Headers = Readonly<Record<string, string>>;

/** What a limit without a reset is taken to need until it is full again. */
const MINUTE_MS = 60_000;
const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Go's form of a duration, as OpenAI and Groq send it: `1h2m3.5s`, `120ms`. */
const DURATION = /(\d{1,12}(?:\.\d{1,12})?)(ms|[smhd])/g;
const NUMBER = /^\d+(?:\.\d+)?$/;
/** Larger numbers of a reset are times in Unix milliseconds, not seconds from now. */
const LARGEST_SECONDS = 1e10;

/**
 * The names of vendors' headers, in the order limit, left, reset; the first set that is there counts:
 * OpenAI, Azure, Groq and xAI; Anthropic; Mistral; OpenRouter; and the IETF's draft.
 */
const REQUESTS = [
  ["x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  [
    "anthropic-ratelimit-requests-limit",
    "anthropic-ratelimit-requests-remaining",
    "anthropic-ratelimit-requests-reset",
  ],
  ["x-ratelimit-limit-req-minute", "x-ratelimit-remaining-req-minute", ""],
  ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"],
  ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset"],
] as const;
const TOKENS = [
  ["x-ratelimit-limit-tokens", "x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  ["anthropic-ratelimit-tokens-limit", "anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"],
  [
    "anthropic-ratelimit-input-tokens-limit",
    "anthropic-ratelimit-input-tokens-remaining",
    "anthropic-ratelimit-input-tokens-reset",
  ],
  ["x-ratelimit-limit-tokens-minute", "x-ratelimit-remaining-tokens-minute", ""],
] as const;

/**
 * Reads the limits that a provider tells in its response headers (lower-case names); undefined when it tells none.
 * @param now in Unix milliseconds
 */
export function readLimits(headers: Headers, now: number): ToldLimits | undefined {
  const requests = firstOf(REQUESTS, headers, now);
  const tokens = firstOf(TOKENS, headers, now);
  if (requests === undefined && tokens === undefined) return undefined;
  return {
    ...(requests && { requests: requests.limit, requestsLeft: requests.left, requestsFullInMs: requests.fullInMs }),
    ...(tokens && { tokens: tokens.limit, tokensLeft: tokens.left, tokensFullInMs: tokens.fullInMs }),
  };
}

function firstOf(names: typeof REQUESTS | typeof TOKENS, headers: Headers, now: number): Told | undefined {
  for (const [limitName, leftName, resetName] of names) {
    const limit = numberOf(headers[limitName]);
    const left = numberOf(headers[leftName]);
    if (limit !== undefined && limit > 0 && left !== undefined) {
      return { limit, left, fullInMs: untilReset(headers[resetName], now) ?? MINUTE_MS };
    }
  }
  return undefined;
}

function numberOf(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? "";
  return NUMBER.test(trimmed) ? Number(trimmed) : undefined;
}

/** Milliseconds until a reset: a duration, seconds from now, Unix milliseconds, or a time as in RFC 3339. */
function untilReset(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = numberOf(text);
  if (number !== undefined) return number > LARGEST_SECONDS ? Math.max(0, number - now) : number * UNITS.s;
  const parts = [...text.matchAll(DURATION)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === text.trim()) {
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitOf(unit), 0);
  }
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

function unitOf(unit: string | undefined): number {
  return Object.entries(UNITS).find(([name]) => name === unit)?.[1] ?? 0;
}
