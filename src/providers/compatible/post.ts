import { APICallError } from "@ai-sdk/provider";

const BEGINS_OK = 200;

/** Where an endpoint is, and how to call it. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
}

/** A request to an endpoint. */
export interface EndpointCall {
  readonly path: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** Posts JSON to an endpoint. @throws APICallError with the response if it is an error, or without one */
export async function post(endpoint: Endpoint, call: EndpointCall): Promise<Response> {
  const { apiKey, baseUrl } = endpoint;
  const headers = {
    "content-type": "application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  const url = `${baseUrl}${call.path}`;
  const body = JSON.stringify(call.body);
  const context = { url, requestBodyValues: call.body };
  const response = await endpoint
    .fetch(url, { method: "POST", headers, body, signal: call.signal })
    .catch((error: unknown) => {
      throw unreachable(error, context);
    });
  if (response.ok) return response;
  throw new APICallError({
    ...context,
    message: response.statusText,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: await response.text(),
  });
}

/** The body of a response, whose interruption is an error of the call. @throws APICallError */
export async function* bodyOf(response: Response, url: string): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const chunks = response.body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((cause: unknown) => {
        throw new APICallError({
          message: "interrupted",
          url,
          requestBodyValues: undefined,
          statusCode: BEGINS_OK,
          cause,
        });
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

function unreachable(error: unknown, context: { readonly url: string; readonly requestBodyValues: unknown }): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const { cause } = error;
  return new APICallError({ ...context, message: `Cannot connect to API: ${cause.message}`, cause, isRetryable: true });
}
