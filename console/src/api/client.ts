import type { Call } from "#client/call.ts";
import { pageOf } from "#client/page.ts";
import type { Page } from "#client/page.ts";
import type { CallOptions, OperationRequest } from "#client/transport.ts";
import { stringifySearch } from "../lib/search.ts";
import { authorizedFetch } from "./authorized-fetch.ts";
import { asProblem, problemOf } from "./problem.ts";

const connection: { readonly call: Call } = {
  call: { one: async (request, options) => (await send(request, options)).json(), list },
};

let showWarning: (text: string) => void = () => undefined;

/** Says what shows the warnings of responses, such as that a key cannot be used from here. */
export function onWarning(show: (text: string) => void): void {
  showWarning = show;
}

/**
 * An operation of the API, as the generated client has it: `call(getAgent)({ id })`. Requests carry the access token,
 * which is renewed once when the server rejects it, and each POST an `Idempotency-Key`, so that a repeated one does
 * nothing twice. It throws the server's {@link Problem}.
 */
export function call<Method>(operation: (connection: { readonly call: Call }) => Method): Method {
  return operation(connection);
}

async function list<Item>(request: OperationRequest, options: CallOptions | undefined): Promise<Page<Item>> {
  const response = await send(request, options);
  return pageOf<Item>(await response.json(), response.headers.get("Link"), (cursor) =>
    list({ ...request, query: { ...request.query, cursor } }, options),
  );
}

async function send({ method, path, query = {}, body }: OperationRequest, { signal }: CallOptions = {}) {
  const isForm = body instanceof FormData;
  const sent = new Request(path + stringifySearch(query), {
    method,
    headers: body === undefined || isForm ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    signal: signal ?? null,
  });
  const response = await authorizedFetch(sent).catch((failure: unknown) => {
    throw asProblem(failure);
  });
  if (!response.ok) throw await problemOf(response);
  const warning = response.headers.get("X-Warning");
  if (warning !== null) showWarning(warning);
  // What was deleted, and what was changed without a record of it, has no body.
  return response.status === 204 ? Response.json(null) : response;
}
