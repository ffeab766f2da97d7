import { listRecords } from "#db/queries/tasks/records.ts";
import type { ListFilter, Listable } from "#db/queries/tasks/records.ts";
import type { PageStart, RenderedPage } from "#db/queries/row-pages.ts";
import type { Workspace } from "./workspace.ts";

/** The list to read. */
export interface ListOptions extends ListFilter {
  readonly of: Listable;
  readonly limit: number;
  readonly after?: PageStart | undefined;
}

/** Lists a workspace's records, newest first. */
export function listPage(workspace: Workspace, options: ListOptions): Promise<RenderedPage> {
  return listRecords(workspace, options);
}
