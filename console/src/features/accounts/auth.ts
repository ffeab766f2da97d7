import { asProblem, problemOf } from "../../api/problem.ts";

/**
 * A request to /auth of which the session is not a part.
 * @throws Problem with the server's message
 */
export async function callAuth<T>(method: "GET" | "POST", path: string, body?: object): Promise<T> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(path, { method, ...init }).catch((error: unknown) => {
    throw asProblem(error);
  });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** The one-time token of a link; it is in the fragment, which is never sent or logged. */
export function tokenInFragment(): string {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}

/** Asks what a one-time link offers. @throws Problem when it is used or too old */
export function readLink<T>(path: string, token: string): Promise<T> {
  return callAuth<T>("GET", `${path}?token=${encodeURIComponent(token)}`);
}
