import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { deleteExpiredSignIns } from "#db/queries/queue/retention.ts";
import { verifyJwt } from "#lib/security/jwt.ts";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Sent } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** Well below the time for which a process trusts its memory of a session. */
const AT_ONCE_MS = 15_000;
const HOUR = 3_600;

let database: TestDatabase;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  one = await startService({ databaseUrl: database.url, env: ADA_ENV });
  // Behind a proxy a service does not print its own URL.
  const PORT = String(await freePort());
  const env = { ...ADA_ENV, PORT, PUBLIC_URL: "https://muster.example" };
  other = { ...(await startPeer({ databaseUrl: database.url, env })), url: `http://127.0.0.1:${PORT}` };
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

function refresh(cookie: string, on: TestService = one) {
  return postAuth(on, "refresh", {}, { cookie });
}

/** The session that an access token belongs to. */
function sessionIdOf({ access_token }: TestSession): string {
  const key = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("access-token");
  return z.looseObject({ sid: z.uuid() }).parse(verifyJwt(access_token, key)).sid;
}

/** Waits until both processes reject a token that they have both just taken. */
async function refusedEverywhere(token: string): Promise<void> {
  for (const service of [one, other]) {
    await eventually("the token is rejected", async () => (await whoIs(service, token)).status === 401, AT_ONCE_MS);
  }
}

async function takenEverywhere(token: string): Promise<void> {
  for (const service of [one, other]) expect((await whoIs(service, token)).status).toBe(200);
}

/** Lets the time of grace pass for all tokens that were spent. */
async function graceOver(): Promise<void> {
  await sql(database.url, "update refresh_tokens set spent_at = spent_at - interval '11 seconds'");
}

verifies("accounts.jwt.lifetime", "an access token lives an hour, and the cookie gives the next one", async () => {
  const key = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("access-token");
  const lifetime = ({ access_token }: TestSession) => {
    const { iat, exp } = z.looseObject({ iat: z.int(), exp: z.int() }).parse(verifyJwt(access_token, key));
    return exp - iat;
  };
  const session = await signIn(one);
  const next = sessionOf(await refresh(session.cookie));
  expect([lifetime(session), lifetime(next), session["expires_in"]]).toEqual([HOUR, HOUR, HOUR]);
  await takenEverywhere(next.access_token);
  const program = await postAuth(one, "token", ADA);
  expect([program.status, program.headers.getSetCookie()]).toEqual([200, []]);
  const byCookie = await postAuth(one, "token", {}, { cookie: next.cookie });
  await takenEverywhere(sessionOf(byCookie).access_token);
});

test("a session continues and ends without any body", async () => {
  const { cookie } = await signIn(one);
  const post = (path: string, from: string) =>
    fetch(`${one.url}/auth/${path}`, { method: "POST", headers: { cookie: from, "content-type": "application/json" } });
  const refreshed = await post("refresh", cookie);
  expect(refreshed.status).toBe(200);
  const next = refreshed.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  expect((await post("token", next)).status).toBe(200);
  expect((await post("sign-out", next)).status).toBe(204);
  expect((await post("refresh", next)).status).toBe(401);
  expect((await post("sign-in", "")).status).toBe(400);
});

verifies("accounts.session.cookie", "scripts, other sites and plain http cannot access the cookie", async () => {
  const attributes = async (service: TestService) => (await signIn(service)).setCookie.split("; ").slice(1).toSorted();
  const plain = ["HttpOnly", "Max-Age=2592000", "Path=/auth", "SameSite=Strict"];
  expect(await attributes(one)).toEqual(plain);
  expect(await attributes(other)).toEqual([...plain, "Secure"].toSorted());
});

verifies(
  ["accounts.session.rotation", "accounts.session.reuse", "accounts.session.revocable"],
  "each refresh gives a new token; a replaced one that comes back ends the session everywhere",
  async () => {
    const first = await signIn(one);
    const second = sessionOf(await refresh(first.cookie));
    const third = sessionOf(await refresh(second.cookie, other));
    expect(new Set([first.cookie, second.cookie, third.cookie]).size).toBe(3);
    const stored = JSON.stringify(await sql(database.url, "select * from refresh_tokens"));
    for (const { cookie } of [first, second, third]) expect(stored).not.toContain(cookie.split("=")[1]);
    await takenEverywhere(third.access_token);
    await graceOver();
    const stolen = await refresh(first.cookie, other);
    expect([refusal(stolen).status, stolen.headers.getSetCookie()]).toEqual([401, []]);
    await refusedEverywhere(third.access_token);
    expect(refusal(await refresh(third.cookie)).status).toBe(401);
  },
);

verifies(
  ["accounts.session.grace", "accounts.session.reuse"],
  "tabs that refresh at the same time all succeed, and of their new tokens one lives on",
  async () => {
    const { cookie } = await signIn(one);
    const tabs = await Promise.all([one, other, one, other].map((service) => refresh(cookie, service)));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [kept, dropped] = tabs.map(sessionOf);
    const next = sessionOf(await refresh(kept?.cookie ?? ""));
    await takenEverywhere(next.access_token);
    await graceOver();
    expect(refusal(await refresh(dropped?.cookie ?? "")).status).toBe(401);
    await refusedEverywhere(next.access_token);
  },
);

verifies(
  ["console.refresh.lost-answer", "accounts.session.reuse"],
  "a token whose response was lost stays valid until its successor is used, at any later time",
  async () => {
    const { cookie } = await signIn(one);
    const lost = sessionOf(await refresh(cookie));
    await graceOver();
    const arrived = sessionOf(await refresh(cookie, other));
    await graceOver();
    // Either may be the one that the browser kept.
    const next = sessionOf(await refresh(lost.cookie));
    await takenEverywhere(next.access_token);
    await graceOver();
    const stolen = await refresh(cookie);
    expect(refusal(stolen).status).toBe(401);
    await refusedEverywhere(next.access_token);
    expect(refusal(await refresh(arrived.cookie)).status).toBe(401);
  },
);

verifies(
  ["console.refresh.lost-answer", "accounts.session.reuse"],
  "a copy used before its owner ends with the owner's next refresh, and its return ends the session",
  async () => {
    const { cookie: stolen } = await signIn(one);
    const owner = sessionOf(await refresh(stolen));
    const thief = sessionOf(await refresh(stolen));
    const next = sessionOf(await refresh(owner.cookie));
    await graceOver();
    expect(refusal(await refresh(thief.cookie, other)).status).toBe(401);
    await refusedEverywhere(next.access_token);
    await refusedEverywhere(thief.access_token);
  },
);

verifies("accounts.session.lifetime", "sessions expire and are deleted, and a refresh prolongs them", async () => {
  const left = async (sid: unknown) => {
    const text = "select extract(epoch from expires_at - now())::float8 as seconds from sessions where id = $1";
    const [row] = await sql<{ seconds: number }>(database.url, text, [sid]);
    return row && Math.round(row.seconds / HOUR);
  };
  const session = await signIn(one);
  const sid = sessionIdOf(session);
  const program = sessionOf(await postAuth(one, "token", ADA));
  expect([await left(sid), await left(sessionIdOf(program))]).toEqual([30 * 24, 1]);
  await sql(database.url, "update sessions set expires_at = now() + interval '1 hour' where id = $1", [sid]);
  const next = sessionOf(await refresh(session.cookie));
  expect(await left(sid)).toBe(30 * 24);
  await sql(database.url, "update sessions set expires_at = now() where id = $1", [sid]);
  for (const token of [session.access_token, next.access_token]) {
    expect(refusal(await whoIs(one, token)).status).toBe(401);
  }
  expect(refusal(await refresh(next.cookie)).status).toBe(401);
  const db = openDatabase({ url: database.url, poolSize: 1, onIdleError: () => undefined });
  await deleteExpiredSignIns(db);
  await db.close();
  expect(await sql(database.url, "select from sessions where id = $1", [sid])).toEqual([]);
  expect(await sql(database.url, "select from refresh_tokens where session_id = $1", [sid])).toEqual([]);
  await takenEverywhere(program.access_token);
});

verifies("accounts.session.revocable", "a sign-out ends the session everywhere and deletes the cookie", async () => {
  const session = await signIn(one);
  await takenEverywhere(session.access_token);
  const out = await postAuth(one, "sign-out", {}, { cookie: session.cookie });
  expect([out.status, out.headers.getSetCookie()]).toEqual([
    204,
    [expect.stringMatching(/^muster_refresh=; Max-Age=0/)],
  ]);
  await refusedEverywhere(session.access_token);
  expect(refusal(await refresh(session.cookie)).status).toBe(401);
  expect((await postAuth(one, "sign-out", {})).status).toBe(204);
});

verifies("accounts.session.revocable", "users list their own sessions and end one of them, or all others", async () => {
  const person = { email: "lists@example.org", password: "a long password" };
  const here = sessionOf(await postAuth(one, "sign-up", person, { "user-agent": "Here/1.0" }));
  const [there, third] = [await signIn(other, person), await signIn(one, person)];
  const headers = bearer(here.access_token);
  const list = listOf(await send("GET", `${one.url}/auth/sessions`, { headers }));
  expect(list.map(({ current }) => current)).toEqual([false, false, true]);
  expect(list[2]).toMatchObject({ user_agent: "Here/1.0" });
  await takenEverywhere(there.access_token);
  const stranger = bearer((await signIn(one)).access_token);
  const endThere = `${one.url}/auth/sessions/${String(list[1]?.["id"])}`;
  expect(refusal(await send("DELETE", endThere, { headers: stranger })).status).toBe(404);
  expect(refusal(await send("DELETE", `${one.url}/auth/sessions/x`, { headers })).status).toBe(400);
  expect((await send("DELETE", endThere, { headers })).status).toBe(204);
  expect(refusal(await send("DELETE", endThere, { headers })).status).toBe(404);
  await refusedEverywhere(there.access_token);
  await takenEverywhere(third.access_token);
  const unnamed = await send("DELETE", `${one.url}/auth/sessions`, {});
  expect(refusal(unnamed)).toMatchObject({ status: 401, message: "Send an access token in Authorization: Bearer." });
  expect(unnamed.headers.get("www-authenticate")).toBe("Bearer");
  expect((await send("DELETE", `${one.url}/auth/sessions`, { headers })).status).toBe(204);
  await refusedEverywhere(third.access_token);
  await takenEverywhere(here.access_token);
  expect(listOf(await send("GET", `${one.url}/auth/sessions`, { headers }))).toHaveLength(1);
});

verifies("accounts.session.revocable", "only signed-in people have sessions; keys and visitors have none", async () => {
  const credentials: NonNullable<Sent["headers"]>[] = [{}, { "x-api-key": one.keys.api }, bearer(one.keys.api)];
  for (const headers of credentials) {
    for (const [method, path] of [
      ["GET", "sessions"],
      ["DELETE", "sessions"],
      ["DELETE", `sessions/${one.keys.api}`],
      ["POST", "password"],
    ] as const) {
      const answer = await send(method, `${one.url}/auth/${path}`, {
        headers,
        ...(method === "POST" && { body: {} }),
      });
      expect([method, path, refusal(answer).status]).toEqual([method, path, 401]);
    }
  }
});

verifies(
  ["accounts.session.role-now", "auth.envelope.role-too-low-403"],
  "a token's rights follow the member's role in every process, and end with the membership",
  async () => {
    const { workspaceId } = await addWorkspace(database.url);
    const { user, access_token: elsewhere } = await signIn(one);
    const at = [workspaceId, user.id];
    await sql(database.url, "insert into members (workspace_id, user_id, role) values ($1, $2, 'member')", at);
    const { access_token } = sessionOf(await postAuth(one, "sign-in", { ...ADA, workspace_id: workspaceId }));
    const write = async (service: TestService) => {
      const body = { name: "A", model: "demo" };
      const sent = { headers: bearer(access_token), body };
      return (await send("POST", `${service.url}/functions/v1/api-agents`, sent)).status;
    };
    expect([await write(one), await write(other)]).toEqual([201, 201]);
    const setRole = "update members set role = $3 where workspace_id = $1 and user_id = $2";
    await sql(database.url, setRole, [...at, "viewer"]);
    for (const service of [one, other]) {
      await eventually("the lower role counts", async () => (await write(service)) === 403, AT_ONCE_MS);
    }
    await takenEverywhere(access_token);
    await sql(database.url, "delete from members where workspace_id = $1 and user_id = $2", at);
    await refusedEverywhere(access_token);
    await takenEverywhere(elsewhere);
  },
);

const foreign: readonly { readonly name: string; readonly headers: Readonly<Record<string, string>> }[] = [
  { name: "from another origin", headers: { origin: "https://evil.example" } },
  { name: "from another port", headers: { origin: "http://127.0.0.1:1" } },
  { name: "from nowhere", headers: { origin: "null" } },
  { name: "from a sibling site", headers: { "sec-fetch-site": "same-site" } },
  { name: "from another site", headers: { "sec-fetch-site": "cross-site" } },
  { name: "of a form", headers: { "content-type": "text/plain" } },
];
for (const { name, headers } of foreign) {
  verifies("accounts.session.cross-site", `a request ${name} cannot use the cookie or sign in`, async () => {
    const { cookie } = await signIn(one);
    const status = "content-type" in headers ? 400 : 403;
    for (const [path, body] of [
      ["refresh", {}],
      ["token", {}],
      ["sign-out", {}],
      ["sign-in", ADA],
      ["sign-up", { email: "eve@example.org", password: "a long password" }],
    ] as const) {
      const answer = await postAuth(one, path, body, { ...headers, cookie });
      expect([path, refusal(answer).status, answer.headers.getSetCookie()]).toEqual([path, status, []]);
    }
    expect((await refresh(cookie)).status).toBe(200);
  });
}

verifies(
  "accounts.session.cross-site",
  "the service's own pages are accepted; CORS never allows the cookie",
  async () => {
    const { cookie } = await signIn(one);
    const headers = { origin: one.url, "sec-fetch-site": "same-origin", cookie };
    const answer = await postAuth(one, "refresh", {}, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { cookie: next } = sessionOf(answer);
    const outside = { origin: "https://muster.example", cookie: next };
    expect((await postAuth(other, "refresh", {}, outside)).status).toBe(200);
    const asked = await send("OPTIONS", `${one.url}/auth/refresh`, {
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    for (const { headers: given } of [answer, asked]) {
      expect(given.get("access-control-allow-origin")).toBe("*");
      expect(given.get("access-control-allow-credentials")).toBeNull();
    }
  },
);

verifies("accounts.password.change", "with the old password a user sets a new one; other sessions end", async () => {
  const person = { email: "changes@example.org", password: "the old password" };
  const here = sessionOf(await postAuth(one, "sign-up", person));
  const there = await signIn(other, person);
  await takenEverywhere(there.access_token);
  const change = (current_password: string, new_password: string) =>
    postAuth(one, "password", { current_password, new_password }, bearer(here.access_token));
  expect(refusal(await change("a guess", "the new password"))).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(await change(person.password, "short")).paths).toEqual(["new_password"]);
  expect((await change(person.password, "the new password")).status).toBe(204);
  await refusedEverywhere(there.access_token);
  expect(refusal(await refresh(there.cookie)).status).toBe(401);
  await takenEverywhere(here.access_token);
  expect(refusal(await postAuth(one, "sign-in", person)).status).toBe(401);
  const { user } = await signIn(other, { ...person, password: "the new password" });
  expect(fieldsOf(await whoIs(one, here.access_token))["id"]).toBe(user.id);
});

test("behind a proxy the OpenAPI document names the address for others", async () => {
  const { body } = await send("GET", `${other.url}/openapi.json`);
  expect(body).toMatchObject({ servers: [{ url: "https://muster.example" }] });
});
