import { QueryClient } from "@tanstack/react-query";
import { asProblem } from "./problem.ts";
import { identityOf, onSession, sessionState } from "./session.ts";

const FRESH_MS = 10_000;
const MAX_UNUSED_MS = 300_000;
const MAX_RETRIES = 2;

/**
 * The cache of the server's responses, which are of one person in one workspace: it is emptied when this tab changes to
 * another. A rejection is shown immediately; a request without a response is retried.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      gcTime: MAX_UNUSED_MS,
      refetchOnWindowFocus: false,
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

/** Whether a failed request may succeed when it is repeated: no response came, or the service could not answer. */
export function isPassing(error: unknown): boolean {
  const { status } = asProblem(error);
  return status === 0 || status >= 500;
}
