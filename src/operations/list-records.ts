import { listRecords } from "#db/queries/records.ts";
import type { ListFilter, Listable, PageStart, RenderedPage } from "#db/queries/records.ts";
import type { Principal } from "#domain/principal.ts";
import type { Services } from "./context.ts";

/** What to list. */
export interface ListOptions extends ListFilter {
  readonly of: Listable;
  readonly limit: number;
  readonly after?: PageStart | undefined;
}

/**
 * Lists a workspace's records, newest first. Those who ask for the same page at the same time share its reading: so
 * this is not for the inside of a joint transaction, which others must not see before its end.
 */
export function listPage(services: Services, who: Principal, options: ListOptions): Promise<RenderedPage> {
  const { workspaceId, role, userId } = who;
  const key = JSON.stringify([workspaceId, role, userId, options]);
  return services.pages(key, () => listRecords(services.db, who, options));
}
