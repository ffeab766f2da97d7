import type { Query, QueryClient } from "@tanstack/react-query";
import { asProblem } from "../../api/problem.ts";
import { isPassing } from "../../api/query-client.ts";
import type { Change } from "../../api/live-stream.ts";

/** The beginning of a query's key: every query below it is fetched again. */
export type QueryPrefix = readonly string[];

/** Has queries fetched again, at most once per {@link INTERVAL_MS}, however much changes. */
export interface Refresher {
  readonly refresh: (prefixes: readonly QueryPrefix[]) => void;
  /** Everything that changes without the person's doing. */
  readonly refreshAll: () => void;
  readonly stop: () => void;
}

/** Changes that come together are gathered for this long. */
const GATHER_MS = 100;
const INTERVAL_MS = 1_000;

/**
 * The queries that show what a kind of change is about, by the change's id. A screen whose query keys begin with one
 * of these is refreshed without its own code.
 */
const PREFIXES: Readonly<Record<string, (id: string) => readonly QueryPrefix[]>> = {
  run: (id) => [["runs"], ["run", id], ["overview"]],
  // The head of a run holds its open question.
  question: () => [["questions"], ["run"], ["overview"]],
  document: () => [["documents"], ["knowledge-bases"]],
  delivery: () => [["deliveries"], ["overview"]],
  budget: () => [["budgets"], ["overview"]],
  agent: (id) => [["agents"], ["agent", id]],
  schedule: () => [["schedules"], ["overview"]],
  trigger: () => [["triggers"]],
};

const ALL = Object.values(PREFIXES).flatMap((of) => of("").map(([first = ""]) => [first]));

/** The queries that show something that has changed. */
export function prefixesOf({ kind, id }: Change): readonly QueryPrefix[] {
  return PREFIXES[kind]?.(id) ?? [];
}

/** Creates the refresher of a tab. */
export function createRefresher(client: QueryClient): Refresher {
  const waiting = new Map<string, QueryPrefix>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let last = -Infinity;

  function schedule(): void {
    if (isBusy || waiting.size === 0) return;
    timer ??= setTimeout(() => void run(), Math.max(GATHER_MS, last + INTERVAL_MS - performance.now()));
  }

  async function run(): Promise<void> {
    timer = undefined;
    isBusy = true;
    const prefixes = [...waiting.values()];
    waiting.clear();
    last = performance.now();
    await Promise.allSettled(prefixes.map((queryKey) => refetch(client, queryKey)));
    isBusy = false;
    schedule();
  }

  function refresh(prefixes: readonly QueryPrefix[]): void {
    for (const prefix of prefixes) waiting.set(prefix.join(" "), prefix);
    schedule();
  }

  return {
    refresh,
    refreshAll() {
      refresh(ALL);
      // What got no response while the service was away.
      void client.invalidateQueries({ predicate: ({ state }) => state.error !== null && isPassing(state.error) });
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The first fetch of a query, which an invalidation does not repeat, may have read before the change: it is repeated. */
async function refetch(client: QueryClient, queryKey: QueryPrefix): Promise<void> {
  const first = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey, predicate: (query) => !isHeldBack(query) });
  const again = (query: Query) => first.includes(query) && !isHeldBack(query);
  if (first.length > 0) await client.invalidateQueries({ queryKey, predicate: again });
}

/** Whether the service has asked to wait longer: the screen counts that down, and then asks once. */
function isHeldBack({ state: { error, errorUpdatedAt } }: Query): boolean {
  const waitMs = error === null ? undefined : asProblem(error).retryAfterMs;
  return waitMs !== undefined && Date.now() < errorUpdatedAt + waitMs;
}
