import { z } from "zod";
import { send } from "./api.ts";
import type { Answer, Sent } from "./api.ts";

/** The person of {@link ADA_ENV}. */
export const ADA = { email: "ada@example.org", password: "correct horse battery" } as const;

/** Starts a service whose owner can sign in, and on which others may make accounts. */
export const ADA_ENV = { MUSTER_INIT_EMAIL: ADA.email, MUSTER_INIT_PASSWORD: ADA.password, SIGN_UP: "open" } as const;

const access = z.looseObject({
  access_token: z.string(),
  workspace_id: z.string(),
  role: z.string(),
  user: z.looseObject({ id: z.string() }),
  workspaces: z.array(z.looseObject({ id: z.string(), role: z.string() })),
});

/** What a signed-in client holds. */
export interface TestSession extends z.output<typeof access> {
  /** As a browser would send it back: `name=value`. */
  readonly cookie: string;
  readonly setCookie: string;
}

/** Posts JSON to a path below /auth. */
export function postAuth(
  service: { readonly url: string },
  path: string,
  body: unknown,
  headers: Sent["headers"] = {},
): Promise<Answer> {
  return send("POST", `${service.url}/auth/${path}`, { body, headers });
}

/** What an answer of sign-in, sign-up, refresh or token gives. @throws ZodError when it rejects. */
export function sessionOf(answer: Answer): TestSession {
  const [setCookie = ""] = answer.headers.getSetCookie();
  return { ...access.parse(answer.body), setCookie, cookie: setCookie.split(";")[0] ?? "" };
}

/** Signs in. @throws ZodError when it is rejected. */
export async function signIn(
  service: { readonly url: string },
  person: { readonly email: string; readonly password: string } = ADA,
): Promise<TestSession> {
  return sessionOf(await postAuth(service, "sign-in", { email: person.email, password: person.password }));
}

/** The header by which an access token is sent. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** Reads the owner of an access token. */
export function whoIs(service: { readonly url: string }, token: string): Promise<Answer> {
  return send("GET", `${service.url}/functions/v1/api-me`, { headers: bearer(token) });
}
