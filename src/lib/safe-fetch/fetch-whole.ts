import type { Response } from "undici";
import { startTimeLimit } from "../async/time-limit.ts";
import { FetchFailedError } from "./follow-redirects.ts";
import type { SafeInit } from "./follow-redirects.ts";
import type { SafeFetch } from "./safe-fetch.ts";
import { formatSize } from "../text/format-size.ts";

/** A request with limits for its response. */
export interface WholeRequest extends SafeInit {
  /** The time limit, including redirects and the body, in milliseconds. */
  readonly timeoutMs: number;
  /** The size limit of the body, in bytes after decompression. */
  readonly maxBytes: number;
}

/** A completely read response. */
export interface WholeResponse {
  readonly status: number;
  /** Whether the status is 200 to 299. */
  readonly ok: boolean;
  readonly headers: Response["headers"];
  /** The final URL, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
}

/**
 * Fetches a URL and reads the response within limits of time and size.
 * @throws FetchFailedError, also when a limit is exceeded; UnsafeUrlError; the signal's reason
 */
export async function fetchWhole(
  fetch: SafeFetch,
  url: string | URL,
  { timeoutMs, maxBytes, signal: outer = new AbortController().signal, ...init }: WholeRequest,
): Promise<WholeResponse> {
  const limit = startTimeLimit(timeoutMs, outer);
  try {
    const response = await fetch(url, { ...init, signal: limit.signal });
    const body = await readCapped(response, maxBytes);
    return { status: response.status, ok: response.ok, headers: response.headers, url: response.url, body };
  } catch (error) {
    outer.throwIfAborted();
    if (limit.isOver()) throw new FetchFailedError(`${hostOf(url)} took longer than ${timeoutMs / 1000} s.`);
    if (error instanceof TypeError)
      throw new FetchFailedError(`${hostOf(url)} closed the connection during its response.`, { cause: error });
    throw error;
  } finally {
    limit.clear();
  }
}

async function readCapped({ body, url }: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FetchFailedError(`${hostOf(url)} answers with more than ${formatSize(maxBytes)}.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function hostOf(url: string | URL): string {
  return URL.parse(String(url))?.hostname ?? "The server";
}
