import { numberOf, oneOf, someOf, textOf, textsOf } from "../../lib/search.ts";
import type { components } from "#client/gen/schema.ts";

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
/** The sources of work. */
export const SOURCES = ["api", "console", "schedule", "trigger", "a2a", "mcp", "page", "fork", "golden"] as const;
/** The orders of the list. */
export const SORTS = ["newest", "cost", "duration"] as const;

type ErrorCode = NonNullable<components["schemas"]["RunRow"]["error_code"]>;

/** Why runs fail, in the order in which it is offered. */
export const ERROR_CODES = [
  "MODEL_ERROR",
  "MODEL_REFUSED",
  "REPLY_CUT",
  "OUTPUT_INVALID",
  "PROVIDER_NOT_CONFIGURED",
  "BUDGET_EXCEEDED",
  "STEP_LIMIT",
  "TOOL_LOOP",
  "RUN_TIMEOUT",
  "TASK_TIMEOUT",
  "INTERACTION_TIMEOUT",
  "HANDOFF_REFUSED",
  "FILE_UNAVAILABLE",
  "TEAM_NOT_RUNNABLE",
  "CRASH_LOOP",
  "INTERNAL_ERROR",
  "CANCELLED",
] as const satisfies readonly ErrorCode[];

/** What was said of runs. */
export const FEEDBACK = ["up", "down", "note"] as const;

/** The search parameters of the list. */
export interface RunsSearch {
  readonly feedback?: readonly (typeof FEEDBACK)[number][];
  readonly status?: readonly (typeof RUN_STATUSES)[number][];
  readonly source?: readonly (typeof SOURCES)[number][];
  readonly agent?: readonly string[];
  readonly team?: readonly string[];
  readonly error?: readonly (typeof ERROR_CODES)[number][];
  /** Tags of agents. */
  readonly tag?: readonly string[];
  readonly q?: string;
  readonly since?: (typeof PERIODS)[number];
  /** At least this much, in USD. */
  readonly cost?: number;
  readonly sort?: "cost" | "duration";
}

/** Reads the search parameters of the list; unknown ones are dropped. */
export function readRunsSearch(search: Record<string, unknown>): RunsSearch {
  return withoutGaps({
    status: someOf(search["status"], RUN_STATUSES),
    source: someOf(search["source"], SOURCES),
    agent: textsOf(search["agent"]),
    team: textsOf(search["team"]),
    error: someOf(search["error"], ERROR_CODES),
    tag: textsOf(search["tag"]),
    feedback: someOf(search["feedback"], FEEDBACK),
    q: textOf(search["q"]),
    since: oneOf(search["since"], PERIODS),
    cost: numberOf(search["cost"]),
    sort: oneOf(search["sort"], ["cost", "duration"]),
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
    ...(search.agent && { agent: search.agent }),
    ...(search.team && { team: search.team }),
    ...(search.error && { error: search.error }),
    ...(search.tag && { tag: search.tag }),
    ...(search.feedback && { feedback: search.feedback }),
    ...(search.q !== undefined && { q: search.q }),
    ...(search.since && { since: search.since }),
    ...(search.cost !== undefined && { cost: search.cost }),
    ...(search.sort && { sort: search.sort }),
  };
}
