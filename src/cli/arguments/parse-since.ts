import { UsageError } from "../errors/cli-error.ts";

/** `new Date` alone takes "5" for the month of May. */
const DATE = /^\d{4}-\d{2}-\d{2}/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How `parseSince` wants its text, for help. */
export const SINCE_FORM = "a time such as 2030-01-31T12:00:00Z, or how long ago, such as 30m, 2h or 7d";

/**
 * Returns the start of a period as an ISO time with its zone, such as `2030-01-31T12:00:00.000Z`.
 * @param option the name of the option, such as `since`
 * @param text a time, or how long before now
 * @throws UsageError if it is neither
 */
export function parseSince(option: string, text: string, now = Date.now()): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const time = isUnit(unit) ? new Date(now - Number(count) * UNIT_MS[unit]) : new Date(DATE.test(text) ? text : "");
  if (Number.isNaN(time.getTime())) throw new UsageError(`--${option} must be ${SINCE_FORM}; not "${text}".`);
  return time.toISOString();
}

function isUnit(text: string | undefined): text is keyof typeof UNIT_MS {
  return text !== undefined && text in UNIT_MS;
}
