import type { CustomFetch } from "openid-client";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1_024;

/** The fetch of a provider's client: through the service's proxy, bounded in time and size, and without redirects. */
export function providerFetch(fetch: SafeFetch): CustomFetch {
  return async function fetchOfProvider(url, { method, headers, body, signal }) {
    const {
      status,
      headers: given,
      body: content,
    } = await fetchWhole(fetch, url, {
      method,
      headers,
      ...(body != null && { body: textOf(body) }),
      ...(signal && { signal }),
      // A redirect would forward the client's secret.
      maxRedirects: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return new Response(content.length === 0 ? null : new Uint8Array(content), { status, headers: [...given] });
  };
}

function textOf(body: NonNullable<Parameters<CustomFetch>[1]["body"]>): string {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("The client of a provider sends forms.");
}
