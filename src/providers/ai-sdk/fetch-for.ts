import type { Reach } from "#lib/safe-fetch/check-url.ts";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { DEFAULT_ANSWER_LIMITS } from "../define-provider.ts";
import type { AnswerLimits, ProviderConnection } from "../define-provider.ts";
import { boundedBody } from "./bounded-body.ts";
import { withErrorStatus } from "./error-status.ts";
import { providerFetch } from "./provider-fetch.ts";

type BoundedFetch = typeof providerFetch;

/** One fetch per URL rule; each keeps its own connections open. */
const FETCHES: Readonly<Record<Reach, BoundedFetch>> = {
  public: guardedFetch("public"),
  private: guardedFetch("private"),
  anywhere: providerFetch,
};

/**
 * The `fetch` that a provider package uses: with the SSRF guard for URLs from workspaces, and with limited
 * responses.
 */
export function fetchFor({ reach = "anywhere", limits = DEFAULT_ANSWER_LIMITS }: ProviderConnection): typeof fetch {
  return async (url, init = {}) => withErrorStatus(await FETCHES[reach](url, init, limits));
}

function guardedFetch(reach: Reach): BoundedFetch {
  const safeFetch = createSafeFetch({ reach });
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
