import { numberOf, oneOf, someOf, textOf } from "../../lib/search.ts";

/** The statuses of the API, in the order in which they are offered. */
export const RUN_STATUSES = [
  "running",
  "waiting_for_input",
  "dispatched",
  "pending",
  "completed",
  "failed",
  "cancelled",
] as const;
/** Since when, counted back from now. */
export const PERIODS = ["1h", "24h", "7d", "30d"] as const;
/** Where work can come from. */
export const SOURCES = ["api", "console", "schedule", "trigger", "a2a", "mcp", "fork"] as const;
/** The orders of the list. */
export const SORTS = ["newest", "cost", "duration"] as const;

/** What the address of the list says. */
export interface RunsSearch {
  readonly status?: readonly (typeof RUN_STATUSES)[number][];
  readonly source?: readonly (typeof SOURCES)[number][];
  readonly agent?: string;
  readonly team?: string;
  readonly error?: string;
  readonly q?: string;
  readonly since?: (typeof PERIODS)[number];
  readonly cost?: number;
  readonly sort?: "cost" | "duration";
}

/** Reads the search parameters of the list; unknown ones are dropped. */
export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  const sort = oneOf(search["sort"], ["cost", "duration"]);
  return withoutGaps({
    status: someOf(search["status"], RUN_STATUSES),
    source: someOf(search["source"], SOURCES),
    agent: textOf(search["agent"]),
    team: textOf(search["team"]),
    error: textOf(search["error"]),
    q: textOf(search["q"]),
    since: oneOf(search["since"], PERIODS),
    cost: numberOf(search["cost"]),
    sort,
  });
}

/** Whether anything is filtered; the order alone is no filter. */
export function isFiltered(search: RunsSearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== "sort" && value !== undefined);
}

type Gaps = { readonly [K in keyof RunsSearch]: RunsSearch[K] | undefined };

function withoutGaps(search: Gaps): RunsSearch {
  return {
    ...(search.status && { status: search.status }),
    ...(search.source && { source: search.source }),
    ...(search.agent !== undefined && { agent: search.agent }),
    ...(search.team !== undefined && { team: search.team }),
    ...(search.error !== undefined && { error: search.error }),
    ...(search.q !== undefined && { q: search.q }),
    ...(search.since && { since: search.since }),
    ...(search.cost !== undefined && { cost: search.cost }),
    ...(search.sort && { sort: search.sort }),
  };
}
