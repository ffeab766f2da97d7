import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listRuns } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { now } from "../../lib/clock.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { RunRow } from "../records/run-row.ts";
import type { RunsSearch } from "./search.ts";

/** Rows of one page. */
export const PAGE_ROWS = 50;
/** Pages that are kept: 2,000 rows. Those that were dropped are fetched again when one scrolls back. */
const MAX_PAGES = 40;
/** With more pages than this only the newest one is kept up to date: each page is a request. */
const LIVE_PAGES = 4;
const PERIOD_MS = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
const MINUTE = 60_000;
/** The cursor of the first page. */
const START = "";

/** The URL of the list with these filters. */
export function runsPath(search: RunsSearch): string {
  return `/console/api/runs${stringifySearch({ ...inApi(search), limit: PAGE_ROWS })}`;
}

/** Reads a page of the list with these filters. @param cursor of the page; the first one when empty */
export async function readRuns(
  search: RunsSearch,
  {
    cursor = START,
    limit = PAGE_ROWS,
    signal,
  }: { readonly cursor?: string; readonly limit?: number; readonly signal?: AbortSignal } = {},
) {
  const page = await call(listRuns)(
    { ...inApi(search), limit, ...(cursor !== START && { cursor }) },
    given({ signal }),
  );
  return { items: page.items, next: page.cursor };
}

/** The filters and the order as the API names them. */
function inApi({ agent, team, error, cost, since, ...same }: RunsSearch) {
  // Whole minutes, so that the same list has the same URL for a while.
  const from = since === undefined ? undefined : Math.floor((now() - PERIOD_MS[since]) / MINUTE) * MINUTE;
  return given({
    ...same,
    agent_id: agent,
    team_id: team,
    error_code: error,
    min_cost: cost,
    since: from === undefined ? undefined : new Date(from).toISOString(),
  });
}

/** The list as far as it is loaded. */
export interface LoadedRuns {
  /** Undefined until the first page is loaded. */
  readonly rows: readonly RunRow[] | undefined;
  /** How many rows before them were dropped. */
  readonly dropped: number;
  /** Whether there are rows that are not loaded. */
  readonly hasOthers: boolean;
  readonly error: Error | null;
  /** Whether the rows are still those of other filters. */
  readonly isStale: boolean;
  readonly refetch: () => void;
  readonly onEnd: () => void;
  readonly onStart: () => void;
}

/** The first page of the list and those after it, for {@link useRuns} and for what requests it before a screen needs it. */
export function runsQuery(search: RunsSearch) {
  return infiniteQueryOptions({
    queryKey: ["runs", search],
    queryFn: ({ pageParam }) => readRuns(search, { cursor: pageParam }),
    initialPageParam: START,
    getNextPageParam: ({ next }) => next,
  });
}

/** All work with these filters, in pages. After a change of filters, the old rows stay until the new ones are loaded. */
export function useRuns(search: RunsSearch): LoadedRuns {
  const trail = trailOf(search);
  const list = useInfiniteQuery({
    ...runsQuery(search),
    getPreviousPageParam: (_first, _pages, cursor) => trail.before(cursor),
    placeholderData: keepPreviousData,
    maxPages: MAX_PAGES,
    enabled: ({ state: { data } }) => (data?.pages.length ?? 0) <= LIVE_PAGES,
  });
  const { data, isPlaceholderData, hasNextPage, hasPreviousPage, isFetchingNextPage, isFetchingPreviousPage } = list;
  const isLong = (data?.pages.length ?? 0) > LIVE_PAGES;
  const cursors = data?.pageParams.map(String) ?? [];
  data?.pages.forEach(({ next }, index) => trail.add(cursors[index], next));
  const newest = useQuery({
    queryKey: ["runs", "newest", search],
    queryFn: () => readRuns(search),
    enabled: isLong && search.sort === undefined,
  });
  const loaded = data?.pages.flatMap(({ items }) => items);
  const dropped = data === undefined ? 0 : trail.length(cursors[0]) * PAGE_ROWS;
  return {
    rows: loaded && (isLong && newest.data !== undefined ? withNewest(loaded, newest.data.items, dropped) : loaded),
    dropped,
    hasOthers: dropped > 0 || hasNextPage,
    error: list.error,
    isStale: isPlaceholderData,
    refetch: () => void list.refetch(),
    onEnd: () => void (hasNextPage && !isFetchingNextPage && list.fetchNextPage()),
    onStart: () => void (hasPreviousPage && !isFetchingPreviousPage && list.fetchPreviousPage()),
  };
}

/** The rows with their newer versions; new rows come before them, if the list shows its first page. */
function withNewest(rows: readonly RunRow[], newest: readonly RunRow[], dropped: number): readonly RunRow[] {
  const byId = new Map(newest.map((row) => [row.id, row]));
  const known = new Set(rows.map(({ id }) => id));
  const added = dropped === 0 ? newest.filter(({ id }) => !known.has(id)) : [];
  return [...added, ...rows.map((row) => byId.get(row.id) ?? row)];
}

/** Which cursor leads to which, so that one can go back to pages that were dropped. */
interface Trail {
  add(cursor: string | undefined, next: string | undefined): void;
  before(cursor: string): string | undefined;
  /** How many pages are before the one of a cursor. */
  length(cursor: string | undefined): number;
}

const trails = new Map<string, Trail>();

function trailOf(search: RunsSearch): Trail {
  const key = JSON.stringify(search);
  const known = trails.get(key);
  if (known !== undefined) return known;
  const before = new Map<string, string>();
  const trail: Trail = {
    add(cursor, next) {
      if (cursor !== undefined && next !== undefined) before.set(next, cursor);
    },
    before: (cursor) => before.get(cursor),
    length(cursor) {
      let pages = 0;
      for (let at = before.get(cursor ?? START); at !== undefined; at = before.get(at)) pages += 1;
      return pages;
    },
  };
  trails.set(key, trail);
  return trail;
}
