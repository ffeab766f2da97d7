import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import type { Answer } from "../../support/api.ts";
import { fieldsOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const PER_GUESSER = 10;
const PER_EMAIL = 100;
const PER_ADDRESS = 50;
const SIGN_UPS = 20;
const WINDOW_SECONDS = 900;

let database: TestDatabase;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  const env = { ...ADA_ENV, TRUSTED_PROXIES: "1" };
  one = await startService({ databaseUrl: database.url, env });
  other = await startPeer({ databaseUrl: database.url, env });
});
beforeEach(() => sql(database.url, "delete from sign_in_attempts"));
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.drop();
});

/** Signs in with a wrong password, alternating between both processes and concurrently, and counts the answers by status. */
async function guess(times: number, of: (n: number) => { readonly email: string; readonly from: string }) {
  const answers = await Promise.all(
    Array.from({ length: times }, (_, n) => {
      const { email, from } = of(n);
      const body = { email, password: "a guess" };
      return postAuth(n % 2 === 0 ? one : other, "sign-in", body, { "x-forwarded-for": from });
    }),
  );
  return { answers, tried: answers.filter(({ status }) => status === 401).length };
}

function expectTooMany(answer: Answer | undefined): void {
  const message = expect.stringMatching(/^Too many attempts\. Try again in \d+ minutes\.$/);
  expect(answer && refusal(answer)).toMatchObject({ status: 429, code: "rate_limit_exceeded", message });
  const seconds = Number(answer?.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS);
}

verifies(
  ["accounts.sign-in.limited", "accounts.sign-in.limited.across-processes"],
  "all processes together count guesses at one address's password, from any client",
  async () => {
    const email = "victim@example.org";
    const { answers, tried } = await guess(PER_EMAIL + 10, (n) => ({ email, from: `198.51.100.${n}` }));
    expect(tried).toBe(PER_EMAIL);
    for (const answer of answers.filter(({ status }) => status !== 401)) expectTooMany(answer);
    expectTooMany(await postAuth(one, "token", { email: "VICTIM@example.org", password: "a guess" }));
    expect((await postAuth(one, "sign-in", ADA)).status).toBe(200);
    await sql(database.url, "update sign_in_attempts set resets_at = now()");
    expect((await guess(1, () => ({ email, from: "198.51.100.1" }))).tried).toBe(1);
  },
  { tags: "slow" },
);

verifies(
  "accounts.sign-in.limited.by-network",
  "a stranger's guesses lock out the stranger, and no program of the person",
  async () => {
    const { answers, tried } = await guess(PER_GUESSER * 2, () => ({ email: ADA.email, from: "198.51.100.7" }));
    expect(tried).toBe(PER_GUESSER);
    expectTooMany(answers.find(({ status }) => status !== 401));
    expectTooMany(await postAuth(one, "token", ADA, { "x-forwarded-for": "198.51.100.7" }));
    expect((await postAuth(one, "token", ADA, { "x-forwarded-for": "198.51.100.8" })).status).toBe(200);
  },
  { tags: "slow" },
);

verifies(
  ["accounts.sign-in.limited", "accounts.sign-in.limited.across-processes"],
  "guesses from one client address are counted, whatever its headers claim",
  async () => {
    const { answers, tried } = await guess(PER_ADDRESS + 6, (n) => ({
      email: `somebody-${n}@example.org`,
      from: `10.0.0.${n}, 203.0.113.9`,
    }));
    expect(tried).toBe(PER_ADDRESS);
    expectTooMany(answers.find(({ status }) => status === 429));
    expectTooMany(await postAuth(one, "sign-in", ADA, { "x-forwarded-for": "203.0.113.9" }));
    expectTooMany(
      await postAuth(one, "reset", { token: "x", password: "a password" }, { "x-forwarded-for": "203.0.113.9" }),
    );
    expect((await postAuth(one, "sign-in", ADA, { "x-forwarded-for": "203.0.113.10" })).status).toBe(200);
    const counted = JSON.stringify(await sql(database.url, "select * from sign_in_attempts"));
    expect(counted).not.toMatch(/example\.org|203\.0/);
  },
  { tags: "slow" },
);

verifies(
  "accounts.sign-in.limited",
  "successful sign-ins are not counted; guesses at a changed password are",
  async () => {
    for (let n = 0; n < PER_GUESSER + 2; n++) await signIn(one);
    const { access_token } = await signIn(one);
    const body = { current_password: "a guess", new_password: "a new password" };
    const change = () => postAuth(one, "password", body, { ...bearer(access_token), "x-forwarded-for": "192.0.2.1" });
    for (let n = 0; n < PER_GUESSER; n++) expect((await change()).status).toBe(403);
    expectTooMany(await change());
    expect((await postAuth(other, "sign-in", ADA)).status).toBe(200);
  },
  { tags: "slow" },
);

verifies(
  "accounts.sign-in.limited",
  "no spelling of an address signs in whose guesses are counted separately",
  async () => {
    const ivy = { email: "ivy@example.org", password: "a long password" };
    expect((await postAuth(one, "sign-up", ivy)).status).toBe(201);
    expect((await postAuth(one, "token", { ...ivy, email: "IVY@example.org" })).status).toBe(200);
    // PostgreSQL lower-cases the dotted capital to an i; JavaScript, which counts, to an i with a dot above.
    expect((await postAuth(one, "token", { ...ivy, email: "\u0130vy@example.org" })).status).toBe(401);
  },
);

verifies(
  "accounts.sign-in.limited",
  "accounts from one address are limited too",
  async () => {
    const up = (n: number) =>
      postAuth(n % 2 === 0 ? one : other, "sign-up", { email: `new-${n}@example.org`, password: "a long password" });
    const answers = await Promise.all(Array.from({ length: SIGN_UPS + 3 }, (_, n) => up(n)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(SIGN_UPS);
    expectTooMany(answers.find(({ status }) => status !== 201));
  },
  { tags: "slow" },
);

verifies("accounts.sign-in.limited.never-fails-open", "attempts that cannot be counted are rejected", async () => {
  await sql(database.url, "alter table sign_in_attempts rename to away");
  try {
    for (const path of ["sign-in", "token"]) {
      expect(refusal(await postAuth(one, path, ADA))).toMatchObject({ status: 500, code: "internal_error" });
    }
  } finally {
    await sql(database.url, "alter table away rename to sign_in_attempts");
  }
  expect((await postAuth(one, "sign-in", ADA)).status).toBe(200);
});

verifies(
  "accounts.password.reset",
  "the operator's link sets a new password, once, without any session left; a newer link replaces it",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "muster-reset-"));
    const key = Buffer.alloc(32, 7).toString("base64");
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: key, PUBLIC_URL: "https://muster.example/" };
    const options = { cwd: folder, env };
    const linkFor = async (email: string) => {
      const { code, stdout, stderr } = await runMuster(["reset-password", email], options);
      expect([code, stderr]).toEqual([0, ""]);
      return /https:\/\/muster\.example\/auth\/reset\?token=(\w+)\n$/.exec(stdout)?.[1] ?? "";
    };
    const person = { email: "forgets@example.org", password: "the old password" };
    const headers = { "x-forwarded-for": "192.0.2.50" };
    const session = sessionOf(await postAuth(one, "sign-up", person, headers));
    const replaced = await linkFor(person.email);
    const token = await linkFor("Forgets@example.org");
    const set = (given: string, password = "the new password") => postAuth(one, "reset", { token: given, password });
    expect(refusal(await set(replaced)).status).toBe(404);
    expect(refusal(await set(token, "short")).paths).toEqual(["password"]);
    const look = () => send("GET", `${one.url}/auth/reset?token=${token}`);
    expect(fieldsOf(await look())).toMatchObject({ status: "open", email: person.email });
    expect(JSON.stringify(await sql(database.url, "select * from password_resets"))).not.toContain(token);
    const both = await Promise.all([set(token), set(token)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(refusal(await look()).status).toBe(404);
    for (const service of [one, other]) {
      await eventually("the session is over", async () => (await whoIs(service, session.access_token)).status === 401);
    }
    expect(refusal(await postAuth(one, "refresh", {}, { cookie: session.cookie })).status).toBe(401);
    expect(refusal(await postAuth(one, "sign-in", person)).status).toBe(401);
    await signIn(one, { ...person, password: "the new password" });
    const late = await linkFor(person.email);
    await sql(database.url, "update password_resets set expires_at = now()");
    expect(refusal(await set(late)).status).toBe(404);
    const nobody = await startMuster(["reset-password", "nobody@example.org"], options).ended;
    expect([nobody.code, nobody.stdout]).toEqual([1, ""]);
    expect(nobody.stderr).toBe("No user with e-mail nobody@example.org.\n");
    await rm(folder, { recursive: true });
  },
  { tags: "slow" },
);

verifies(
  "accounts.password.reset.unlocks",
  "who is locked out can sign in after a reset by the link",
  async () => {
    const person = { email: "locked@example.org", password: "the old password" };
    await postAuth(one, "sign-up", person, { "x-forwarded-for": "192.0.2.60" });
    const guesses = Array.from({ length: 12 }, () => postAuth(one, "sign-in", { ...person, password: "a guess" }));
    await Promise.all(guesses);
    expectTooMany(await postAuth(one, "sign-in", person));
    const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };
    const { stdout } = await runMuster(["reset-password", person.email], { env, cwd: tmpdir() });
    const token = /token=(\w+)/.exec(stdout)?.[1] ?? "";
    expect((await postAuth(one, "reset", { token, password: "the new password" })).status).toBe(200);
    await signIn(other, { ...person, password: "the new password" });
  },
  { tags: "slow" },
);

verifies(
  "accounts.password.reset",
  "an owner who never used the set-up link can get a password; then the link is invalid",
  async () => {
    const own = await startService();
    const [, setupToken = ""] = /\/auth\/setup\?token=(\S+)/.exec(own.output().stdout) ?? [];
    const env = { DATABASE_URL: own.databaseUrl, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") };
    const email = "owner@localhost.localdomain";
    const { stdout } = await runMuster(["reset-password", email], { env, cwd: tmpdir() });
    expect(stdout).toContain(`: ${own.url}/auth/reset?token=`);
    const token = /token=(\w+)/.exec(stdout)?.[1] ?? "";
    expect((await postAuth(own, "reset", { token, password: "a new password" })).status).toBe(200);
    expect(fieldsOf(await send("GET", `${own.url}/auth/options`))["setup_open"]).toBe(false);
    const link = `${own.url}/auth/setup?token=${setupToken}`;
    for (const late of [await send("GET", link), await postAuth(own, "setup", { ...ADA, token: setupToken })]) {
      expect(refusal(late)).toMatchObject({ status: 409, message: expect.stringContaining("has a password") });
    }
    await signIn(own, { email, password: "a new password" });
    await own.stop();
  },
  { tags: "slow" },
);
