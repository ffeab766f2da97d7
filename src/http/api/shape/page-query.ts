import type { PageRequest } from "#db/queries/row-pages.ts";
import type { HttpContext } from "../../context.ts";
import { readQuery } from "../../middleware/read-body.ts";
import { parseCursor } from "./cursor.ts";
import { listQuery } from "./list-query.ts";

/** The query of a list that has no filters: its page. */
export const pageQuery = listQuery.omit({ id: true });

/** Reads which page is asked for. @throws AppError `bad_request`. */
export function readPage(c: HttpContext): PageRequest {
  const { limit, cursor } = readQuery(c, pageQuery);
  return { limit, after: cursor === undefined ? undefined : parseCursor(cursor) };
}
