import { UsageError } from "../errors/cli-error.ts";

/** `new Date` alone takes "5" for the month of May. */
const DATE = /^\d{4}-\d{2}-\d{2}/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How `parseSince` wants its text, for help. */
export const SINCE_FORM = "a time such as 2030-01-31T12:00:00Z, or how long ago, such as 30m, 2h or 7d";
/** How `parseAt` wants its text, for help. */
export const AT_FORM = "a time such as 2030-01-31T12:00:00Z, or how far ahead, such as 30m, 2h or 7d";

/**
 * Returns the start of a period as an ISO time with its zone, such as `2030-01-31T12:00:00.000Z`.
 * @param option the name of the option, such as `since`
 * @param text a time, or how long before now
 * @throws UsageError if it is neither
 */
export function parseSince(option: string, text: string, now = Date.now()): string {
  return parseTime(text, now, -1) ?? fail(option, SINCE_FORM, text);
}

/**
 * Returns a time to come as an ISO time with its zone.
 * @param text a time, or how long after now
 * @throws UsageError if it is neither
 */
export function parseAt(option: string, text: string, now = Date.now()): string {
  return parseTime(text, now, 1) ?? fail(option, AT_FORM, text);
}

function parseTime(text: string, now: number, direction: 1 | -1): string | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const distance = isUnit(unit) ? direction * Number(count) * UNIT_MS[unit] : undefined;
  const time = distance === undefined ? new Date(DATE.test(text) ? text : "") : new Date(now + distance);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function fail(option: string, form: string, text: string): never {
  throw new UsageError(`--${option} must be ${form}; not "${text}".`);
}

function isUnit(text: string | undefined): text is keyof typeof UNIT_MS {
  return text !== undefined && text in UNIT_MS;
}
