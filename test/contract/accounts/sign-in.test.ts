import { afterAll, beforeAll, expect } from "vitest";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import { signJwt, verifyJwt } from "#lib/security/jwt.ts";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import { apiOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
});
afterAll(() => service.stop());

/** The claims of a token, without looking at its signature. */
function claimsOf(token: string): Record<string, unknown> {
  const [, payload = ""] = token.split(".");
  return fieldsOf({ ...EMPTY, body: JSON.parse(Buffer.from(payload, "base64url").toString()) });
}
const EMPTY = { status: 200, headers: new Headers(), text: "" };

/** The key with which the test service signs: its encryption key is 32 times the byte 7. */
const signingKey = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("access-token");

verifies(
  ["accounts.sign-in", "auth.envelope.jwt", "accounts.jwt.claims"],
  "the owner signs in, in any case of the address, and the token opens envelope and console APIs",
  async () => {
    const session = sessionOf(await postAuth(service, "sign-in", { ...ADA, email: "ADA@Example.org" }));
    const me = fieldsOf(await whoIs(service, session.access_token));
    expect(me).toMatchObject({ email: ADA.email, workspace_id: session.workspace_id, plan: "enterprise" });
    expect(me).toEqual(fieldsOf(await apiOf(service, service.keys.api).get("/api-me")));
    const headers = bearer(session.access_token);
    const made = await send("POST", `${service.url}/functions/v1/api-agents`, {
      headers,
      body: { name: "By token", model: "demo" },
    });
    expect([made.status, fieldsOf(made)["created_by"]]).toEqual([201, session.user.id]);
    expect((await send("GET", `${service.url}/console/api/provider-keys`, { headers })).status).toBe(200);
    expect(verifyJwt(session.access_token, signingKey)).toEqual({
      iss: "muster",
      aud: "muster:api",
      sub: session.user.id,
      workspace_id: session.workspace_id,
      role: "owner",
      sid: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    });
  },
);

verifies(["accounts.sign-in", "accounts.jwt.claims"], "the token names the workspace that was asked for", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const { user, workspace_id: first } = await signIn(service);
  const join = "insert into members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
  await sql(service.databaseUrl, join, [other.workspaceId, user.id]);
  const session = sessionOf(await postAuth(service, "sign-in", { ...ADA, workspace_id: other.workspaceId }));
  expect(session).toMatchObject({ workspace_id: other.workspaceId, role: "viewer" });
  expect(session.workspaces.map(({ id, role }) => [id, role])).toEqual([
    [first, "owner"],
    [other.workspaceId, "viewer"],
  ]);
  expect(claimsOf(session.access_token)).toMatchObject({ workspace_id: other.workspaceId, role: "viewer" });
  expect(fieldsOf(await whoIs(service, session.access_token))["workspace_id"]).toBe(other.workspaceId);
  const next = await postAuth(service, "refresh", {}, { cookie: session.cookie });
  expect(sessionOf(next).workspace_id).toBe(other.workspaceId);
  const back = await postAuth(service, "refresh", { workspace_id: first }, { cookie: sessionOf(next).cookie });
  expect(sessionOf(back)).toMatchObject({ workspace_id: first, role: "owner" });
  const stranger = await addWorkspace(service.databaseUrl);
  for (const workspace_id of [UNKNOWN, stranger.workspaceId]) {
    expect(refusal(await postAuth(service, "sign-in", { ...ADA, workspace_id }))).toMatchObject({ status: 404 });
    const denied = await postAuth(service, "refresh", { workspace_id }, { cookie: sessionOf(back).cookie });
    expect(refusal(denied).status).toBe(404);
  }
  // A rejection for the workspace has not used up the cookie.
  expect((await postAuth(service, "refresh", {}, { cookie: sessionOf(back).cookie })).status).toBe(200);
});

verifies(
  "auth.envelope.role-too-low-403",
  "a viewer reads and is 403 on every write and on what admins do",
  async () => {
    const other = await addWorkspace(service.databaseUrl);
    const { user } = await signIn(service);
    const join = "insert into members (workspace_id, user_id, role) values ($1, $2, $3)";
    await sql(service.databaseUrl, join, [other.workspaceId, user.id, "viewer"]);
    const { access_token } = sessionOf(await postAuth(service, "token", { ...ADA, workspace_id: other.workspaceId }));
    const headers = bearer(access_token);
    expect((await send("GET", `${service.url}/functions/v1/api-agents`, { headers })).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/functions/v1/api-agents"],
      ["PATCH", `/functions/v1/api-tasks?id=${UNKNOWN}`],
      ["DELETE", `/functions/v1/api-agents?id=${UNKNOWN}`],
      ["PUT", "/console/api/provider-keys/openai"],
    ] as const) {
      const answer = await send(method, service.url + path, { headers, body: {} });
      expect(refusal(answer)).toMatchObject({ status: 403, code: "forbidden", message: /viewer/ });
    }
  },
);

verifies("auth.envelope.jwt", "with both a key and a token, the key applies", async () => {
  const { access_token } = await signIn(service);
  const other = await addWorkspace(service.databaseUrl);
  const both = (key: string) =>
    send("GET", `${service.url}/functions/v1/api-me`, { headers: { ...bearer(access_token), "x-api-key": key } });
  expect(fieldsOf(await both(other.key))["workspace_id"]).toBe(other.workspaceId);
  for (const key of ["mst_wrong", ""]) expect(refusal(await both(key)).status).toBe(401);
});

verifies(
  ["accounts.sign-up", "accounts.password-hash"],
  "a person signs up and owns a workspace; the e-mail address is then in use, in any case",
  async () => {
    const body = { email: "Grace@example.org", password: "a long password", name: "Grace", workspace_name: "Navy" };
    const session = sessionOf(await postAuth(service, "sign-up", body));
    expect(session).toMatchObject({ role: "owner", workspaces: [{ name: "Navy", role: "owner" }] });
    expect(fieldsOf(await whoIs(service, session.access_token))).toMatchObject({
      email: body.email,
      name: "Grace",
      workspace_name: "Navy",
      plan: "free",
    });
    expect((await signIn(service, body)).user.id).toBe(session.user.id);
    const again = await postAuth(service, "sign-up", { ...body, email: "grace@EXAMPLE.org" });
    expect(refusal(again)).toMatchObject({ status: 409, code: "conflict" });
    const stored = JSON.stringify(await sql(service.databaseUrl, "select * from users"));
    expect(stored).not.toContain(body.password);
    const plain = sessionOf(await postAuth(service, "sign-up", { email: "joan@example.org", password: "12345678" }));
    expect(plain).toMatchObject({ user: { name: "joan@example.org" }, workspaces: [{ name: "My workspace" }] });
  },
);

verifies("accounts.sign-up", "of many concurrent sign-ups with one address, one succeeds", async () => {
  const body = { email: "race@example.org", password: "a long password" };
  const answers = await Promise.all(Array.from({ length: 5 }, () => postAuth(service, "sign-up", body)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  expect(await sql(service.databaseUrl, "select from users where email = 'race@example.org'")).toHaveLength(1);
});

const faulty: readonly { readonly path: string; readonly body: object; readonly paths: readonly string[] }[] = [
  { path: "sign-up", body: {}, paths: ["email", "password"] },
  { path: "sign-up", body: { email: "x", password: "short" }, paths: ["email", "password"] },
  { path: "sign-up", body: { email: "a@b.de", password: "long enough", name: " " }, paths: ["name"] },
  { path: "sign-up", body: { email: "a\0@b.de", password: "long enough" }, paths: ["email"] },
  { path: "sign-in", body: { email: 1, colour: "red" }, paths: ["email", "password", "colour"] },
  { path: "sign-in", body: { ...ADA, workspace_id: "x" }, paths: ["workspace_id"] },
  { path: "token", body: { email: ADA.email }, paths: ["password"] },
  { path: "token", body: { colour: "red" }, paths: ["colour"] },
  { path: "refresh", body: { workspace_id: 1 }, paths: ["workspace_id"] },
  { path: "sign-out", body: { all: true }, paths: ["all"] },
];
for (const { path, body, paths } of faulty) {
  verifies("errors.body.details", `POST /auth/${path} of ${JSON.stringify(body)} names what is wrong`, async () => {
    expect(refusal(await postAuth(service, path, body))).toMatchObject({ status: 400, code: "bad_request", paths });
  });
}

verifies("accounts.sign-up.closed", "without the setting a sign-up is rejected and creates nothing", async () => {
  const closed = await startService({ env: { MUSTER_INIT_PASSWORD: ADA.password } });
  const answer = await postAuth(closed, "sign-up", { email: "eve@example.org", password: "a long password" });
  expect(refusal(answer)).toMatchObject({ status: 403, code: "forbidden", message: /invitation/ });
  expect(await sql(closed.databaseUrl, "select from users")).toHaveLength(1);
  await closed.stop();
});

verifies(
  "accounts.sign-in.reveals-nothing",
  "a wrong password and an unknown address get the same response",
  async () => {
    const bodies = [
      { ...ADA, password: "wrong horse" },
      { email: "nobody@example.org", password: ADA.password },
      { email: "not an address", password: "" },
    ];
    for (const path of ["sign-in", "token"]) {
      const answers = await Promise.all(bodies.map((body) => postAuth(service, path, body)));
      const told = answers.map((answer) => [refusal(answer), answer.headers.getSetCookie(), answer.text.length]);
      expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
      expect(told[0]?.[0]).toMatchObject({ status: 401, code: "unauthorized" });
    }
  },
);

const now = Math.floor(Date.now() / 1_000);
const good = { iss: "muster", aud: "muster:api", role: "owner", iat: now, exp: now + 3_600 };
const forged: readonly { readonly name: string; readonly claims: object; readonly key?: Buffer }[] = [
  { name: "of another signer", claims: good, key: Buffer.alloc(KEY_BYTES, 1) },
  { name: "signed with the encryption key itself", claims: good, key: Buffer.alloc(KEY_BYTES, 7) },
  { name: "made for something else", claims: { ...good, aud: "muster:invitation" } },
  { name: "of another issuer", claims: { ...good, iss: "other" } },
  { name: "that has expired", claims: { ...good, iat: now - 3_601, exp: now - 1 } },
  { name: "of a session that never was", claims: { ...good, sid: UNKNOWN } },
  { name: "of somebody else's session", claims: { ...good, sub: UNKNOWN } },
  { name: "for a workspace without the person", claims: { ...good, workspace_id: UNKNOWN } },
  { name: "without an expiry", claims: { ...good, exp: undefined } },
];
for (const { name, claims, key = signingKey } of forged) {
  verifies(["accounts.jwt.foreign-signature", "accounts.jwt.bound"], `a token ${name} is rejected`, async () => {
    const { access_token } = await signIn(service);
    const own = claimsOf(access_token);
    const { sub, workspace_id, sid } = own;
    expect((await whoIs(service, signJwt({ ...own, ...good }, signingKey))).status).toBe(200);
    const answer = await whoIs(service, signJwt({ sub, workspace_id, sid, ...claims }, key));
    expect(refusal(answer)).toMatchObject({ status: 401, code: "unauthorized" });
  });
}

verifies("accounts.jwt.bound", "secrets issued for other purposes are neither access tokens nor keys", async () => {
  const { cookie, access_token } = await signIn(service);
  const [, refreshToken = ""] = cookie.split("=");
  for (const token of [refreshToken, service.keys.api, service.keys.agui]) {
    expect(refusal(await whoIs(service, token)).status).toBe(401);
  }
  for (const key of [refreshToken, access_token]) {
    expect(refusal(await apiOf(service, key).get("/api-me")).status).toBe(401);
  }
  for (const token of [access_token, service.keys.api, refreshToken.slice(1)]) {
    const headers = { cookie: `muster_refresh=${token}` };
    expect(refusal(await postAuth(service, "refresh", {}, headers)).status).toBe(401);
    expect(refusal(await postAuth(service, "reset", { token, password: "a long password" })).status).toBe(404);
    expect(refusal(await postAuth(service, "setup", { token, ...ADA })).status).toBe(404);
  }
});
