import { QueryCache, QueryClient } from "@tanstack/react-query";
import type { Query } from "@tanstack/react-query";
import { Problem, asProblem } from "./problem.ts";
import { identityOf, onSession, sessionState } from "./session.ts";

const FRESH_MS = 10_000;
const MAX_UNUSED_MS = 300_000;
const MAX_RETRIES = 2;
/** What failed is polled this often, unless the service asks to wait longer. */
const ERROR_POLL_MS = 15_000;

/**
 * The cache of the server's responses, which are of one person in one workspace: it is emptied when this tab changes to
 * another. A rejection is shown immediately; a request without a response is retried.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: dropDeleted }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: MAX_UNUSED_MS,
      refetchOnWindowFocus: false,
      // A part that mounts shows the failure that another one has just got.
      retryOnMount: ({ state: { error, errorUpdatedAt } }) =>
        Date.now() >= errorUpdatedAt + Math.max(FRESH_MS, asProblem(error).retryAfterMs ?? 0),
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
    },
    mutations: { retry: false },
  },
});

let identity: string | undefined;
onSession(() => {
  const next = identityOf(sessionState());
  if (identity !== undefined && next !== identity) queryClient.clear();
  identity = next;
});

/** What was read before and is not found now was deleted: it is no longer shown as if it were there. */
function dropDeleted(error: Error, query: Query<unknown, unknown>): void {
  if (asProblem(error).status !== 404 || query.state.data === undefined) return;
  const deleted = new Problem({ status: 404, code: "deleted", message: "It was deleted since you opened this page." });
  query.setState({ data: undefined, error: deleted, status: "error" });
}

/** Whether a failed request may succeed when it is repeated: no response came, or the service could not answer. */
export function isPassing(error: unknown): boolean {
  const { status } = asProblem(error);
  return status === 0 || status >= 500;
}

/** For `refetchInterval`: reads again after each interval, in milliseconds, and after a failure less often. */
export function every(ms: number) {
  return ({ state: { error } }: Pick<Query, "state">): number =>
    error === null ? ms : Math.max(ms, ERROR_POLL_MS, asProblem(error).retryAfterMs ?? 0);
}
