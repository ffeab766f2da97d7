import { z } from "zod";
import type { HttpClient } from "./http-client.ts";

/** The most rows that the service gives at once. */
const MAX_PAGE = 200;

/** What to list. */
export interface ListRequest<T> {
  /** `/functions/v1/api-…` */
  readonly path: string;
  readonly record: z.ZodType<T>;
  /** How many rows, newest first; may be Infinity. */
  readonly limit: number;
  readonly filter?: Readonly<Record<string, string>>;
}

/** Rows of a list, and whether there are more. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Reads a list page by page until there are enough rows. */
export async function listRecords<T>(client: HttpClient, list: ListRequest<T>): Promise<Listed<T>> {
  const page = z.object({ data: z.object({ items: z.array(list.record), next_cursor: z.string().nullable() }) });
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const wanted = Math.min(list.limit - items.length, MAX_PAGE);
    const query: URLSearchParams = new URLSearchParams({ ...list.filter, limit: String(wanted) });
    if (cursor !== null) query.set("cursor", cursor);
    const { data }: z.output<typeof page> = await client.request(page, {
      method: "GET",
      path: `${list.path}?${query.toString()}`,
      version: 2,
    });
    items.push(...data.items);
    cursor = data.next_cursor;
  } while (cursor !== null && items.length < list.limit);
  return { items, hasMore: cursor !== null };
}
