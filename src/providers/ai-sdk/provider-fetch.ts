import { Agent, interceptors, request } from "undici";
import type { AnswerLimits } from "../define-provider.ts";
import { boundedBody } from "./bounded-body.ts";

const MAX_REDIRECTS = 5;

/** Responses with these statuses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Keeps connections to providers open between calls. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }));

/**
 * A `fetch` for the provider packages without the browser-specific parts of the standard, at two thirds of the CPU
 * time. Responses are limited, and not compressed, because the request does not accept it. Requests with a body other
 * than text use the global `fetch`.
 * @throws TypeError "fetch failed", with its cause, without a response; the signal's reason
 */
export async function providerFetch(
  url: Parameters<typeof fetch>[0],
  init: RequestInit,
  limits: AnswerLimits,
): Promise<Response> {
  const { method = "GET", headers = {}, body = null, signal = null } = init;
  if (url instanceof Request || (body !== null && typeof body !== "string")) return fetch(url, init);
  try {
    const answer = await request(url, { dispatcher, method, headers: new Headers(headers), body, signal });
    const contentType = [answer.headers["content-type"] ?? ""].flat()[0];
    const chunks: AsyncIterator<Uint8Array> = answer.body[Symbol.asyncIterator]();
    const stream = boundedBody({ chunks, destroy: () => answer.body.destroy(), limits, contentType });
    return new Response(WITHOUT_BODY.has(answer.statusCode) ? null : stream, {
      status: answer.statusCode,
      statusText: answer.statusText,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause: error });
  }
}
