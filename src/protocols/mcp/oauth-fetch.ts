import type { FetchLike } from "@modelcontextprotocol/client";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1_024;
/** Statuses whose responses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates the fetch with which a client signs in to an MCP server: every request goes through the SSRF guard, bounded in
 * time and size. Only documents are fetched across redirects: another one would forward codes and secrets.
 */
export function createOAuthFetch(fetch: SafeFetch, signal?: AbortSignal): FetchLike {
  return async (url, { method = "GET", headers, body } = {}) => {
    const answer = await fetchWhole(fetch, url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body != null && { body: textOf(body) }),
      ...(signal && { signal }),
      ...(method !== "GET" && { maxRedirects: 0 }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    const { status } = answer;
    const content = NO_BODY.has(status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status, headers: [...answer.headers] });
  };
}

function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("Only forms and texts are sent to authorization servers.");
}
