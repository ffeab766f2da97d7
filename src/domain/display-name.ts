import { z } from "zod";

/** A name or title that people find a record by. Blanks alone would show as nothing. @param max its most characters */
export function displayName(max: number) {
  return z.string().min(1, { abort: true }).max(max).regex(/\S/, "must not be blank");
}
