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
  /** What got no response while the service was away. */
  readonly retryFailed: () => void;
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
  alert: () => [["alerts"], ["overview"]],
  agent: (id) => [["agents"], ["agent", id]],
  schedule: () => [["schedules"], ["overview"]],
  trigger: () => [["triggers"]],
  workspace: () => [["workspace"]],
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

  function retryFailed(): void {
    void client.invalidateQueries({ predicate: ({ state }) => state.error !== null && isPassing(state.error) });
  }

  return {
    refresh,
    retryFailed,
    refreshAll() {
      refresh(ALL);
      retryFailed();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** A fetch that is in progress goes on, and is repeated: it may have read before the change. */
async function refetch(client: QueryClient, queryKey: QueryPrefix): Promise<void> {
  const inProgress = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  const predicate = (query: Query) => !isHeldBack(query);
  await client.invalidateQueries({ queryKey, predicate }, KEEP_FETCH);
  const again = (query: Query) => inProgress.includes(query) && query.state.error === null;
  if (inProgress.length > 0) await client.invalidateQueries({ queryKey, predicate: again }, KEEP_FETCH);
}

/** A person may just have asked for the next page. */
const KEEP_FETCH = { cancelRefetch: false } as const;

/** Whether a screen shows a rejection, from which it goes on by itself: after the wait it counts down, or by Retry. */
function isHeldBack({ state: { data, error, errorUpdatedAt } }: Query): boolean {
  if (error === null) return false;
  const waitMs = asProblem(error).retryAfterMs;
  if (waitMs !== undefined) return Date.now() < errorUpdatedAt + waitMs;
  return data === undefined && !isPassing(error);
}
