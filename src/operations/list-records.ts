import { listRecords } from "#db/queries/records.ts";
import type { Listable, PageStart } from "#db/queries/records.ts";
import type { Principal } from "#domain/principal.ts";
import type { JsonText } from "#lib/json-text.ts";
import type { Services } from "./context.ts";

/** A page of a list, newest first. */
export interface Page {
  readonly items: readonly JsonText[];
  /** Where the next page begins; null on the last one. */
  readonly next: PageStart | null;
}

/** What to list. */
export interface ListOptions {
  readonly of: Listable;
  readonly limit: number;
  readonly after?: PageStart | undefined;
  readonly status?: string | undefined;
}

/**
 * Lists records. A page ends at a time; only when the next row has that very same time does
 * `next` carry an id as well. So no row is lost or doubled, whatever is inserted meanwhile.
 */
export async function listPage(services: Services, who: Principal, options: ListOptions): Promise<Page> {
  const rows = await listRecords(services.db, who.workspaceId, { ...options, limit: options.limit + 1 });
  const shown = rows.slice(0, options.limit);
  const last = shown[shown.length - 1];
  const beyond = rows[options.limit];
  const items = shown.map((row) => row.record);
  if (last === undefined || beyond === undefined) return { items, next: null };
  const sameTime = last.created_at === beyond.created_at;
  return { items, next: { createdAt: last.created_at, ...(sameTime && { id: last.id }) } };
}
