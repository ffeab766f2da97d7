import { setClock } from "../lib/clock.ts";
import { randomId } from "../lib/random-id.ts";
import { accessToken, refresh } from "./session.ts";

/** A request with the person's token. Other than fetch it also repeats, once, what an expired token made fail. */
export async function authorizedFetch(request: Request): Promise<Response> {
  if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
    request.headers.set("Idempotency-Key", randomId());
  }
  const again = request.clone();
  const sent = accessToken();
  const response = await send(request);
  if (response.status !== 401) return response;
  const renewed = accessToken() !== sent || (await refresh());
  return renewed ? send(again) : response;
}

async function send(request: Request): Promise<Response> {
  const token = accessToken();
  if (token !== undefined) request.headers.set("Authorization", `Bearer ${token}`);
  const response = await fetch(request);
  setClock(response);
  return response;
}
