import { useQuery } from "@tanstack/react-query";
import { given } from "../../lib/given.ts";
import { readRuns } from "./queries.ts";
import type { RunRow } from "../records/run-row.ts";
import type { RunsSearch } from "./search.ts";

/** All runs with some filters, the newest first. */
export interface MatchingRuns {
  readonly rows: readonly RunRow[];
  /** Whether there are more, older ones, that were not read. */
  readonly hasMore: boolean;
}

/** The most runs that are selected together. */
const MAX_MATCHING = 5_000;
/** The most rows of one page of the API. */
const PAGE_ROWS = 200;

/** Reads all runs with these filters once, up to a maximum. @param isEnabled whether they are wanted */
export function useMatchingRuns(search: RunsSearch, isEnabled: boolean) {
  return useQuery({
    // Not below "runs", whose queries are fetched again after each change.
    queryKey: ["matching-runs", search],
    queryFn: ({ signal }) => readMatching(search, signal),
    enabled: isEnabled,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** In the order of their creation, which no change of a run alters while the pages are read. */
async function readMatching({ sort: _sort, ...filters }: RunsSearch, signal: AbortSignal): Promise<MatchingRuns> {
  const rows: RunRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await readRuns(filters, { ...given({ cursor }), limit: PAGE_ROWS, signal });
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined && rows.length < MAX_MATCHING);
  return { rows, hasMore: cursor !== undefined };
}
