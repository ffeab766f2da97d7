import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import { wholeNumber } from "./whole-number.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_TEXT = 200;

/** The query of a list: a page, or one resource by its id. */
export const listQuery = z.strictObject({
  id: givenId.optional().describe("Read this one instead of a list."),
  limit: wholeNumber({ min: 1, max: MAX_LIMIT }).default(DEFAULT_LIMIT).describe("The page size."),
  cursor: z.string().optional().describe("next_cursor of the previous page, or an ISO 8601 time."),
});

/** Filters a list by a part of the name, or the beginning of the id. */
export const nameFilter = textFilter("A part of the name, ignoring case, or the start of the id.");

/** Filters a list by a text. @param what it is compared with, for the document */
export function textFilter(what: string) {
  return z.string().trim().min(1).max(MAX_TEXT).optional().describe(what);
}
