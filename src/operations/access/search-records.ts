import * as rows from "#db/queries/access/record-search.ts";
import type { FoundRecord } from "#db/queries/access/record-search.ts";
import type { Workspace } from "../workspace.ts";

/** Finds records of the caller's workspace by name, title or id; see `searchRecords` of the queries. */
export function searchRecords(workspace: Workspace, q: string): Promise<FoundRecord[]> {
  return rows.searchRecords(workspace, q);
}
