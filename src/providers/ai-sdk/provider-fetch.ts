import { Agent, interceptors, request } from "undici";
import type { AnswerLimits } from "../define-provider.ts";
import { boundedBody } from "./bounded-body.ts";

const MAX_REDIRECTS = 5;

/** Answers with these have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Keeps connections to vendors open between calls. */
const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTS }));

/**
 * `fetch` for the provider packages, without the parts of the standard that matter to browsers: a call costs
 * two thirds of the CPU time. Answers are not compressed, as the request does not offer to read that, and bounded.
 * Bodies other than text go by the global `fetch`.
 * @throws TypeError "fetch failed", with its cause, when there is no answer; the signal's reason.
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
