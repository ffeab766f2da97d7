import type { PageRequest } from "#db/queries/row-pages.ts";
import { parseCursor } from "./cursor.ts";
import { listQuery } from "./list-query.ts";

/** The query of a list that has no filters: its page. */
export const pageQuery = listQuery.omit({ id: true });

/** The page in a list's parsed query. @throws AppError `bad_request` for an invalid cursor */
export function pageOf({
  limit,
  cursor,
}: {
  readonly limit: number;
  readonly cursor?: string | undefined;
}): PageRequest {
  return { limit, after: cursor === undefined ? undefined : parseCursor(cursor) };
}
