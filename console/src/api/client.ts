import createClient from "openapi-fetch";
import type { paths } from "#client/gen/schema.ts";
import { authorizedFetch } from "./authorized-fetch.ts";
import { asProblem, problemOf } from "./problem.ts";

/**
 * The API with its types. Requests carry the access token, which is renewed once when the server rejects it, and each
 * POST an `Idempotency-Key`, so that a repeated one does nothing twice.
 */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: authorizedFetch });

/** What the API client gives for one request. */
interface Outcome<T> {
  readonly data?: T;
  readonly response: Response;
  readonly error?: unknown;
}

/**
 * The data of a request, for queries: `read(api.GET(…))`.
 * @throws Problem with the server's message
 */
export async function read<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const { data, response } = await succeeded(outcome);
  if (data === undefined) throw new TypeError(`${response.url} answered without data.`);
  return data;
}

/**
 * Waits for a request whose answer holds nothing: `finish(api.DELETE(…))`.
 * @throws Problem with the server's message
 */
export async function finish(outcome: Promise<Outcome<unknown>>): Promise<void> {
  await succeeded(outcome);
}

async function succeeded<T>(outcome: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const answer = await outcome.catch((failure: unknown) => {
    throw asProblem(failure);
  });
  const { response, error } = answer;
  // The client has read the body of a rejection already.
  if (!response.ok) throw await problemOf(new Response(JSON.stringify(error ?? null), withStatusOf(response)));
  return answer;
}

function withStatusOf({ status, headers }: Response): ResponseInit {
  return { status, headers };
}
