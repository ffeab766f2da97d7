import { Agent, interceptors, request } from "undici";
import type { Dispatcher } from "undici";
import { rejectAfterPause } from "#lib/safe-fetch/pause-guard.ts";
import { CONNECT_TIMEOUT_MS } from "#lib/safe-fetch/proxies.ts";
import type { Proxies } from "#lib/safe-fetch/proxies.ts";
import { findProxyError } from "#lib/safe-fetch/proxy-error.ts";
import type { AnswerLimits } from "../define-provider.ts";
import { boundedBody } from "./bounded-body.ts";
import { decodedBody } from "./decoded-body.ts";

const MAX_REDIRECTS = 5;

/** Responses with these statuses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Like `fetch`, with limits of the response. */
export type BoundedFetch = (
  url: Parameters<typeof fetch>[0],
  init: RequestInit,
  limits: AnswerLimits,
) => Promise<Response>;

/**
 * Creates a `fetch` for the provider packages without the browser-specific parts of the standard, at two thirds of the
 * CPU time. It keeps connections to providers open between calls. Responses are limited; no request asks for compressed
 * ones, but they are read. Throws a TypeError "fetch failed", with its cause, without a response; or the signal's
 * reason.
 */
export function createProviderFetch(proxies: Proxies): BoundedFetch {
  const agent = new Agent({ connectTimeout: CONNECT_TIMEOUT_MS });
  const dispatcher = agent.compose(
    proxies.intercept,
    rejectAfterPause,
    interceptors.redirect({ maxRedirections: MAX_REDIRECTS }),
  );

  return async function providerFetch(url, init, limits) {
    const { method = "GET", headers = {}, body = null, signal = null } = init;
    if (url instanceof Request || (body !== null && typeof body !== "string")) {
      throw new Error("Provider packages send texts to URLs.");
    }
    const answer = await request(url, { dispatcher, method, headers: new Headers(headers), body, signal }).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        throw new TypeError("fetch failed", { cause: findProxyError(error, proxies.find(new URL(url))) ?? error });
      },
    );
    return toResponse(answer, limits);
  };
}

function toResponse({ headers, body, statusCode, statusText }: Dispatcher.ResponseData, limits: AnswerLimits) {
  const contentType = [headers["content-type"] ?? ""].flat()[0];
  const decoded = decodedBody(body, String(headers["content-encoding"] ?? ""));
  const chunks: AsyncIterator<Uint8Array> = decoded[Symbol.asyncIterator]();
  const stream = boundedBody({ chunks, destroy: () => decoded.destroy(), limits, contentType });
  return new Response(WITHOUT_BODY.has(statusCode) ? null : stream, {
    status: statusCode,
    statusText,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  });
}
