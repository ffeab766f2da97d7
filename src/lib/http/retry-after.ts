const MS_PER_SECOND = 1_000;
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * The pause that a provider asks for, in milliseconds, from its response headers (lower-case names). `retry-after-ms`
 * (OpenAI) is more precise and wins over `Retry-After`, which is in seconds or an HTTP date (RFC 9110, section 10.2.3).
 * Undefined when neither is present or valid.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers["retry-after-ms"]?.trim();
  if (milliseconds !== undefined && NUMBER.test(milliseconds)) {
    return Math.ceil(Number(milliseconds));
  }
  const value = headers["retry-after"]?.trim();
  if (value === undefined) {
    return undefined;
  }
  if (NUMBER.test(value)) {
    return Math.ceil(Number(value) * MS_PER_SECOND);
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
