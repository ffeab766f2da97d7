import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery } from "../../support/destinations/deliveries.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestKeys, TestService } from "../../support/service.ts";
import { HOSTILE_URLS } from "../../support/checks/hostile-urls.ts";
import { rawRequest } from "../../support/clients/raw-request.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

const CLIENT = { id: "client-1", secret: "client-secret-1" };
const ID_TOKEN = ["e30", Buffer.from(JSON.stringify({ email: "ada@example.com" })).toString("base64url"), "x"].join(
  ".",
);

/** What the fake Google's token endpoint was asked. */
const asked: Record<string, string>[] = [];
let google: FakeServer;
let revoked = false;
/** Where the token endpoint redirects to; undefined: nowhere. */
let redirectTo: string | undefined;
let delayMs = 0;
let issued = 0;
let database: TestDatabase;
let processes: readonly TestService[];
let keys: TestKeys;
let console_: Api;

beforeAll(async () => {
  google = await startFakeServer(({ path, body }, response) => {
    if (path !== "/token") return answerJson(response, {});
    // A header holds bytes.
    const location = redirectTo && Buffer.from(redirectTo).toString("latin1");
    if (location !== undefined) return response.writeHead(307, { location }).end();
    const form = Object.fromEntries(new URLSearchParams(body));
    asked.push(form);
    if (revoked || form["code"] === "wrong") return answerJson(response, { error: "invalid_grant" }, 400);
    const grant = { access_token: `secret-access-${(issued += 1)}`, expires_in: 3_600, token_type: "Bearer" };
    const first = form["grant_type"] === "authorization_code" && {
      refresh_token: "secret-refresh",
      id_token: ID_TOKEN,
    };
    setTimeout(() => answerJson(response, { ...grant, ...first }), delayMs);
  });
  database = await createDatabase();
  keys = createKeys();
  const env = {
    GOOGLE_OAUTH_CLIENT_ID: CLIENT.id,
    GOOGLE_OAUTH_CLIENT_SECRET: CLIENT.secret,
    GOOGLE_OAUTH_BASE: google.url,
    GOOGLE_API_BASE: google.url,
  };
  const options = { databaseUrl: database.url, keys, env };
  processes = [await startService(options), await startPeer(options)];
  console_ = consoleOf(first(), keys.api);
});
afterEach(() => {
  revoked = false;
  redirectTo = undefined;
  delayMs = 0;
  asked.length = 0;
});
afterAll(async () => {
  for (const process of processes) await process.stop();
  await google.close();
  await database.drop();
});

function first(): TestService {
  const [service] = processes;
  if (service === undefined) throw new Error("No service.");
  return service;
}

const begun = z.strictObject({ url: z.url(), state: z.string() });

/** A connection that was started: what Google receives, and what the browser keeps. */
interface Started {
  readonly query: Readonly<Record<string, string>>;
  readonly state: string;
  readonly cookie: string;
}

async function begin(): Promise<Started> {
  const answer = await console_.post("/google-account/connect", {});
  const { url, state } = begun.parse(answer.body);
  expect(url).toContain(`${google.url}/o/oauth2/v2/auth?`);
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { query: Object.fromEntries(new URL(url).searchParams), state, cookie };
}

const comeBack = (query: Record<string, string>, cookie = "") =>
  send("GET", `${first().url}/oauth/google/callback?${new URLSearchParams(query).toString()}`, { headers: { cookie } });

async function connect(): Promise<void> {
  const { state, cookie } = await begin();
  expect((await comeBack({ state, code: "code-1" }, cookie)).status).toBe(200);
}

/** Lets the access token expire in a number of seconds. */
const endTokenIn = (seconds: number) =>
  sql(database.url, "update google_connections set expires_at = now() + $1 * interval '1 second'", [seconds]);

async function testDelivery(routeId: string, count: number) {
  await console_.post(`/routes/${routeId}/test`, {});
  const [delivery] = await deliveriesOver(console_, routeId, count);
  return readDelivery(console_, delivery?.id ?? "");
}

const sheetsRoute = () =>
  createRoute(console_, "", { type: "google_sheets", config: { spreadsheet_id: "sheet1" }, retry_delays: [] });

verifies(
  ["destinations.google.oauth", "destinations.google.settings"],
  "an account is connected once, by a single-use state, with PKCE",
  async () => {
    expect((await console_.get("/google-account")).status).toBe(404);
    const { query, state, cookie } = await begin();
    expect(query).toMatchObject({
      client_id: CLIENT.id,
      redirect_uri: `${first().url}/oauth/google/callback`,
      response_type: "code",
      access_type: "offline",
      code_challenge_method: "S256",
    });
    const { code_challenge: challenge } = query;
    for (const code of ["code-1", "code-2"]) {
      const expected = code === "code-1" ? 200 : 400;
      expect((await comeBack({ state, code }, cookie)).status).toBe(expected);
    }
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ grant_type: "authorization_code", client_secret: CLIENT.secret, code: "code-1" });
    expect(
      createHash("sha256")
        .update(asked[0]?.["code_verifier"] ?? "")
        .digest("base64url"),
    ).toBe(challenge);
    expect(fieldsOf(await console_.get("/google-account"))).toMatchObject({
      email: "ada@example.com",
      status: "active",
    });
    await connect();
    const rows = await sql(database.url, "select from google_connections", []);
    expect(rows).toHaveLength(1);
  },
);

test("a foreign, a rejected and an old state connect nothing", async () => {
  const madeUp = { state: "made-up", code: "code-1" };
  expect((await comeBack(madeUp, "muster_google_state=made-up")).status).toBe(400);
  const { state, cookie } = await begin();
  expect((await comeBack({ state, error: "access_denied" }, cookie)).text).toContain("you did not agree");
  expect((await comeBack({ state, code: "wrong" }, cookie)).text).toContain("invalid_grant");
  const late = await begin();
  await sql(database.url, "update oauth_states set expires_at = now()", []);
  expect((await comeBack({ state: late.state, code: "code-1" }, late.cookie)).status).toBe(400);
  expect(asked.map(({ code }) => code)).toEqual(["wrong"]);
});

verifies(
  "destinations.google.same-browser",
  "another person's link connects no account; the initiator completes it with the code",
  async () => {
    await console_.delete("/google-account");
    const { state } = await begin();
    const own = await begin();
    for (const cookie of ["", "muster_google_state=", own.cookie]) {
      const page = await comeBack({ state, code: "code-1" }, cookie);
      expect(page.status).toBe(200);
      expect(page.text).toContain("not connected yet");
      expect(page.text).toContain('"code": "code-1"');
      expect(page.headers.get("content-type")).toContain("text/plain");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await console_.get("/google-account")).status).toBe(404);
    expect(asked).toEqual([]);

    const foreign = consoleOf(first(), (await addWorkspace(database.url)).key);
    const body = { state, code: "code-1" };
    expect((await foreign.post("/google-account/finish", body)).status).toBe(400);
    expect(fieldsOf(await console_.post("/google-account/finish", body))).toMatchObject({ email: "ada@example.com" });
    expect((await console_.post("/google-account/finish", body)).status).toBe(400);
    expect((await foreign.get("/google-account")).status).toBe(404);
  },
);

test("the cookie of a connection goes only to the page to which Google redirects", async () => {
  const answer = await console_.post("/google-account/connect", {});
  const { state } = begun.parse(answer.body);
  expect(answer.headers.get("set-cookie")).toBe(
    `muster_google_state=${state}; Max-Age=600; Path=/oauth/google/callback; HttpOnly; SameSite=Lax`,
  );
});

verifies(
  "destinations.google.redirects",
  "neither a forged Host header nor a redirect takes the code or the secret elsewhere",
  async () => {
    const answer = await rawRequest(first().url, {
      method: "POST",
      path: "/console/api/google-account/connect",
      headers: { "x-api-key": keys.api, "content-type": "application/json", host: "evil.example" },
      body: {},
    });
    expect(answer).toContain(encodeURIComponent(`${first().url}/oauth/google/callback`));
    expect(answer).not.toContain("evil.example");

    for (const url of [`${google.url}/elsewhere`, ...HOSTILE_URLS]) {
      redirectTo = url;
      const { state, cookie } = await begin();
      const { status, text } = await comeBack({ state, code: "code-1" }, cookie);
      expect([status, text], url).toEqual([400, expect.stringContaining("127.0.0.1 redirects, which is rejected.")]);
    }
    expect(google.seen.filter(({ path }) => path === "/elsewhere")).toEqual([]);
  },
);

verifies(
  "destinations.google.tokens",
  "tokens are encrypted, and one process refreshes them for all before they expire",
  async () => {
    await connect();
    const [row] = await sql(database.url, "select to_json(g)::text as row from google_connections g", []);
    expect(JSON.stringify(row)).not.toContain("secret-");
    const { id } = await sheetsRoute();
    const { status, request } = await testDelivery(id, 1);
    expect(status).toBe("success");
    expect(request ?? "").not.toContain("secret-access");
    const sent = () => google.seen.filter(({ path }) => path.startsWith("/v4/spreadsheets/"));
    expect(sent().at(-1)?.headers["authorization"]).toBe(`Bearer secret-access-${issued}`);

    asked.length = 0;
    delayMs = 300;
    await endTokenIn(0);
    const before = sent().length;
    // Each process makes the deliveries that it creates, so both need the token at the same time.
    const consoles = processes.map((each) => consoleOf(each, keys.api));
    await Promise.all(
      consoles.flatMap((each) => Array.from({ length: 10 }, () => each.post(`/routes/${id}/test`, {}))),
    );
    const deliveries = await deliveriesOver(console_, id, 21);
    expect(deliveries.every((delivery) => delivery.status === "success")).toBe(true);
    expect(asked).toMatchObject([{ grant_type: "refresh_token", refresh_token: "secret-refresh" }]);
    const bearers = sent()
      .slice(before)
      .map(({ headers }) => headers["authorization"]);
    expect(new Set(bearers)).toEqual(new Set([`Bearer secret-access-${issued}`]));

    asked.length = 0;
    await endTokenIn(200);
    expect((await testDelivery(id, 22)).status).toBe("success");
    expect(asked).toHaveLength(1);
  },
  { tags: "slow" },
);

verifies(
  "destinations.google.tokens",
  "a revoked grant disables the account, which shows it until it is connected again",
  async () => {
    await connect();
    const { id } = await sheetsRoute();
    revoked = true;
    await endTokenIn(0);
    const failed = await testDelivery(id, 1);
    expect(failed).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Connect the Google account again"),
    });
    expect(fieldsOf(await console_.get("/google-account"))).toMatchObject({
      status: "disabled",
      error: expect.stringContaining("invalid_grant"),
    });
    await testDelivery(id, 2);
    expect(asked.filter((form) => form["grant_type"] === "refresh_token")).toHaveLength(1);
    revoked = false;
    await connect();
    expect(await testDelivery(id, 3)).toMatchObject({ status: "success" });
    expect((await console_.delete("/google-account")).status).toBe(204);
    expect(await testDelivery(id, 4)).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/^No Google account is connected\./),
    });
  },
);
