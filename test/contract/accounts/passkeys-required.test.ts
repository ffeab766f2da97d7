import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { eventually } from "../../support/eventually.ts";
import { runMuster } from "../../support/muster.ts";
import { startOpenIdProvider } from "../../support/open-id-provider.ts";
import type { TestOpenIdProvider } from "../../support/open-id-provider.ts";
import { addPasskey, asPerson, passkeysOf, signInByPasskey, tryAdd } from "../../support/passkeys.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { ENCRYPTION_KEY, createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let provider: TestOpenIdProvider;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const { url: databaseUrl } = await createDatabase();
  const env = { ...ADA_ENV, ...provider.env };
  one = await startService({ databaseUrl, env });
  other = await startPeer({ databaseUrl, env });
  provider.serve([one, other]);
});
afterAll(async () => {
  await other.stop();
  await one.stop();
  await provider.close();
});

/** The service by its name: a passkey belongs to a host name. */
const named = ({ url }: TestService) => ({ url: url.replace("127.0.0.1", "localhost") });
const originOf = (service: TestService) => named(service).url;

/** An owner with a new workspace, and a member of it who has a password alone. */
async function newTeam() {
  const person = async () => {
    const email = `person-${randomBytes(4).toString("hex")}@example.org`;
    return { email, ...sessionOf(await postAuth(one, "sign-up", { email, password: ADA.password })) };
  };
  const [owner, member] = [await person(), await person()];
  await sql(one.databaseUrl, "delete from members where user_id = $1", [member.user.id]);
  const join = "insert into members (workspace_id, user_id, role) values ($1, $2, 'member')";
  await sql(one.databaseUrl, join, [owner.workspace_id, member.user.id]);
  return { owner, member: { ...member, ...(await signIn(one, { email: member.email, password: ADA.password })) } };
}

function changeWorkspace(by: Pick<TestSession, "access_token">, require_passkeys: boolean) {
  const sent = { headers: bearer(by.access_token), body: { require_passkeys } };
  return send("PATCH", `${one.url}/console/api/workspace`, sent);
}

/** A team whose owner has added a passkey, and requires them. */
async function newStrictTeam() {
  const { owner, member } = await newTeam();
  const ownKey = await addPasskey(named(one), owner, originOf(one));
  expect(fieldsOf(await changeWorkspace(owner, true))["require_passkeys"]).toBe(true);
  return { owner, member, ownKey };
}

const statusOf = async (service: TestService, token: string, path = "/console/api/workspace") =>
  (await send("GET", service.url + path, { headers: { apikey: one.keys.anon, ...bearer(token) } })).status;

verifies(
  "accounts.passkeys.required",
  "a session that a password opened is out on both processes, at once",
  async () => {
    const { owner, member } = await newTeam();
    for (const service of [one, other]) expect(await statusOf(service, member.access_token)).toBe(200);
    await addPasskey(named(one), owner, originOf(one));
    expect((await changeWorkspace(owner, true)).status).toBe(200);
    for (const service of [one, other]) {
      const isClosed = async () => (await statusOf(service, member.access_token)) === 403;
      await eventually("the session is closed", isClosed, 15_000);
      for (const path of ["/functions/v1/api-tasks", "/v1/models", "/rest/v1/agents", "/console/api/workspaces"]) {
        expect([path, await statusOf(service, member.access_token, path)]).toEqual([path, 403]);
      }
      expect(await statusOf(service, owner.access_token)).toBe(200);
    }
    const again = await postAuth(other, "token", { email: member.email, password: ADA.password });
    expect(fieldsOf(again)).toMatchObject({ needs_passkey: true, workspaces: [{ require_passkeys: true }] });
    const asked = await send("GET", `${other.url}/console/api/workspace`, {
      headers: bearer(String(fieldsOf(again)["access_token"])),
    });
    expect(refusal(asked)).toMatchObject({ code: "forbidden", message: expect.stringContaining("requires a passkey") });
    expect((await asPerson(other, member, "GET", "me")).status).toBe(200);
    expect((await changeWorkspace(owner, false)).status).toBe(200);
    await eventually("it opens again", async () => (await statusOf(other, member.access_token)) === 200, 15_000);
  },
);

verifies("accounts.passkeys.required.add", "who has none adds one by password; who has one must use it", async () => {
  const { member } = await newStrictTeam();
  const person = { email: member.email, password: ADA.password };
  const first = await signIn(one, person);
  expect(first).toMatchObject({ needs_passkey: true });
  const { device, id } = await addPasskey(named(one), first, originOf(one));
  for (const service of [one, other]) expect(await statusOf(service, first.access_token)).toBe(200);
  expect(sessionOf(await postAuth(one, "refresh", {}, { cookie: first.cookie }))).toMatchObject({
    needs_passkey: false,
  });
  const weak = await signIn(other, person);
  for (const service of [one, other]) expect(await statusOf(service, weak.access_token)).toBe(403);
  for (const answer of [
    await tryAdd(named(one), weak, createAuthenticator(originOf(one))),
    await asPerson(one, weak, "DELETE", `passkeys/${id}`),
  ]) {
    expect(refusal(answer)).toMatchObject({
      status: 403,
      message: expect.stringContaining("Sign in with one of yours"),
    });
  }
  const strong = await signInByPasskey(named(one), device);
  expect(strong).toMatchObject({ needs_passkey: false });
  for (const service of [one, other]) expect(await statusOf(service, strong.access_token)).toBe(200);
  await addPasskey(named(one), strong, originOf(one));
  expect(await passkeysOf(one, strong)).toHaveLength(2);
});

verifies("accounts.passkeys.required.lock-out", "who requires passkeys has used one", async () => {
  const { owner } = await newTeam();
  const byPassword = await changeWorkspace(owner, true);
  expect(refusal(byPassword)).toMatchObject({ status: 409, message: expect.stringContaining("First add a passkey") });
  const byKey = await consoleOf(one, one.keys.api).patch("/workspace", { require_passkeys: true });
  expect(refusal(byKey).status).toBe(409);
  await addPasskey(named(one), owner, originOf(one));
  expect((await changeWorkspace(owner, true)).status).toBe(200);
});

/** Runs a command of the operator on the machine of the service. */
function operate(...command: string[]) {
  const env = { DATABASE_URL: one.databaseUrl, ENCRYPTION_KEY, ...provider.env };
  return runMuster(command, { env, cwd: one.folder });
}

verifies("accounts.passkeys.required.lock-out", "the operator lets people in who lost their passkeys", async () => {
  const { member, owner } = await newStrictTeam();
  const { device } = await addPasskey(named(one), member, originOf(one));
  const { code, stdout } = await operate("reset-passkeys", member.email);
  expect([code, stdout.trim()]).toEqual([0, `Removed 1 passkey of ${member.email}. All their sessions have ended.`]);
  await eventually("the session has ended", async () => (await statusOf(one, member.access_token)) === 401, 15_000);
  const again = await signIn(one, { email: member.email, password: ADA.password });
  await addPasskey(named(one), again, originOf(one));
  expect(await statusOf(one, again.access_token)).toBe(200);
  expect(device.id).not.toBe("");
  expect((await operate("reset-passkeys", "nobody@example.org")).code).toBe(1);
  const log = await send("GET", `${one.url}/console/api/audit?action=passkey.deleted`, {
    headers: bearer(owner.access_token),
  });
  expect(fieldsOf(log)["items"]).toMatchObject([{ actor: null, subject: { name: `Laptop of ${member.email}` } }]);
});

verifies(
  ["accounts.passkeys.required.lock-out", "accounts.passkeys.required.exempt"],
  "the owner gets in by muster setup-link, and people and programs without passwords as before",
  async () => {
    expect((await operate("setup-link")).code).toBe(1);
    const ada = await signIn(one);
    await sql(one.databaseUrl, "update workspaces set require_passkeys = true where id = $1", [ada.workspace_id]);
    expect(await statusOf(one, (await signIn(one)).access_token)).toBe(403);
    expect((await apiOf(one, one.keys.api).get("/api-tasks")).status).toBe(200);
    const token = /break-glass\?token=(\S+)/.exec((await operate("setup-link")).stdout)?.[1] ?? "";
    const entered = await fetch(`${one.url}/auth/break-glass`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ token }),
    });
    const cookie = entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const byLink = sessionOf(await postAuth(one, "refresh", {}, { cookie }));
    expect([byLink["needs_passkey"], await statusOf(one, byLink.access_token)]).toEqual([false, 200]);
    provider.person = { sub: "ada", email: ADA.email, email_verified: true };
    const browser = openProviderBrowser();
    const back = await browser.follow(`${one.url}/auth/oidc`, "/auth/oidc/callback");
    expect((await browser.visit(back)).status).toBe(303);
    const refreshed = await postAuth(one, "refresh", {}, { cookie: browser.cookiesFor(one.url) });
    const atProvider = sessionOf(refreshed);
    expect([atProvider["needs_passkey"], await statusOf(other, atProvider.access_token)]).toEqual([false, 200]);
  },
);
