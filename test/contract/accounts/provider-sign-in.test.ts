import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, send } from "../../support/api.ts";
import { startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { Forgery, ProviderPerson, TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import type { ProviderBrowser, Visited } from "../../support/provider-browser.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const CALLBACK = "/auth/oidc/callback";

let provider: TestOpenIdProvider;
let database: TestDatabase;
const keys = createKeys();
let one: TestService;
let other: TestService;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  database = await createDatabase();
  const env = { ...ADA_ENV, ...provider.env, SIGN_UP: "closed", LOG_LEVEL: "debug" };
  const options = { databaseUrl: database.url, keys, env };
  one = await startService(options);
  other = await startPeer(options);
  provider.serve([one, other]);
});
afterEach(() => {
  provider.mood = "well";
  provider.forge = undefined;
});
afterAll(async () => {
  for (const service of [one, other]) await service.stop();
  await provider.close();
  await database.drop();
});

/** Goes to the provider as a person, and stops before the way back to the service. */
async function goToProvider(person: ProviderPerson | undefined, next = "/"): Promise<[ProviderBrowser, string]> {
  provider.person = person;
  const browser = openProviderBrowser();
  return [browser, await browser.follow(`${one.url}/auth/oidc?next=${encodeURIComponent(next)}`, CALLBACK)];
}

async function enter(person: ProviderPerson | undefined, next = "/"): Promise<[ProviderBrowser, Visited]> {
  const [browser, back] = await goToProvider(person, next);
  return [browser, await browser.visit(back)];
}

/** What the browser's session opens. */
async function accessIn(browser: ProviderBrowser) {
  const cookie = browser.cookiesFor(one.url);
  return sessionOf(await postAuth(one, "refresh", {}, { cookie }));
}

/** A person of the provider whose address it has verified. */
function verified(name: string): ProviderPerson {
  return { sub: `sub-${name}`, email: `${name}@example.org`, email_verified: true, name };
}

async function invite(email: string, role = "member"): Promise<void> {
  expect((await consoleOf(one, keys.api).post("/invitations", { email, role })).status).toBe(201);
}

const countUsers = async (email: string) =>
  (await sql(one.databaseUrl, "select id from users where lower(email) = lower($1)", [email])).length;

verifies(
  ["accounts.provider.sign-in", "accounts.provider.match"],
  "a person with a verified address gets their account, and keeps it when the address changes",
  async () => {
    const [browser, { status, location }] = await enter({ ...verified("ada"), email: "ADA@example.org" }, "/w/x?y#z");
    expect([status, location]).toEqual([303, `${one.url}/w/x?y#z`]);
    const access = await accessIn(browser);
    const { user } = await signIn(one);
    expect(access).toMatchObject({ role: "owner", user: { id: user.id, email: ADA.email } });
    const [again] = await enter({ ...verified("ada"), email: "ada.l@example.com", email_verified: false });
    expect((await accessIn(again)).user.id).toBe(user.id);
  },
);

verifies("accounts.provider.invited", "an invited person joins, with the name and the role", async () => {
  await invite("Bea@example.org", "viewer");
  const [browser] = await enter(verified("bea"));
  expect(await accessIn(browser)).toMatchObject({ role: "viewer", user: { email: "bea@example.org", name: "bea" } });
  expect((await consoleOf(one, keys.api).get("/invitations")).text).not.toContain("Bea@example.org");
});

for (const [what, changes] of [
  ["false", { email_verified: false }],
  ["missing", { email_verified: undefined }],
  ["another text", { email_verified: "no" }],
] as const) {
  verifies("accounts.provider.invited", `an address whose verification is ${what} opens nothing`, async () => {
    await invite("eve@example.org");
    const [browser, { status, text }] = await enter({ ...verified("eve"), ...changes });
    expect([status, text]).toEqual([403, expect.stringContaining("does not say that eve@example.org is verified")]);
    expect(browser.cookiesFor(one.url)).not.toContain("muster_refresh");
    const [, asAda] = await enter({ ...verified("eve"), ...changes, email: ADA.email });
    expect(asAda.status).toBe(403);
    expect([await countUsers("eve@example.org"), await countUsers(ADA.email)]).toEqual([0, 1]);
  });
}

verifies(
  "accounts.provider.invited",
  "a person whom nobody invited gets no account, nor one without address",
  async () => {
    const [, { status, text }] = await enter(verified("mallory"));
    expect([status, text]).toEqual([403, expect.stringContaining("Nobody has invited mallory@example.org")]);
    // The provider knows the person, so that it has to ask.
    const another = /<a href="([^"]+)">Sign in as someone else/.exec(text)?.[1] ?? "";
    expect((await openProviderBrowser().visit(one.url + another)).location).toMatch(/[?&]prompt=login(?:&|$)/);
    expect(await countUsers("mallory@example.org")).toBe(0);
    const [, unnamed] = await enter({ sub: "sub-unnamed" });
    expect([unnamed.status, unnamed.text]).toEqual([403, expect.stringContaining("OIDC_SCOPES")]);
  },
);

verifies("accounts.provider.match", "another person who gets the address of a member gets no account", async () => {
  await invite("cleo@example.org");
  await enter(verified("cleo"));
  const [, { status, text }] = await enter({ ...verified("cleo"), sub: "sub-another-cleo" });
  expect([status, text]).toEqual([409, expect.stringContaining("belongs to another person")]);
  await sql(
    one.databaseUrl,
    "delete from members where user_id = (select id from users where email = 'cleo@example.org')",
  );
  await invite("cleo@example.org");
  const [browser] = await enter({ ...verified("cleo"), sub: "sub-another-cleo" });
  expect(await accessIn(browser)).toMatchObject({ user: { email: "cleo@example.org" } });
  expect(await countUsers("cleo@example.org")).toBe(2);
});

verifies(
  "accounts.provider.unproved",
  "an account that an invitation created is taken over without its password and sessions",
  async () => {
    const email = "dora@example.org";
    const [workspace] = await sql<{ id: string }>(one.databaseUrl, "select id from workspaces limit 1");
    await sql(
      one.databaseUrl,
      `with u as (insert into users (id, email, name, password_hash, email_proved)
         select gen_random_uuid(), $1, 'Dora', password_hash, false from users where email = $2 returning id)
       insert into members (workspace_id, user_id, role) select $3, id, 'member' from u`,
      [email, ADA.email, workspace?.id],
    );
    const before = await signIn(one, { email, password: ADA.password });
    const [browser] = await enter(verified("dora"));
    expect((await accessIn(browser)).user.id).toBe(before.user.id);
    expect((await postAuth(one, "refresh", {}, { cookie: before.cookie })).status).toBe(401);
    expect((await postAuth(one, "sign-in", { email, password: ADA.password })).status).toBe(401);
  },
);

verifies("accounts.provider.claimed", "nobody gets an account that a stranger made with their address", async () => {
  const open = await startPeer({ databaseUrl: database.url, keys, env: { ...ADA_ENV, SIGN_UP: "open" } });
  onTestFinished(open.stop);
  const { password } = ADA;
  const eveAs = async (email: string) => sessionOf(await postAuth(open, "sign-up", { email, password }));
  const signedUp = await eveAs("fay@example.org");
  const changed = await eveAs("eve@example.com");
  const body = { email: "gil@example.org", current_password: password };
  const patched = await send("PATCH", `${open.url}/auth/me`, { headers: bearer(changed.access_token), body });
  expect(patched.status).toBe(200);
  for (const [name, stranger] of [
    ["fay", signedUp],
    ["gil", changed],
  ] as const) {
    const email = `${name}@example.org`;
    await invite(email, "admin");
    const [browser] = await enter(verified(name));
    const access = await accessIn(browser);
    expect(access).toMatchObject({ role: "admin", user: { email, name } });
    expect(access.user.id).not.toBe(stranger.user.id);
    // The stranger keeps what they had, and gets nothing of it.
    const again = await signIn(one, { email, password });
    expect([again.user.id, again.workspace_id]).toEqual([stranger.user.id, stranger.workspace_id]);
  }
});

verifies("accounts.provider.once", "a sign-in that came back is refused again, on both processes", async () => {
  const [browser, back] = await goToProvider(verified("ada"));
  const cookie = browser.cookiesFor(one.url);
  expect((await browser.visit(back)).status).toBe(303);
  for (const { url } of [one, other]) {
    const copy = back.replace(one.url, url);
    const answer = await send("GET", copy, { headers: { cookie } });
    expect([answer.status, fieldsOf(answer)["error"]]).toEqual([400, expect.objectContaining({ code: "bad_request" })]);
  }
  const [elsewhere, begun] = await goToProvider(verified("ada"));
  const second = await elsewhere.visit(begun.replace(one.url, other.url));
  expect(second.status).toBe(400);
  const onOther = await send("GET", begun.replace(one.url, other.url), {
    headers: { cookie: elsewhere.cookiesFor(one.url) },
  });
  expect([onOther.status, onOther.text]).toEqual([401, expect.any(String)]);
});

verifies("accounts.provider.once", "another browser, another state and a used code are refused", async () => {
  const [, stolen] = await goToProvider(verified("ada"));
  const stranger = await openProviderBrowser().visit(stolen);
  expect([stranger.status, stranger.text]).toEqual([400, expect.stringContaining("another browser")]);
  const [browser, back] = await goToProvider(verified("ada"));
  const url = new URL(back);
  url.searchParams.set("state", "another");
  expect((await browser.visit(url.href)).status).toBe(400);
  // A code that was used in another sign-in.
  const [first, used] = await goToProvider(verified("ada"));
  await first.visit(used);
  const [second, fresh] = await goToProvider(verified("ada"));
  const mixed = new URL(fresh);
  mixed.searchParams.set("code", new URL(used).searchParams.get("code") ?? "");
  const reused = await second.visit(mixed.href);
  expect([reused.status, reused.text]).toEqual([401, expect.stringContaining("used already")]);
});

verifies("accounts.provider.tabs", "sign-ins in three tabs finish, whatever another site's link does", async () => {
  provider.person = verified("ada");
  const browser = openProviderBrowser();
  const backs: string[] = [];
  for (const next of ["/0", "/1", "/2", "/3"])
    backs.push(await browser.follow(`${one.url}/auth/oidc?next=${next}`, CALLBACK));
  expect((await browser.visit(`${one.url}${CALLBACK}?state=of-another-site&code=x`)).status).toBe(400);
  const seen = [];
  for (const back of backs) seen.push((await browser.visit(back)).location);
  // More than three would make the header of each request too long.
  expect(seen).toEqual([undefined, `${one.url}/1`, `${one.url}/2`, `${one.url}/3`]);
  expect(browser.cookiesFor(one.url).match(/muster_oidc/g)).toBeNull();
});

for (const [what, claims, name] of [
  ["cannot be stored", { name: "Zo\u0000e\uD800" }, "Zo�e�"],
  ["cannot be seen", { name: "Zo\u202Ee" }, "Zoe"],
  ["is a role's", { name: "Owner" }, "zoe-2@example.org"],
] as const) {
  verifies("accounts.provider.claims", `a name that ${what} does not stop a sign-in`, async () => {
    const email = `zoe-${["cannot be stored", "cannot be seen", "is a role's"].indexOf(what)}@example.org`;
    await invite(email);
    const [browser] = await enter({ sub: `sub-${email}`, email, email_verified: true, ...claims });
    expect((await accessIn(browser)).user).toMatchObject({ email, name });
  });
}

verifies("accounts.provider.claims", "an id that cannot be stored is refused", async () => {
  for (const sub of ["a\u0000b", "x".repeat(256)]) {
    const [, { status, text }] = await enter({ ...verified("sub"), sub });
    expect([status, text]).toEqual([401, expect.stringContaining("not what OpenID Connect demands")]);
  }
});

verifies("accounts.provider.id-token", "user info of another person is refused, and named", async () => {
  provider.forge = { claims: { sub: "sub-other" } };
  const [, { status, text }] = await enter(verified("ada"));
  expect([status, text]).toEqual([401, expect.stringContaining("user info is of another person")]);
});

verifies("accounts.provider.down", "an outage between the pages counts as no attempt", async () => {
  const countAttempts = async () =>
    (await sql<{ n: number }>(one.databaseUrl, "select coalesce(sum(count), 0)::int as n from sign_in_attempts"))[0]?.n;
  const [browser, back] = await goToProvider(verified("ada"));
  const before = await countAttempts();
  provider.mood = "broken";
  expect((await browser.visit(back)).status).toBe(503);
  provider.mood = "well";
  // Nor does a page that is loaded again after its cookie has gone.
  expect((await openProviderBrowser().visit(back)).status).toBe(400);
  expect(await countAttempts()).toBe(before);
});

const soon = () => Math.floor(Date.now() / 1_000);
const forgeries: readonly { readonly name: string; readonly forge: () => Forgery; readonly says: string }[] = [
  { name: "without a signature", forge: () => ({ as: "none" }), says: "algorithm" },
  { name: "signed by a stranger", forge: () => ({ as: "stranger" }), says: "signature" },
  { name: "of another issuer", forge: () => ({ claims: { iss: "https://evil.example" } }), says: "another issuer" },
  { name: "for another service", forge: () => ({ claims: { aud: "someone" } }), says: "for another service" },
  { name: "of another sign-in", forge: () => ({ claims: { nonce: "another" } }), says: "another sign-in" },
  { name: "that has expired", forge: () => ({ claims: { exp: soon() - 120 } }), says: "expired" },
  { name: "of tomorrow", forge: () => ({ claims: { nbf: soon() + 86_400 } }), says: "not valid yet" },
];
for (const { name, forge, says } of forgeries) {
  verifies("accounts.provider.id-token", `an ID token ${name} is refused`, async () => {
    provider.forge = forge();
    const [browser, { status, text }] = await enter(verified("ada"));
    expect([status, text]).toEqual([401, expect.stringContaining(says)]);
    expect(browser.cookiesFor(one.url)).not.toContain("muster_refresh");
  });
}

verifies("accounts.provider.id-token", "clocks that differ by half a minute do not matter", async () => {
  provider.forge = { claims: { iat: soon() + 30, nbf: soon() + 30, exp: soon() - 30 } };
  const [, { status }] = await enter(verified("ada"));
  expect(status).toBe(303);
});

verifies("accounts.provider.keys", "keys that the provider has just changed are fetched", async () => {
  expect((await enter(verified("ada")))[1].status).toBe(303);
  provider.serve([one, other]);
  expect((await enter(verified("ada")))[1].status).toBe(303);
});

for (const [mood, says] of [
  ["broken", "responds with an error"],
  ["hanging", "took longer than 5 s"],
] as const) {
  verifies("accounts.provider.down", `a provider that is ${mood} gives a page, and passwords go on`, async () => {
    // A provider that nobody has asked yet, so that nothing of it is known.
    const down = await startOpenIdProvider();
    down.mood = mood;
    const service = await startPeer({ databaseUrl: database.url, keys, env: { ...ADA_ENV, ...down.env } });
    try {
      const { status, text } = await openProviderBrowser().visit(`${service.url}/auth/oidc`);
      expect([status, text]).toEqual([503, expect.stringContaining(says)]);
      expect(text).toContain('href="/sign-in"');
      expect((await postAuth(service, "sign-in", ADA)).status).toBe(200);
      down.serve([service]);
      down.mood = "well";
      expect((await openProviderBrowser().visit(`${service.url}/auth/oidc`)).status).toBe(303);
    } finally {
      await service.stop();
      await down.close();
    }
  });
}

test("access denied at the provider leads back to a page", async () => {
  const [, { status, text }] = await enter(undefined);
  expect([status, text]).toEqual([401, expect.stringContaining("access denied")]);
});

verifies("accounts.provider.next", "a sign-in never leads to another site", async () => {
  for (const next of [
    "/sign-in?next=https://evil.example",
    "https://evil.example/x",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
  ]) {
    const [, { location }] = await enter(verified("ada"), next);
    expect(location).toBe(`${one.url}/`);
  }
  const [, { location }] = await enter(verified("ada"), "/sign-in?next=%2Fw%2Fx");
  expect(location).toBe(`${one.url}/w/x`);
});

verifies("accounts.provider.secret", "neither the secret nor codes and tokens are logged", () => {
  for (const { stderr, stdout } of [one.output(), other.output()]) {
    expect(stderr + stdout).not.toMatch(/a secret of the client|code=|eyJ/);
  }
});
