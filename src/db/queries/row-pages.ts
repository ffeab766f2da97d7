import type { PageStart } from "./tasks/records.ts";

/** The page that is asked for of a list of rows. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: PageStart | undefined;
}

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null on the last one. */
  readonly next: PageStart | null;
}

/** The lowest id, in SQL: a cursor without an id continues after its time in descending lists. */
export const FIRST_ID = "'00000000-0000-0000-0000-000000000000'::uuid";
/** The highest id, in SQL: the same for ascending lists. */
export const LAST_ID = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid";

/** The parameters of a page: the time and the id after which it begins, and its limit. */
export function pageValues({ limit, after }: PageRequest): readonly [string | null, string | null, number] {
  return [after?.createdAt ?? null, after?.id ?? null, limit];
}

/** The page in rows of which one more than `limit` was read. */
export function pageOf<Row extends { readonly created_at: string }>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
): RowPage<Row> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || last === undefined) return { rows: page, next: null };
  return { rows: page, next: { createdAt: last.created_at, id: idOf(last) } };
}
