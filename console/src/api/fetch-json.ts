import { authorizedFetch } from "./authorized-fetch.ts";
import { asProblem, problemOf } from "./problem.ts";

/** The data at a path of the API. @throws Problem with the server's message */
export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await authorizedFetch(new Request(new URL(path, location.origin), init)).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}
