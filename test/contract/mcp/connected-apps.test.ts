import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, idsOf, listOf, send } from "../../support/api.ts";
import { hashKey } from "#domain/access/api-key.ts";
import { eventually } from "../../support/eventually.ts";
import {
  REDIRECT_URI,
  connectApp,
  consent,
  decide,
  listTools,
  openAppPerson,
  openRequest,
  readRequest,
  registerApp,
  tokensOf,
} from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const auditPage = z.object({
  items: z.array(
    z.object({
      action: z.string(),
      actor: z.object({ name: z.string() }).nullable(),
      subject: z.object({ id: z.string().nullable() }),
    }),
  ),
});

let database: TestDatabase;
let service: TestService;
let peer: TestService;
let ada: AppPerson;
let helperId: string;

beforeAll(async () => {
  database = await createDatabase();
  const options = { databaseUrl: database.url, keys: createKeys(), env: ADA_ENV };
  service = await startService(options);
  peer = await startPeer(options);
  ada = await openAppPerson(service);
  const published = { model: "demo", is_mcp_published: true };
  helperId = (await createAgent(apiOf(service, service.keys.api), { ...published, name: "Helper" })).id;
  await createAgent(apiOf(service, service.keys.api), { ...published, name: "Other" });
});
afterAll(async () => {
  for (const each of [service, peer]) await each.stop();
  await database.drop();
});

/** A member of Ada's workspace with an account of their own. */
async function inviteMember(name: string, role: string): Promise<AppPerson> {
  const desk = consoleOf(service, service.keys.api);
  const person = { email: `${name}@example.org`, password: "a password of their own" };
  const { token } = fieldsOf(await desk.post("/invitations", { email: person.email, role }));
  await postAuth(service, "invitations/accept", { token, password: person.password, name });
  const workspace_id = ada.session.workspace_id;
  const session = sessionOf(await postAuth(service, "sign-in", { ...person, workspace_id }));
  return { ...(await openAppPerson(service, person)), session };
}

/** Connects a program that names these scopes, and allows those of them that the page would. */
async function connectAskingFor(scope: string) {
  const app = await registerApp(service);
  const back = await consent(service, ada, app.authorizeUrl({ scope }));
  return { app, tokens: tokensOf(await app.exchange(back.searchParams.get("code") ?? "")) };
}

function call(token: string, on = service) {
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "helper", arguments: { message: "Hi" } },
  };
  return send("POST", `${on.url}/mcp`, { headers: bearer(token), body });
}

verifies("mcp.oauth.discovery", "a request without a token leads to the metadata of this service", async () => {
  const refused = await send("POST", `${service.url}/mcp`, { body: {} });
  expect(refused.status).toBe(401);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? "";
  expect(fieldsOf(await send("GET", metadataUrl))).toMatchObject({
    resource: `${service.url}/mcp`,
    authorization_servers: [service.url],
    scopes_supported: ["read", "write"],
  });
  for (const name of ["oauth-authorization-server", "openid-configuration"]) {
    expect(fieldsOf(await send("GET", `${service.url}/.well-known/${name}`))).toMatchObject({
      issuer: service.url,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      registration_endpoint: `${service.url}/oauth/register`,
      revocation_endpoint: `${service.url}/oauth/revoke`,
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ["read", "write"],
    });
  }
});

verifies("mcp.oauth.consent", "a person sees who asks for what, and allows it for a workspace of theirs", async () => {
  const app = await registerApp(service);
  const uid = await openRequest(ada, app.authorizeUrl());
  const request = await readRequest(service, ada, uid);
  expect(request.body).toEqual({
    client: { client_id: app.clientId, name: "Test app", redirect_host: "this computer" },
    scopes: ["read", "write"],
    workspaces: [
      {
        id: ada.session.workspace_id,
        name: expect.any(String),
        role: "owner",
        agents: [
          { id: helperId, name: "Helper" },
          { id: expect.any(String), name: "Other" },
        ],
      },
    ],
  });
  const back = await consent(service, ada, app.authorizeUrl());
  expect(back.href).toMatch(REDIRECT_URI);
  expect(back.searchParams.get("state")).toBe("state-of-the-app");
  expect(back.searchParams.get("iss")).toBe(service.url);
  const tokens = tokensOf(await app.exchange(back.searchParams.get("code") ?? ""));
  expect(tokens.scope).toBe("read write");
  const listed = await listTools(service, tokens.access_token);
  expect(listed.body).toMatchObject({ result: { tools: [{ name: "helper" }, { name: "other" }] } });
  const denied = await consent(service, ada, app.authorizeUrl(), { decision: "deny" });
  expect([...denied.searchParams]).toContainEqual(["error", "access_denied"]);
  expect(denied.searchParams.get("code")).toBeNull();
});

verifies("mcp.oauth.consent.browser", "a request is decided only in the browser in which it began", async () => {
  const app = await registerApp(service);
  const uid = await openRequest(ada, app.authorizeUrl());
  // Another person opens the link that Ada's browser began, and Ada's session in a browser that began nothing.
  for (const elsewhere of [await openAppPerson(service), await inviteMember("mallory", "member")]) {
    expect((await readRequest(service, elsewhere, uid)).status).toBe(404);
    expect((await decide(service, elsewhere, uid)).status).toBe(404);
  }
  const url = `${service.url}/auth/app-requests/${uid}`;
  const cookie = ada.browser.cookiesFor(service.url);
  // What another site's page could send: the cookie alone.
  expect((await send("POST", url, { headers: { cookie }, body: { decision: "deny" } })).status).toBe(401);
  expect((await decide(service, ada, uid)).status).toBe(200);
  const page = await ada.browser.visit(`${service.url}/connect/${uid}`);
  const headers = (await send("GET", page.url, { headers: { accept: "text/html" } })).headers;
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

verifies(
  "mcp.oauth.consent.once",
  "a request that is decided twice leads to one app, as it was decided last",
  async () => {
    const name = "Decided twice";
    const app = await registerApp(service, { client_name: name });
    const uid = await openRequest(ada, app.authorizeUrl());
    const once = await Promise.all([1, 2, 3, 4, 5].map(() => decide(service, ada, uid)));
    expect(once.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const made = await consoleOf(service, service.keys.api).post("/workspaces", { name: "Second thoughts" });
    const elsewhere = { workspace_id: fieldsOf(made)["id"] };
    expect((await decide(service, ada, uid, elsewhere)).status).toBe(200);
    const { url } = fieldsOf(await decide(service, ada, uid, { scopes: ["read"] }));
    const { location = "" } = await ada.browser.visit(String(url));
    const tokens = tokensOf(await app.exchange(new URL(location).searchParams.get("code") ?? ""));
    expect(tokens.scope).toBe("read");
    const apps = listOf(await consoleOf(service, service.keys.api).get("/apps"));
    expect(apps.filter((each) => each["name"] === name).map((each) => each["scopes"])).toEqual([["read"]]);
    expect((await decide(service, ada, uid)).status).toBe(404);
  },
);

verifies(
  "mcp.oauth.scopes",
  "an app has the scopes that the person allows, and at most the person's rights",
  async () => {
    const readOnly = await connectApp(service, ada, { scopes: ["read"] });
    expect(readOnly.tokens.scope).toBe("read");
    const app = await registerApp(service);
    const uid = await openRequest(ada, app.authorizeUrl({ scope: "read" }));
    expect(await decide(service, ada, uid, { scopes: ["read", "write"] })).toMatchObject({ status: 400 });
    // Who asks for write only gets what that needs.
    const { app: writer, tokens: written } = await connectAskingFor("write");
    expect(written.scope).toBe("read write");
    expect((await call(written.access_token)).text).toContain("Demo model");
    const narrowed = tokensOf(await writer.refresh(written.refresh_token, { scope: "read" }));
    expect((await listTools(service, narrowed.access_token)).status).toBe(200);
    expect((await call(narrowed.access_token)).status).toBe(403);
    const viewer = await inviteMember("vera", "viewer");
    const { tokens } = await connectApp(service, viewer);
    expect((await listTools(service, tokens.access_token)).status).toBe(200);
    expect((await call(tokens.access_token)).text).toContain("viewer");
    const { tokens: limited } = await connectApp(service, ada, { agents: [helperId] });
    const tools = await listTools(service, limited.access_token);
    expect(tools.body).toMatchObject({ result: { tools: [{ name: "helper" }] } });
    expect((await call(limited.access_token)).text).toContain("Demo model");
  },
);

verifies("mcp.oauth.step-up", "a read-only app's call is 403 and says which scope it lacks", async () => {
  const { tokens } = await connectApp(service, ada, { scopes: ["read"] });
  expect((await listTools(service, tokens.access_token)).status).toBe(200);
  const refused = await call(tokens.access_token);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("may only read")]);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  expect(challenge).toMatch(/^Bearer error="insufficient_scope"/);
  expect(challenge).toContain(
    `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
  );
});

verifies("mcp.oauth.passkey", "a password alone connects no app to a workspace that requires a passkey", async () => {
  const made = await consoleOf(service, service.keys.api).post("/workspaces", { name: "Vault" });
  const id = String(fieldsOf(made)["id"]);
  const inside = sessionOf(await postAuth(service, "sign-in", { ...ADA, workspace_id: id }));
  const secret = { name: "Keeper of the vault", model: "demo", is_mcp_published: true };
  const headers = bearer(inside.access_token);
  const keeper = await send("POST", `${service.url}/functions/v1/api-agents`, { headers, body: secret });
  expect(keeper.status).toBe(201);
  await sql(database.url, `update workspaces set require_passkeys = true where id = '${id}'`);
  const person = await openAppPerson(service);
  const app = await registerApp(service);
  const uid = await openRequest(person, app.authorizeUrl());
  const refused = await decide(service, person, uid, { workspace_id: id });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("requires a passkey")]);
  const shown = await readRequest(service, person, uid);
  expect([shown.status, shown.text]).toEqual([200, expect.not.stringContaining(secret.name)]);
  expect((await decide(service, person, uid)).status).toBe(200);
});

verifies(
  "mcp.oauth.audience",
  "a token of an app opens the MCP endpoint only, under the URL that it is for",
  async () => {
    const { tokens } = await connectApp(service, ada);
    for (const path of ["/functions/v1/api-agents", "/console/api/keys", "/v1/models", "/rest/v1/agents"]) {
      expect((await send("GET", service.url + path, { headers: bearer(tokens.access_token) })).status, path).toBe(401);
    }
    // The other process is another service to the client: another URL.
    const elsewhere = await listTools(peer, tokens.access_token);
    expect(elsewhere.status).toBe(401);
    expect(elsewhere.headers.get("www-authenticate")).toContain("for another service");
  },
);

verifies("mcp.oauth.list", "a person sees and ends their apps, an admin those of the workspace", async () => {
  const member = await inviteMember("mia", "member");
  const { tokens } = await connectApp(service, member);
  const own = bearer(member.session.access_token);
  const list = await send("GET", `${service.url}/console/api/apps`, { headers: own });
  expect(list.body).toEqual([
    expect.objectContaining({
      name: "Test app",
      person: "mia",
      scopes: ["read", "write"],
      app: expect.objectContaining({ redirect_host: "this computer" }),
    }),
  ]);
  const [id] = idsOf(list);
  const desk = consoleOf(service, service.keys.api);
  expect(idsOf(await desk.get("/apps"))).toContain(id);
  expect((await desk.post(`/keys/${id}/rotate`, {})).status).toBe(409);
  const adas = fieldsOf({ ...list, body: listOf(await desk.get("/apps")).find((app) => app["person"] !== "mia") });
  const foreign = await send("DELETE", `${service.url}/console/api/apps/${String(adas["id"])}`, { headers: own });
  expect(foreign.status).toBe(404);
  expect((await send("DELETE", `${service.url}/console/api/apps/${id}`, { headers: own })).status).toBe(204);
  expect((await listTools(service, tokens.access_token)).status).toBe(401);
  const { tokens: second } = await connectApp(service, member);
  const [secondId] = idsOf(await send("GET", `${service.url}/console/api/apps`, { headers: own }));
  expect((await desk.delete(`/apps/${secondId}`)).status).toBe(204);
  expect((await listTools(service, second.access_token)).status).toBe(401);
  const log = auditPage.parse((await desk.get("/audit?kind=key")).body).items;
  const entries = log.filter(({ subject }) => subject.id === id);
  expect(entries.map(({ action, actor }) => [action, actor?.name])).toEqual([
    ["key.deleted", "mia"],
    ["key.created", "mia"],
  ]);
});

verifies("cli.apps", "the command line lists apps and disconnects one by its name", async () => {
  const { tokens } = await connectApp(service, ada, { agents: [helperId] }, { client_name: "From the CLI" });
  const run = async (...args: readonly string[]) => runMuster(args, { env: environmentOf(service) });
  const listed = await run("apps", "list");
  expect(listed.stdout).toMatch(/^ID +NAME +RETURNS TO +PERSON +SCOPES +AGENTS +LAST USED$/m);
  expect(listed.stdout).toMatch(/ From the CLI +this computer +\S.* +read, write +1 +never$/m);
  const ended = await run("apps", "disconnect", "From the CLI", "--yes");
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringMatching(/^Disconnected app From the CLI /)]);
  expect((await listTools(service, tokens.access_token)).status).toBe(401);
  expect((await run("apps", "disconnect", "From the CLI", "--yes")).code).not.toBe(0);
});

verifies("mcp.oauth.member-removed", "who leaves a workspace takes the apps along, at once", async () => {
  const member = await inviteMember("max", "member");
  const { app, tokens } = await connectApp(service, member);
  expect((await listTools(service, tokens.access_token)).status).toBe(200);
  await consoleOf(service, service.keys.api).delete(`/members/${member.session.user.id}`);
  await eventually("the app is out", async () => (await listTools(service, tokens.access_token)).status === 401);
  expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

verifies("mcp.oauth.refresh", "a refresh token is replaced at its use; a late second use ends the app", async () => {
  const { app, tokens } = await connectApp(service, ada);
  const renewed = tokensOf(await app.refresh(tokens.refresh_token));
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
  for (const { access_token } of [tokens, renewed]) expect((await listTools(service, access_token)).status).toBe(200);
  await sql(database.url, "update oauth_records set consumed_at = consumed_at - interval '31 seconds'");
  const again = await app.refresh(tokens.refresh_token);
  expect(again).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  for (const { access_token } of [tokens, renewed]) expect((await listTools(service, access_token)).status).toBe(401);
  expect((await app.refresh(renewed.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
});

verifies("mcp.oauth.outage", "a program is told of an outage as one, and its token is not used up", async () => {
  const { app, tokens } = await connectApp(service, ada);
  const fails =
    "create function fail() returns trigger language plpgsql as $$ begin raise exception using errcode = '53200'; end $$";
  await sql(database.url, `${fails}; create trigger fail before insert on oauth_records execute function fail()`);
  const refused = await app.refresh(tokens.refresh_token);
  await sql(database.url, "drop trigger fail on oauth_records; drop function fail");
  expect([refused.status, refused.body]).toEqual([
    503,
    { error: "temporarily_unavailable", error_description: "The database failed for a moment; try again." },
  ]);
  expect(tokensOf(await app.refresh(tokens.refresh_token)).scope).toBe("read write");
});

verifies("mcp.oauth.code-once", "a code works once; its second use ends the tokens that it gave", async () => {
  const { app, code, tokens } = await connectApp(service, ada);
  expect((await listTools(service, tokens.access_token)).status).toBe(200);
  expect(await app.exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect((await listTools(service, tokens.access_token)).status).toBe(401);
});

verifies("mcp.oauth.revocation", "a program ends its connection by either token", async () => {
  for (const kind of ["access_token", "refresh_token"] as const) {
    const { app, tokens } = await connectApp(service, ada);
    const stranger = await registerApp(service);
    expect((await stranger.revoke(tokens[kind])).status).toBe(200);
    expect((await listTools(service, tokens.access_token)).status).toBe(200);
    expect((await app.revoke(tokens[kind])).status).toBe(200);
    expect((await listTools(service, tokens.access_token)).status).toBe(401);
    expect((await app.refresh(tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
    expect((await app.revoke("unknown")).status).toBe(200);
  }
});

verifies("mcp.oauth.forgotten", "what nobody has connected for a day or used for 30 days is deleted", async () => {
  const [used, unused] = [await connectApp(service, ada), await connectApp(service, ada)];
  const unknown = await registerApp(service);
  const age = async (table: string, column: string, by: string) =>
    sql(database.url, `update ${table} set ${column} = ${column} - interval '${by}' where isfinite(${column})`);
  await age("api_keys", "created_at", "2 hours");
  await age("oauth_records", "expires_at", "25 hours");
  const renewed = tokensOf(await used.app.refresh(used.tokens.refresh_token));
  await age("oauth_records", "expires_at", "29 days");
  await sql(
    database.url,
    "update oauth_records set expires_at = now() + interval '1 day' where model = 'RefreshToken' and key_id = (select key_id from oauth_records where id_hash = $1)",
    [hashKey(renewed.access_token)],
  );
  await runJanitor(service);
  expect((await ada.browser.visit(unknown.authorizeUrl())).text).toContain("client is invalid");
  expect((await unused.app.refresh(unused.tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  expect(tokensOf(await used.app.refresh(renewed.refresh_token)).scope).toBe("read write");
  await expect(openRequest(ada, unused.app.authorizeUrl())).resolves.toMatch(/./);
});

verifies("mcp.oauth.secrets", "no code, token or key text of an app is in the database", async () => {
  const { code, tokens } = await connectApp(service, ada);
  const rows = await sql(database.url, "select to_jsonb(r)::text as row from oauth_records r");
  const all = JSON.stringify(rows);
  expect(rows.length).toBeGreaterThan(0);
  for (const secret of [code, tokens.access_token, tokens.refresh_token]) expect(all).not.toContain(secret);
});
