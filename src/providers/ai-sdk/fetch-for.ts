import type { Reach } from "#lib/safe-fetch/check-url.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import type { Proxies } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SafeFetchOptions } from "#lib/safe-fetch/safe-fetch.ts";
import { DEFAULT_ANSWER_LIMITS } from "../define-provider.ts";
import type { AnswerLimits, ProviderConnection } from "../define-provider.ts";
import { boundedBody } from "./bounded-body.ts";
import { withErrorStatus } from "./error-status.ts";
import { createProviderFetch } from "./provider-fetch.ts";
import type { BoundedFetch } from "./provider-fetch.ts";

/** One fetch per way out and URL rule; each keeps its own connections open. */
const FETCHES = new WeakMap<Proxies, Readonly<Record<Reach, BoundedFetch>>>();

/**
 * The `fetch` that a provider package uses: with the SSRF guard for URLs from workspaces, and with limited
 * responses.
 */
export function fetchFor({
  reach = "anywhere",
  limits = DEFAULT_ANSWER_LIMITS,
  proxies = NO_PROXIES,
}: ProviderConnection): typeof fetch {
  const fetches = FETCHES.get(proxies) ?? createFetches(proxies);
  return async (url, init = {}) => withErrorStatus(await fetches[reach](url, init, limits));
}

function createFetches(proxies: Proxies): Readonly<Record<Reach, BoundedFetch>> {
  const fetches = {
    public: guardedFetch({ reach: "public", proxies }),
    private: guardedFetch({ reach: "private", proxies }),
    anywhere: createProviderFetch(proxies),
  };
  FETCHES.set(proxies, fetches);
  return fetches;
}

function guardedFetch(options: SafeFetchOptions): BoundedFetch {
  const safeFetch = createSafeFetch(options);
  return async function guarded(url, init, limits) {
    const { method, headers, body, signal } = init;
    if (url instanceof Request || (body != null && typeof body !== "string")) {
      throw new Error("Provider packages send texts to URLs.");
    }
    const given = {
      ...(method !== undefined && { method }),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body }),
      ...(signal != null && { signal }),
    };
    const answer = await safeFetch(url, given).catch((error: unknown) => {
      // Worded so that the packages retry.
      throw error instanceof FetchFailedError ? new TypeError("fetch failed", { cause: error }) : error;
    });
    const { status, statusText } = answer;
    return new Response(answer.body && bounded(answer.body, answer.headers.get("content-type"), limits), {
      status,
      statusText,
      headers: [...answer.headers],
    });
  };
}

function bounded(body: AsyncIterable<Uint8Array>, contentType: string | null, limits: AnswerLimits) {
  const chunks = body[Symbol.asyncIterator]();
  return boundedBody({ chunks, destroy: () => void chunks.return?.(), limits, contentType });
}
