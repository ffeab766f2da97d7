import type { FetchLike } from "@modelcontextprotocol/client";
import { FetchFailedError } from "#lib/safe-fetch/follow-redirects.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { withOwnId } from "./own-id.ts";

/** The size limit of a response, document or stream. */
const MAX_BYTES = 10 * 1_048_576;
/** Statuses whose responses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const NO_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * Creates the fetch of an MCP client: every request goes through the SSRF guard, and every response is limited to 10
 * MiB.
 * @param onTooLarge called when a response is larger; its reader gets the same error
 */
export function createBoundedFetch(fetch: SafeFetch, onTooLarge: (error: FetchFailedError) => void): FetchLike {
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    if (body !== undefined && typeof body !== "string") throw new TypeError("Only texts are sent to MCP servers.");
    const response = await fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      redirectMethod: "keep",
      ...(body !== undefined && { body }),
      ...(signal != null && { signal }),
    });
    const { status, statusText } = response;
    const host = new URL(url).hostname;
    const content = NO_BODY.has(status) ? null : response.body?.pipeThrough(limitBytes(host, onTooLarge));
    return withOwnId(body, new Response(content ?? null, { status, statusText, headers: [...response.headers] }));
  };
}

function limitBytes(
  host: string,
  onTooLarge: (error: FetchFailedError) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= MAX_BYTES) return controller.enqueue(chunk);
      const error = new FetchFailedError(`${host} answers with more than ${formatSize(MAX_BYTES)}.`);
      onTooLarge(error);
      throw error;
    },
  });
}
