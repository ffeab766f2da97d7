import { expect } from "vitest";
import { z } from "zod";
import { bearer, postAuth, sessionOf } from "./accounts.ts";
import type { TestSession } from "./accounts.ts";
import { send } from "./api.ts";
import type { Answer } from "./api.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { Authenticator, Behaviour } from "./authenticator.ts";

/** A passkey as its person sees it. */
export const passkeyShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
});

type Served = { readonly url: string };
type Person = Pick<TestSession, "access_token">;

/** Sends a request below /auth for a signed-in person. */
export function asPerson(on: Served, by: Person, method: string, path: string, body?: object): Promise<Answer> {
  return send(method, `${on.url}/auth/${path}`, { headers: bearer(by.access_token), ...(body && { body }) });
}

/** Lists a person's passkeys. */
export async function passkeysOf(on: Served, by: Person): Promise<z.output<typeof passkeyShape>[]> {
  return z.array(passkeyShape).parse((await asPerson(on, by, "GET", "passkeys")).body);
}

/** Asks for a challenge, and answers it with a new passkey. */
export async function tryAdd(on: Served, by: Person, device: Authenticator, behaviour?: Behaviour): Promise<Answer> {
  const options = await asPerson(on, by, "POST", "passkeys/options", {});
  if (options.status !== 200) return options;
  return asPerson(on, by, "POST", "passkeys", { name: "Laptop", credential: device.create(options.body, behaviour) });
}

/** Adds a passkey to a person's account. @param origin as the browser sees the service */
export async function addPasskey(on: Served, by: Person, origin: string) {
  const device = createAuthenticator(origin);
  const added = await tryAdd(on, by, device);
  expect(added.status, added.text).toBe(201);
  return { device, ...passkeyShape.parse(added.body) };
}

/** Asks for a challenge, and uses a passkey on it. */
export async function tryPasskey(on: Served, device: Authenticator, behaviour?: Behaviour): Promise<Answer> {
  const options = await postAuth(on, "passkeys/sign-in/options", {});
  if (options.status !== 200) return options;
  return postAuth(on, "passkeys/sign-in", { credential: device.get(options.body, behaviour) });
}

/** Signs in with a passkey. */
export async function signInByPasskey(on: Served, device: Authenticator): Promise<TestSession> {
  return sessionOf(await tryPasskey(on, device));
}
