import { z } from "zod";
import { retryAfterMs } from "#lib/http/retry-after.ts";
import type { SafeReply } from "#lib/safe-fetch/safe-request.ts";

const TOO_MANY_REQUESTS = 429;
/** The statuses by which some vendors reject because of a limit; then they say how long to wait. */
const ALSO_LIMITS: ReadonlySet<number> = new Set([403, 503]);
const MIN_WAIT_MS = 1_000;

/**
 * Discord's body (https://discord.com/developers/docs/topics/rate-limits), and Telegram's
 * (https://core.telegram.org/bots/api#responseparameters); both in seconds.
 */
const body = z.union([
  z.object({ retry_after: z.number().nonnegative() }).transform(({ retry_after: seconds }) => seconds),
  z
    .object({ parameters: z.object({ retry_after: z.number().nonnegative() }) })
    .transform(({ parameters }) => parameters.retry_after),
]);

/**
 * How long a receiver asks to wait because of its rate limit, in milliseconds, at least one second; undefined when it
 * has another reason. The longer one counts when header and body differ: Discord's header has whole seconds.
 */
export function waitOf({ status, headers, text }: SafeReply, now: number): number | undefined {
  const byHeader = retryAfterMs(headers, now);
  const isLimit = status === TOO_MANY_REQUESTS || (ALSO_LIMITS.has(status) && byHeader !== undefined);
  return isLimit ? Math.max(MIN_WAIT_MS, byHeader ?? 0, secondsIn(text) * 1_000) : undefined;
}

function secondsIn(text: string): number {
  try {
    return body.safeParse(JSON.parse(text)).data ?? 0;
  } catch {
    return 0;
  }
}
