import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "#config/config.ts";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, whoIs } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { runMuster } from "../../support/muster.ts";
import { programToken, startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const AUDIENCE = "https://muster.example.com/api";

let provider: TestOpenIdProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const clients = [{ client: "ci", workspace: "my-workspace", role: "owner" }];
  const programs = { OIDC_AUDIENCE: AUDIENCE, OIDC_CLIENTS: JSON.stringify(clients) };
  service = await startService({ env: { ...ADA_ENV, ...provider.env, ...programs, PASSWORD_SIGN_IN: "off" } });
  provider.serve([service]);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies("accounts.provider.only", "with passwords off, no password opens anything", async () => {
  const invited = await consoleOf(service, service.keys.api).post("/invitations", {
    email: "bo@example.org",
    role: "member",
  });
  const token = /token=(\S+)/.exec(String(fieldsOf(invited)["link"]))?.[1];
  for (const [path, body] of [
    ["sign-in", ADA],
    ["token", ADA],
    ["sign-up", { email: "eve@example.org", password: ADA.password }],
    ["invitations/accept", { token, password: ADA.password }],
    ["reset", { token: "any", password: ADA.password }],
  ] as const) {
    const { status, message } = refusal(await postAuth(service, path, body));
    expect([path, status, message]).toEqual([path, 403, expect.stringContaining("Sign in with Acme")]);
  }
  expect(fieldsOf(await send("GET", `${service.url}/auth/options`))).toMatchObject({ password_sign_in: "off" });
  provider.person = { sub: "ada", email: ADA.email, email_verified: true };
  const browser = openProviderBrowser();
  const back = await browser.follow(`${service.url}/auth/oidc`, "/auth/oidc/callback");
  expect((await browser.visit(back)).status).toBe(303);
  // The password is still there, and of no use.
  const access = sessionOf(await postAuth(service, "refresh", {}, { cookie: browser.cookiesFor(service.url) }));
  const me = await send("GET", `${service.url}/auth/me`, { headers: bearer(access.access_token) });
  expect(fieldsOf(me)).toMatchObject({ email: ADA.email, has_password: false });
  const headers = bearer(access.access_token);
  for (const [method, path, body] of [
    ["POST", "password", { current_password: ADA.password, new_password: "another password" }],
    ["PATCH", "me", { email: "ada@example.com", current_password: ADA.password }],
  ] as const) {
    const { status, message } = refusal(await send(method, `${service.url}/auth/${path}`, { headers, body }));
    expect([path, status, message]).toEqual([path, 403, expect.stringContaining("Sign in with Acme")]);
  }
});

verifies("accounts.provider.break-glass", "the link of muster setup-link lets the owner in once", async () => {
  // A program that is an owner, too, and came first.
  await whoIs(service, await programToken(provider, "ci", AUDIENCE));
  await sql(
    service.databaseUrl,
    "update members set created_at = 'epoch' where user_id in (select id from service_accounts)",
  );
  const { code, stdout } = await runMuster(["setup-link"], {
    env: { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY, ...provider.env, PASSWORD_SIGN_IN: "off" },
    cwd: service.folder,
  });
  const link = /http\S+\/auth\/break-glass\?token=(\S+)/.exec(stdout);
  expect([code, link?.[1]]).toEqual([0, expect.any(String)]);
  const page = await openProviderBrowser().visit(`${service.url}/auth/break-glass?token=${link?.[1]}`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`value="${link?.[1]}"`)]);
  const enter = () =>
    fetch(`${service.url}/auth/break-glass`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ token: link?.[1] ?? "" }),
    });
  const first = await enter();
  expect([first.status, first.headers.get("location")]).toEqual([303, "/"]);
  const cookie = first.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const entered = sessionOf(await postAuth(service, "refresh", {}, { cookie }));
  expect(entered).toMatchObject({ role: "owner", user: { email: ADA.email } });
  expect((await enter()).status).toBe(404);
  // A person reads why, and what is no form is no fault of the service.
  const again = await fetch(`${service.url}/auth/break-glass`, {
    method: "POST",
    headers: { accept: "text/html", "content-type": "multipart/form-data" },
    body: `token=${link?.[1]}`,
  });
  expect([again.status, await again.text()]).toEqual([404, expect.stringContaining("<p>This link is invalid")]);
});

verifies(
  ["accounts.provider.only", "accounts.provider.groups.last-owner"],
  "settings that lock everyone out are refused",
  () => {
    const issuer = { OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "muster" };
    const OIDC_GROUPS = JSON.stringify([{ group: "staff", workspace: "shop", role: "admin" }]);
    for (const [settings, says] of [
      [{ PASSWORD_SIGN_IN: "off" }, "OIDC_ISSUER is required with PASSWORD_SIGN_IN=off"],
      [{ ...issuer, OIDC_GROUPS }, "nobody the role owner in shop"],
      [{ ...issuer, OIDC_GROUPS: "[" }, "OIDC_GROUPS is not JSON"],
      [{ ...issuer, OIDC_ISSUER: "http://login.example.com" }, "must begin with https://"],
      [{ OIDC_ISSUER: issuer.OIDC_ISSUER }, "OIDC_CLIENT_ID is required"],
      [{ OIDC_CLIENT_ID: "muster" }, "OIDC_ISSUER is required"],
    ] as const) {
      expect(() => readConfig(settings)).toThrow(says);
    }
    expect(readConfig({ ...issuer, PASSWORD_SIGN_IN: "off" }).PASSWORD_SIGN_IN).toBe("off");
  },
);
