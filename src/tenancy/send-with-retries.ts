import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { ask } from "./ask.ts";

const TOO_MANY_REQUESTS = 429;
/** A process that has used up a limit does not ask the database again for two seconds. */
const RETRY_MS = 500;
const MAX_TRIES = 10;
/** After so many requests the counts are reset, so that usual limits reject none. */
const RESET_AFTER = 25;

/** Options of {@link sendWithRetries}. */
export interface RetryOptions {
  readonly client: Client;
  /** The workspaces whose requests are not to be counted. */
  readonly workspaceIds: readonly string[];
  readonly signal: AbortSignal;
}

/** Returns a function that sends a request; it resets the workspaces' counts, and tries again when a limit rejects it. */
export function sendWithRetries({ client, workspaceIds, signal }: RetryOptions): typeof ask {
  const reset = () => client.query("delete from request_counts where workspace_id = any($1)", [workspaceIds]);
  let requests = 0;
  return async function send(baseUrl, route, sent) {
    requests += 1;
    if (requests % RESET_AFTER === 0) await reset();
    for (let tried = 1; ; tried += 1) {
      signal.throwIfAborted();
      const answer = await ask(baseUrl, route, { ...sent, signal });
      if (answer.status !== TOO_MANY_REQUESTS || tried === MAX_TRIES) return answer;
      await reset();
      await sleep(RETRY_MS, undefined, { signal });
    }
  };
}
