import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";
import { stringifySearch } from "../../lib/search.ts";

import type { RunsSearch } from "./search.ts";

const PAGE_ROWS = 50;
/** More rows than anybody reads; older ones of them are fetched again when one scrolls back. */
const MAX_PAGES = 40;
const PERIOD_MS = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 } as const;
const MINUTE = 60_000;
const FIRST_PAGE: string | undefined = undefined;

/** The address of the list with these filters. */
export function runsPath(search: RunsSearch, cursor?: string): string {
  const { agent, team, error, cost, since, ...same } = search;
  // Whole minutes, so that the same list has the same address for a while.
  const from = since === undefined ? undefined : Math.floor((Date.now() - PERIOD_MS[since]) / MINUTE) * MINUTE;
  return `/console/api/runs${stringifySearch({
    ...same,
    agent_id: agent,
    team_id: team,
    error_code: error,
    min_cost: cost,
    since: from === undefined ? undefined : new Date(from).toISOString(),
    limit: PAGE_ROWS,
    cursor,
  })}`;
}

/** All work with these filters, page by page. Other filters keep the rows until theirs are there. */
export function useRuns(search: RunsSearch) {
  return useInfiniteQuery({
    queryKey: ["runs", search],
    queryFn: ({ pageParam }) => fetchJson<components["schemas"]["RunPage"]>(runsPath(search, pageParam)),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    maxPages: MAX_PAGES,
  });
}
