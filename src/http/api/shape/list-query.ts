import { z } from "zod";
import { givenId } from "#domain/given-id.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** The query of a list: a page, or one resource by its id. */
export const listQuery = z.strictObject({
  id: givenId.optional().describe("Read this one instead of a list."),
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe("Rows of a page."),
  cursor: z.string().optional().describe("next_cursor of the page before, or an ISO 8601 time."),
});

/** The filter of a list by a text that people remember: a part of the name, or the beginning of the id. */
export const nameFilter = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe("A part of the name, in whatever case, or the beginning of the id.");
