import { invalid } from "#domain/invalid.ts";
import { runsCursor } from "#domain/runs/run-list.ts";
import type { RunsQuery } from "#domain/runs/run-list.ts";
import * as rows from "#db/queries/runs/list-runs.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";
import type { Workspace } from "../workspace.ts";

/** The rows of a page as JSON, separated by commas, and the cursor of the next page. */
export interface ListedRuns {
  readonly items: JsonText;
  readonly nextCursor: string | null;
}

/**
 * Lists all runs of the workspace: tasks, and team runs that were started without one.
 * @throws AppError `bad_request` for a cursor of another list or order.
 */
export async function listRuns(workspace: Workspace, query: RunsQuery): Promise<ListedRuns> {
  const { sort, cursor } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, runsCursor);
  if (cursor !== undefined && after?.sort !== sort) {
    throw invalid("query", [{ path: "cursor", message: `must be the next_cursor of this list with sort=${sort}` }]);
  }
  const { items, last } = await rows.listRuns(workspace, { ...query, after });
  return { items, nextCursor: last === null ? null : writeCursor(runsCursor, { sort, ...last }) };
}
