import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA_ENV } from "../../support/accounts.ts";
import { fieldsOf, send } from "../../support/api.ts";
import {
  REDIRECT_URI,
  connectApp,
  consent,
  listTools,
  openAppPerson,
  openRequest,
  programAt,
  registerApp,
} from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let service: TestService;
let ada: AppPerson;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
  ada = await openAppPerson(service);
});
afterAll(() => service.stop());

verifies(
  "mcp.oauth.errors.request",
  "a wrong request for consent is told to the program, or shown if it has none",
  async () => {
    const app = await registerApp(service);
    const told: readonly (readonly [string, Record<string, string | undefined>])[] = [
      ["invalid_target", { resource: "https://elsewhere.example/mcp" }],
      ["invalid_target", { resource: "no URL" }],
      ["invalid_request", { code_challenge: undefined }],
      ["invalid_request", { code_challenge_method: "plain" }],
      ["unsupported_response_type", { response_type: "token" }],
      ["consent_required", { prompt: "none" }],
      ["request_not_supported", { request: "eyJhbGciOiJub25lIn0.e30." }],
      ["invalid_request", { login_hint: "a\u0000b" }],
    ];
    for (const [error, changes] of told) {
      const { location = "" } = await ada.browser.visit(app.authorizeUrl(changes));
      // The error of a response type that would answer in the fragment is there, too.
      const query = new URLSearchParams(location.split(/[?#]/)[1]);
      expect([location.startsWith(REDIRECT_URI), query.get("error"), query.get("state")], error).toEqual([
        true,
        error,
        "state-of-the-app",
      ]);
    }
    const shown = [
      { redirect_uri: "https://evil.example/callback" },
      { redirect_uri: "http://127.0.0.1:8976/other" },
      { client_id: "unknown" },
      { client_id: undefined },
    ];
    for (const changes of shown) {
      const page = await ada.browser.visit(app.authorizeUrl(changes));
      expect([page.status, page.location], JSON.stringify(changes)).toEqual([400, undefined]);
      expect(page.text).toContain("The app could not be connected");
      const body = fieldsOf(await send("GET", app.authorizeUrl(changes), { headers: { accept: "application/json" } }));
      expect(body["error"]).toMatch(/^invalid_(request|client|redirect_uri)$/);
    }
  },
);

verifies("mcp.oauth.errors.site", "no link to this service leads a browser elsewhere undecided", async () => {
  const redirect_uris = ["https://site.example/callback", "search-ms:query=site.example"];
  const app = await registerApp(service, { redirect_uris });
  for (const redirect_uri of redirect_uris) {
    for (const changes of [
      { prompt: "none" },
      { code_challenge: undefined },
      { prompt: "none", response_mode: "form_post" },
    ]) {
      const page = await ada.browser.visit(app.authorizeUrl({ redirect_uri, ...changes }));
      expect([page.status, page.location], JSON.stringify(changes)).toEqual([400, undefined]);
      expect(page.text).toContain("The app could not be connected");
      expect(page.text).not.toContain("site.example");
    }
    const denied = await consent(service, ada, app.authorizeUrl({ redirect_uri }), { decision: "deny" });
    expect([denied.href.startsWith(redirect_uri), denied.searchParams.get("error")]).toEqual([true, "access_denied"]);
  }
});

verifies("mcp.oauth.errors.token", "a wrong request for tokens gets an OAuth error", async () => {
  const app = await registerApp(service);
  const code = async () => (await consent(service, ada, app.authorizeUrl())).searchParams.get("code") ?? "";
  const stranger = await registerApp(service);
  const refusals = [
    [await app.exchange(await code(), { code_verifier: "a".repeat(43) }), "invalid_grant"],
    [await app.exchange(await code(), { redirect_uri: "http://127.0.0.1:8976/other" }), "invalid_grant"],
    [await app.exchange(await code(), { resource: "https://elsewhere.example/mcp" }), "invalid_target"],
    [await stranger.exchange(await code(), { code_verifier: app.verifier }), "invalid_grant"],
    [await app.exchange("unknown"), "invalid_grant"],
    [await app.exchange(await code(), { client_id: "unknown" }), "invalid_client"],
    [await app.exchange(await code(), { grant_type: "password" }), "unsupported_grant_type"],
    [await app.exchange(await code(), { grant_type: "client_credentials" }), "unsupported_grant_type"],
    [await app.refresh("unknown"), "invalid_grant"],
    [await send("POST", `${service.url}/oauth/token`, { body: { grant_type: "refresh_token" } }), "invalid_request"],
    [await send("POST", `${service.url}/oauth/token`, { body: "{" }), "invalid_request"],
  ] as const;
  for (const [index, [answer, error]] of refusals.entries()) {
    expect([answer.status >= 400 && answer.status < 500, fieldsOf(answer)["error"]], String(index)).toEqual([
      true,
      error,
    ]);
  }
  const { app: connected, tokens } = await connectApp(service, ada);
  expect((await connected.refresh(tokens.refresh_token, { scope: "read write admin" })).body).toMatchObject({
    error: "invalid_scope",
  });
  expect((await connected.refresh(tokens.refresh_token, { resource: "https://elsewhere.example" })).body).toMatchObject(
    {
      error: "invalid_target",
    },
  );
  const foreign = await stranger.refresh(tokens.refresh_token);
  expect(foreign.body).toMatchObject({ error: "invalid_grant" });
});

verifies("mcp.oauth.errors.expired", "codes and tokens end in time", async () => {
  const app = await registerApp(service);
  const back = await consent(service, ada, app.authorizeUrl());
  await age("AuthorizationCode");
  const late = await app.exchange(back.searchParams.get("code") ?? "");
  expect(late.body).toMatchObject({ error: "invalid_grant", error_description: expect.any(String) });
  const { app: connected, tokens } = await connectApp(service, ada);
  await age("AccessToken");
  const refused = await listTools(service, tokens.access_token);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token".*resource_metadata=/);
  await age("RefreshToken");
  expect((await connected.refresh(tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  for (const token of ["unknown", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "mst_mcp_unknown"]) {
    expect((await listTools(service, token)).status, token).toBe(401);
  }
});

/** Makes all records of a kind expire a minute ago. */
async function age(model: string): Promise<void> {
  await sql(
    service.databaseUrl,
    `update oauth_records set expires_at = now() - interval '1 minute',
       payload = jsonb_set(payload, '{exp}', to_jsonb(extract(epoch from now())::integer - 60))
     where model = '${model}'`,
  );
}

verifies(
  "mcp.oauth.registration",
  "a program registers itself, as a public client with URLs that are safe",
  async () => {
    const post = (body: unknown) => send("POST", `${service.url}/oauth/register`, { body });
    const made = await post({
      client_name: "Editor",
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost/callback"],
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["authorization_code"],
      scope: "read write offline_access",
      // What means nothing here, and what some programs send for nothing.
      id_token_signed_response_alg: "RS256",
      default_max_age: 60,
      sector_identifier_uri: "https://127.0.0.1:1/uris",
      client_uri: null,
      logo_uri: "",
    });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        client_name: "Editor",
        application_type: "native",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
      }),
    ]);
    for (const name of ["client_secret", "default_max_age", "sector_identifier_uri", "client_uri", "logo_uri"])
      expect(made.body).not.toHaveProperty(name);
    const { client_id: id } = z.object({ client_id: z.string() }).parse(made.body);
    const redirect_uri = "http://localhost/callback";
    expect(await openRequest(ada, programAt(service, id).authorizeUrl({ redirect_uri }))).toMatch(/./);
    const refused = [
      { redirect_uris: ["http://example.org/callback"] },
      { redirect_uris: ["javascript:alert(1)"] },
      { redirect_uris: ["https://example.org/callback#fragment"] },
      { redirect_uris: ["no URL"] },
      { redirect_uris: [] },
      { redirect_uris: [7] },
      { redirect_uris: "https://example.org" },
      {},
      [],
      "{",
      { redirect_uris: ["https://example.org"], client_name: "x".repeat(101) },
      { redirect_uris: ["https://example.org"], client_name: "a\u0000b" },
      { redirect_uris: ["https://example.org"], jwks_uri: `https://example.org/${"x".repeat(10_000)}` },
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://example.org/${n}`) },
    ];
    for (const body of refused) {
      const { status, body: answer } = await post(body);
      expect([status, answer], JSON.stringify(body)).toEqual([
        400,
        expect.objectContaining({ error: expect.stringMatching(/^invalid_(redirect_uri|client_metadata|request)$/) }),
      ]);
    }
  },
);

verifies("mcp.oauth.loopback", "a program on this computer may listen on any port", async () => {
  const app = await registerApp(service, {
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1:1/callback"],
  });
  for (const redirect_uri of ["http://localhost:50123/callback", "http://127.0.0.1:50124/callback"]) {
    expect(await openRequest(ada, app.authorizeUrl({ redirect_uri }))).toMatch(/./);
  }
  const page = await ada.browser.visit(app.authorizeUrl({ redirect_uri: "http://localhost:50123/other" }));
  expect(page.status).toBe(400);
});

verifies("mcp.oauth.registration.off", "with APP_REGISTRATION=off no program registers itself", async () => {
  const closed = await startService({ env: { ...ADA_ENV, APP_REGISTRATION: "off" } });
  try {
    const body = { redirect_uris: [REDIRECT_URI] };
    expect((await send("POST", `${closed.url}/oauth/register`, { body })).status).toBe(404);
    const metadata = fieldsOf(await send("GET", `${closed.url}/.well-known/oauth-authorization-server`));
    expect(metadata).not.toHaveProperty("registration_endpoint");
    expect(metadata["client_id_metadata_document_supported"]).toBe(true);
  } finally {
    await closed.stop();
  }
});

verifies(
  "mcp.oauth.rate-limit",
  "registrations, requests for consent and failed requests for tokens are limited by network address",
  async () => {
    const own = await startService({ env: { ...ADA_ENV, TRUSTED_PROXIES: "1" } });
    const headers = { "x-forwarded-for": "192.0.2.7" };
    const flood = async (method: string, path: string, count: number) => {
      const sent = Array.from({ length: count }, () => send(method, own.url + path, { headers }));
      return (await Promise.all(sent)).at(-1);
    };
    try {
      for (const [method, path, count] of [
        ["POST", "/oauth/register", 51],
        ["GET", "/oauth/authorize", 301],
        ["POST", "/oauth/token", 301],
      ] as const) {
        await flood(method, path, count);
        const refused = await send(method, own.url + path, { headers });
        expect([refused.status, refused.body], path).toEqual([
          429,
          expect.objectContaining({ error: "temporarily_unavailable" }),
        ]);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
        const elsewhere = { "x-forwarded-for": "198.51.100.7" };
        expect((await send(method, own.url + path, { headers: elsewhere })).status).toBe(400);
      }
    } finally {
      await own.stop();
    }
  },
);
