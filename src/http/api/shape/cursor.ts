import { invalid } from "#domain/invalid.ts";
import type { PageStart } from "#db/queries/row-pages.ts";
import { isUuid } from "#lib/ids.ts";

/**
 * ISO 8601, extended or basic (20261130T120000Z): a date, an optional time with an optional fraction of a second, an
 * optional offset; UTC without one.
 */
const TIMESTAMP =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** An offset, with or without its colon or its minutes. */
const OFFSET = /^([+-]\d\d):?(\d\d)?$/;
const MICROSECOND_DIGITS = 6;
/** A year that both JavaScript and PostgreSQL can write: not 0000, not after 9999. */
const FOUR_DIGIT_YEAR = /^(?!0000)\d{4}-/;

/** Encodes a cursor: the time of the last row, and its id if the next row has the same time. */
export function formatCursor(start: PageStart): string {
  return start.id === undefined ? start.createdAt : `${start.createdAt}_${start.id}`;
}

/**
 * Parses a cursor: one of this API, or any ISO 8601 time. Returns the time in UTC with microseconds.
 * @throws AppError `bad_request`.
 */
export function parseCursor(cursor: string): PageStart {
  // A plus sign that a client did not encode arrives as a space.
  const [time = "", id, ...rest] = cursor.replace(" ", "+").split("_");
  const createdAt = toUtc(time);
  if (createdAt === undefined || (id !== undefined && !isUuid(id)) || rest.length > 0) {
    const message = "must be a next_cursor of an earlier response or an ISO 8601 time";
    throw invalid("query", [{ path: "cursor", message }]);
  }
  return { createdAt, ...(id !== undefined && { id }) };
}

function toUtc(time: string): string | undefined {
  const found = TIMESTAMP.exec(time);
  if (found === null) return undefined;
  const [, year, , month, date, hour = "00", , minute = "00", second = "00", fraction = "", zone = "Z"] = found;
  const day = `${year}-${month}-${date}`;
  if (!isDay(day)) return undefined;
  const offset = zone.toUpperCase().replace(OFFSET, (_, hours: string, minutes = "00") => `${hours}:${minutes}`);
  const moment = new Date(`${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(moment.getTime())) return undefined;
  const utc = moment.toISOString();
  if (!FOUR_DIGIT_YEAR.test(utc)) return undefined;
  const micros = fraction.slice(0, MICROSECOND_DIGITS).padEnd(MICROSECOND_DIGITS, "0");
  return `${utc.slice(0, "2026-11-30T12:00:00".length)}.${micros}Z`;
}

/** True if the calendar has this day: JavaScript parses 30 February as 1 or 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
