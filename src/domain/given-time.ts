import { z } from "zod";

const END = Date.UTC(9999, 0);
/** PostgreSQL reads offsets up to 15:59; the largest in use is 14:00. */
const LARGE_OFFSET = /[+-](?:1[6-9]|2\d):\d\d$/;

/** A caller's time from the start of a year on: ISO 8601 with its offset, which the database can read. */
export function timeFrom(year: number) {
  const begin = Date.parse(`${String(year).padStart(4, "0")}-01-01T00:00:00Z`);
  return z.iso
    .datetime({ offset: true, abort: true })
    .refine((text) => !LARGE_OFFSET.test(text), { error: "must have an offset of at most 15:59", abort: true })
    .refine(
      (text) => Date.parse(text) >= begin && Date.parse(text) < END,
      `must be between the years ${year} and 9998`,
    );
}

/** A caller's time, of any year that can be stored. */
export const givenTime = timeFrom(1);
