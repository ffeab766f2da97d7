import type { JsonText } from "#lib/text/json-text.ts";

/** The start of a list page: after this row. Times are ISO 8601 with up to six decimals. */
export interface PageStart {
  readonly createdAt: string;
  /** Rows with the same time continue after this id; absent when all of them were shown. */
  readonly id?: string;
}

/** A page of a list, as JSON. */
export interface RenderedPage {
  /** The records separated by commas. */
  readonly items: JsonText;
  /** The start of the next page; null on the last one. */
  readonly next: PageStart | null;
}

/** The requested page of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: PageStart | undefined;
}

/** The requested page of a list that a text narrows. */
export interface SearchedPage extends PageRequest {
  readonly q: string | undefined;
}

/** A page of rows. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** The start of the next page; null on the last one. */
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

/** Builds a page from rows, of which one more than `limit` was read. */
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
