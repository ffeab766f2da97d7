import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { fetchJson } from "./fetch-json.ts";

/** A page of a list in version 2 of the API. */
interface PageBody<Row> {
  readonly data: { readonly items: readonly Row[]; readonly next_cursor: string | null };
}

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

const VERSION_2 = { headers: { "X-API-Version": "2" } } as const;
/** The maximum page size. */
const MAX_LIMIT = 200;
const FIRST_PAGE: string | undefined = undefined;

/**
 * Reads a list of the API, page by page.
 * @param path the list with its filters, without a cursor; it must support version 2
 * @param refresh how often the pages are read again while they are still changing
 */
export function usePages<Row>(
  key: readonly unknown[],
  path: string,
  refresh?: { readonly everyMs: number; readonly isChanging: (rows: readonly Row[]) => boolean },
): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey: [...key, path],
    queryFn: async ({ pageParam }) => (await fetchJson<PageBody<Row>>(pagePath(path, pageParam), VERSION_2)).data,
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
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

/**
 * Reads a list of the API to its end, in the largest pages, for what is counted or chosen over all of it.
 * @param path as in {@link usePages}
 */
export async function readAll<Row>(path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const pages = `${path}?limit=${MAX_LIMIT}`;
  let cursor: string | undefined;
  do {
    const { data }: PageBody<Row> = await fetchJson<PageBody<Row>>(pagePath(pages, cursor), VERSION_2);
    rows.push(...data.items);
    cursor = data.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

function pagePath(path: string, cursor: string | undefined): string {
  const url = new URL(path, location.origin);
  if (cursor !== undefined) url.searchParams.set("cursor", cursor);
  return url.pathname + url.search;
}
