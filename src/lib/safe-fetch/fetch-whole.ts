import type { Response } from "undici";
import { startTimeLimit } from "../async/time-limit.ts";
import { FetchFailed } from "./follow-redirects.ts";
import type { SafeInit } from "./follow-redirects.ts";
import type { SafeFetch } from "./safe-fetch.ts";

/** A request with the bounds of its answer. */
export interface WholeRequest extends SafeInit {
  /** How long everything may take, redirects and body included, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest body that is read, in bytes after decompression. */
  readonly maxBytes: number;
}

/** An answer that has been read to its end. */
export interface WholeResponse {
  readonly status: number;
  /** Whether the status is one of success, 200 to 299. */
  readonly ok: boolean;
  readonly headers: Response["headers"];
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
}

/**
 * Fetches a URL and reads the answer within bounds of time and size.
 * @throws FetchFailed also when a bound is passed; UnsafeUrl; the signal's reason.
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
    if (limit.isOver()) throw new FetchFailed(`${hostOf(url)} took longer than ${timeoutMs / 1000} s.`);
    if (error instanceof TypeError) throw new FetchFailed(`${hostOf(url)} broke its answer off.`, { cause: error });
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
    if (size > maxBytes) throw new FetchFailed(`${hostOf(url)} answers with more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function hostOf(url: string | URL): string {
  return URL.parse(String(url))?.hostname ?? "The server";
}
