import type { Reach } from "#lib/safe-fetch/check-url.ts";
import { FetchFailed, createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { ProviderConnection } from "../define-provider.ts";
import { vendorFetch } from "./vendor-fetch.ts";

/** By how far an address may lead; each keeps its connections open between calls. */
const FETCHES: Readonly<Record<Reach, typeof vendorFetch>> = {
  public: guardedFetch("public"),
  private: guardedFetch("private"),
  anywhere: vendorFetch,
};

/** The `fetch` with which a provider package reaches its vendor: guarded where a workspace gave the address. */
export function fetchFor({ reach = "anywhere" }: ProviderConnection): typeof vendorFetch {
  return FETCHES[reach];
}

function guardedFetch(reach: Reach): typeof vendorFetch {
  const safeFetch = createSafeFetch({ reach });
  return async function guarded(url, init) {
    const { method, headers, body, signal } = init ?? {};
    if (url instanceof Request || (body != null && typeof body !== "string")) {
      throw new Error("Provider packages send texts to addresses.");
    }
    const given = {
      ...(method !== undefined && { method }),
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body }),
      ...(signal != null && { signal }),
    };
    const answer = await safeFetch(url, given).catch((error: unknown) => {
      // In the words that mean "try again" to the packages.
      throw error instanceof FetchFailed ? new TypeError("fetch failed", { cause: error }) : error;
    });
    const { status, statusText } = answer;
    return new Response(answer.body, { status, statusText, headers: [...answer.headers] });
  };
}
