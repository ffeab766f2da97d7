import { afterAll, beforeAll, expect } from "vitest";
import { ADA, ADA_ENV, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import type { ProviderBrowser } from "../../support/provider-browser.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const RULES = [
  { group: "staff", workspace: "my-workspace", role: "viewer" },
  { group: "leads", workspace: "my-workspace", role: "admin" },
  { group: "bosses", workspace: "my-workspace", role: "owner" },
  { group: "bosses", workspace: "lab", role: "owner" },
  { group: "bosses", workspace: "no-such-workspace", role: "owner" },
];
const DAY_SECONDS = 86_400;

let provider: TestOpenIdProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  service = await startService({
    env: { ...ADA_ENV, ...provider.env, SIGN_UP: "closed", OIDC_GROUPS: JSON.stringify(RULES) },
  });
  provider.serve([service]);
  expect((await consoleOf(service, service.keys.api).post("/workspaces", { name: "Lab" })).status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** Signs in as a person with groups; the address is not verified, since groups need none. */
async function enter(name: string, groups: unknown, on = service): Promise<[number, ProviderBrowser]> {
  provider.person = { sub: name, email: `${name}@example.org`, email_verified: false, groups };
  const browser = openProviderBrowser();
  const back = await browser.follow(`${on.url}/auth/oidc`, "/auth/oidc/callback");
  return [(await browser.visit(back)).status, browser];
}

async function rolesOf(name: string): Promise<Record<string, string>> {
  const rows = await sql<{ slug: string; role: string }>(
    service.databaseUrl,
    `select w.slug, m.role from members m join workspaces w on w.id = m.workspace_id join users u on u.id = m.user_id
     where u.email = $1`,
    [`${name}@example.org`],
  );
  return Object.fromEntries(rows.map(({ slug, role }) => [slug, role]));
}

verifies("accounts.provider.groups", "groups give the highest of their roles, and follow each sign-in", async () => {
  expect((await enter("grace", ["staff", "leads", "other"]))[0]).toBe(303);
  expect(await rolesOf("grace")).toEqual({ "my-workspace": "admin" });
  await enter("grace", ["bosses"]);
  expect(await rolesOf("grace")).toEqual({ "my-workspace": "owner", lab: "owner" });
  await enter("grace", "staff");
  expect(await rolesOf("grace")).toEqual({ "my-workspace": "viewer" });
});

for (const [what, groups] of [
  ["empty", []],
  ["missing", undefined],
  ["of another form", { staff: true }],
] as const) {
  verifies("accounts.provider.groups", `a person whose groups are ${what} has no access any more`, async () => {
    const name = `hal-${what.replaceAll(" ", "-")}`;
    await enter(name, ["staff"]);
    expect(await rolesOf(name)).toEqual({ "my-workspace": "viewer" });
    expect((await enter(name, groups))[0]).toBe(403);
    expect(await rolesOf(name)).toEqual({});
  });
}

verifies("accounts.provider.groups", "too many groups to be sent take nothing away, and are named", async () => {
  await enter("max", ["staff"]);
  provider.forge = { claims: { groups: undefined, _claim_names: { groups: "src1" } } };
  provider.person = { sub: "max", email: "max@example.org", email_verified: false };
  const browser = openProviderBrowser();
  const answer = await browser.visit(await browser.follow(`${service.url}/auth/oidc`, "/auth/oidc/callback"));
  provider.forge = undefined;
  expect([answer.status, answer.text]).toEqual([401, expect.stringContaining("leaves out your groups")]);
  expect(await rolesOf("max")).toEqual({ "my-workspace": "viewer" });
});

verifies("accounts.provider.groups", "a person without a group of the rules gets no account", async () => {
  expect((await enter("ivy", ["strangers"]))[0]).toBe(403);
  expect(await sql(service.databaseUrl, "select from users where email = 'ivy@example.org'")).toEqual([]);
});

verifies("accounts.provider.groups.unverified", "an unverified address of an account opens no second one", async () => {
  provider.person = { sub: "mallory", email: ADA.email.toUpperCase(), email_verified: false, groups: ["staff"] };
  const browser = openProviderBrowser();
  const answer = await browser.visit(await browser.follow(`${service.url}/auth/oidc`, "/auth/oidc/callback"));
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("does not say that ADA@")]);
  const found = await sql(service.databaseUrl, "select from users where lower(email) = $1", [ADA.email]);
  expect(found).toHaveLength(1);
});

verifies("accounts.provider.groups.workspaces", "a workspace is known by its id and all its slugs", async () => {
  const made = await consoleOf(service, service.keys.api).post("/workspaces", { name: "Den" });
  const id = String(fieldsOf(made)["id"]);
  const rules = [
    { group: "bosses", workspace: id, role: "owner" },
    { group: "bosses", workspace: "den", role: "owner" },
    { group: "staff", workspace: "den", role: "viewer" },
  ];
  const env = { ...ADA_ENV, ...provider.env, SIGN_UP: "closed", OIDC_GROUPS: JSON.stringify(rules) };
  const peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env });
  try {
    provider.serve([service, peer]);
    for (const groups of [["staff"], ["staff"]]) expect((await enter("mia", groups, peer))[0]).toBe(303);
    expect(await rolesOf("mia")).toEqual({ den: "viewer" });
    await sql(service.databaseUrl, "update workspaces set name = 'Cave' where id = $1", [id]);
    expect((await enter("mia", ["bosses"], peer))[0]).toBe(303);
    expect(await rolesOf("mia")).toEqual({ cave: "owner" });
    // Where no rule names it any more; its last owner would stay.
    expect((await enter("noa", ["staff"], peer))[0]).toBe(303);
    expect((await enter("noa", ["staff"]))[0]).toBe(303);
    expect(await rolesOf("noa")).toEqual({ "my-workspace": "viewer" });
  } finally {
    await peer.stop();
  }
});

verifies("accounts.provider.sign-out", "a session of the provider ends there, too, and no other one", async () => {
  const [, browser] = await enter("liv", ["staff"]);
  const headers = { cookie: browser.cookiesFor(service.url) };
  const { status, headers: answered } = await postAuth(service, "sign-out", {}, headers);
  const page = new URL(answered.get("location") ?? "");
  expect([status, page.origin, page.searchParams.get("client_id")]).toEqual([204, provider.issuer, "muster"]);
  expect(page.searchParams.get("post_logout_redirect_uri")).toBe(`${service.url}/sign-in`);
  expect((await browser.visit(page.href)).status).toBe(200);
  expect((await postAuth(service, "refresh", {}, headers)).status).toBe(401);
  const byPassword = await postAuth(service, "sign-out", {}, { cookie: (await signIn(service)).cookie });
  expect([byPassword.status, byPassword.headers.get("location")]).toEqual([204, null]);
});

verifies(
  ["accounts.provider.groups.by-hand", "accounts.provider.groups.last-owner"],
  "members by hand and a last owner stay, whatever their groups",
  async () => {
    const { user } = await signIn(service);
    provider.person = { sub: "ada", email: ADA.email, email_verified: true, groups: ["staff"] };
    const browser = openProviderBrowser();
    await browser.visit(await browser.follow(`${service.url}/auth/oidc`, "/auth/oidc/callback"));
    expect(await rolesOf("ada")).toMatchObject({ "my-workspace": "owner", lab: "owner" });
    await enter("joan", ["bosses"]);
    await sql(service.databaseUrl, "delete from members where user_id = $1 and role = 'owner'", [user.id]);
    await enter("joan", []);
    expect(await rolesOf("joan")).toEqual({ "my-workspace": "owner", lab: "owner" });
  },
);

verifies(
  "accounts.provider.session-end",
  "a session of the provider ends after a day, however often refreshed",
  async () => {
    const [, browser] = await enter("kit", ["staff"]);
    const secondsLeft = async () => {
      const [row] = await sql<{ seconds: number }>(
        service.databaseUrl,
        `select extract(epoch from max(s.expires_at) - now())::float8 as seconds from sessions s
       join users u on u.id = s.user_id where u.email = 'kit@example.org'`,
      );
      return row?.seconds ?? 0;
    };
    expect(await secondsLeft()).toBeGreaterThan(DAY_SECONDS / 2);
    expect(await secondsLeft()).toBeLessThanOrEqual(DAY_SECONDS);
    const next = await postAuth(service, "refresh", {}, { cookie: browser.cookiesFor(service.url) });
    expect(sessionOf(next).role).toBe("viewer");
    expect(await secondsLeft()).toBeLessThanOrEqual(DAY_SECONDS);
  },
);
