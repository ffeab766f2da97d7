import { z } from "zod";

/**
 * Invisible characters that change how a name reads: controls of the writing direction, and spaces without
 * width. Joiners stay: emoji and some scripts need them.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A name or title that people find a record by, without {@link INVISIBLE} characters: two names that look alike are alike.
 * Blanks alone would show as nothing. @param max its most characters
 */
export function displayName(max: number) {
  return z
    .string()
    .overwrite((text) => text.replaceAll(INVISIBLE, ""))
    .min(1, { abort: true })
    .max(max)
    .regex(/\S/, "must not be blank");
}
