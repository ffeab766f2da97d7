import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Call } from "#client/call.ts";
import type { Page } from "#client/page.ts";
import { call } from "./client.ts";

/** An operation that lists records. */
type ListOperation<Params, Row> = (connection: { readonly call: Call }) => (params: Params) => Promise<Page<Row>>;

/** A list that is read page by page. */
export interface Pages<Row> {
  /** Undefined until the first page is loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  /** The rows of other filters are shown while these are fetched. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  readonly isFetchingMore: boolean;
  readonly fetchMore: () => void;
  readonly refetch: () => void;
}

/** The maximum page size. */
const MAX_LIMIT = 200;
const FIRST_PAGE: string | undefined = undefined;

/**
 * Reads a list of the API, page by page.
 * @param list the operation with its filters, without a cursor
 * @param refresh how often the pages are read again while they are still changing
 */
export function usePages<Params extends object, Row>(
  key: readonly unknown[],
  list: readonly [ListOperation<Params & { readonly cursor?: string }, Row>, Params],
  refresh?: { readonly everyMs: number; readonly isChanging: (rows: readonly Row[]) => boolean },
): Pages<Row> {
  const [operation, params] = list;
  const query = useInfiniteQuery({
    queryKey: [...key, params],
    queryFn: async ({ pageParam: cursor }) => {
      const page = await call(operation)({ ...params, ...(cursor !== undefined && { cursor }) });
      return { items: page.items, next: page.cursor };
    },
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const rows = data?.pages.flatMap(({ items }) => items) ?? [];
      return refresh?.isChanging(rows) === true && refresh.everyMs;
    },
  });
  return {
    rows: query.data?.pages.flatMap(({ items }) => items),
    error: query.error,
    isStale: query.isPlaceholderData,
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
}

/** Reads a list of the API to its end, in the largest pages, for what is counted or chosen over all of it. */
export async function readAll<Params extends object, Row>(
  operation: ListOperation<Params & { readonly limit: number }, Row>,
  params: Params,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of await call(operation)({ ...params, limit: MAX_LIMIT })) rows.push(row);
  return rows;
}
