import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { ADA, ADA_ENV, bearer, postAuth, signIn } from "../../support/accounts.ts";
import type { Answer } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const PER_DEVICE = 10;
const GUESS = { email: ADA.email, password: "a guess" };

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { ...ADA_ENV, TRUSTED_PROXIES: "1" } });
});
beforeEach(() => sql(service.databaseUrl, "delete from sign_in_attempts"));
afterAll(() => service.stop());

/** The cookie by which a browser is known, as it would send it back. */
function deviceOf(answer: Answer): string {
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("muster_device="));
  expect(cookie).toMatch(/; Path=\/auth; HttpOnly; SameSite=Strict$/);
  return cookie?.split(";")[0] ?? "";
}

/** Somebody in the same network guesses until the address is locked there. */
async function lockOut(): Promise<void> {
  const guesses = Array.from({ length: PER_DEVICE + 1 }, () => postAuth(service, "sign-in", GUESS));
  expect((await Promise.all(guesses)).some(({ status }) => status === 429)).toBe(true);
}

verifies(
  "accounts.sign-in.known-device",
  "guesses elsewhere do not lock a person out of a browser with an earlier sign-in",
  async () => {
    const cookie = deviceOf(await postAuth(service, "sign-in", ADA));
    await lockOut();
    expect((await postAuth(service, "sign-in", ADA)).status).toBe(429);
    expect((await postAuth(service, "sign-in", ADA, { cookie })).status).toBe(200);
    expect((await postAuth(service, "token", ADA, { cookie })).status).toBe(200);
  },
  { tags: "slow" },
);

verifies(
  "accounts.sign-in.known-device",
  "a known browser has a separate count",
  async () => {
    const cookie = deviceOf(await postAuth(service, "sign-in", ADA));
    for (let n = 0; n < PER_DEVICE; n++)
      expect((await postAuth(service, "sign-in", GUESS, { cookie })).status).toBe(401);
    expect((await postAuth(service, "sign-in", ADA, { cookie })).status).toBe(429);
    const again = await postAuth(service, "sign-in", ADA);
    expect(again.status).toBe(200);
    expect(deviceOf(again)).not.toBe(cookie);
  },
  { tags: "slow" },
);

verifies("accounts.sign-in.known-device", "a forged, expired or foreign cookie makes no browser known", async () => {
  const cookie = deviceOf(await postAuth(service, "sign-in", ADA));
  const eve = { email: "eve@example.org", password: "a long password" };
  const hers = deviceOf(await postAuth(service, "sign-up", eve));
  await lockOut();
  const [id = "", expires = "", signature = ""] = cookie.replace("muster_device=", "").split(".");
  const forged = [
    `muster_device=${id}.${Number(expires) + 1}.${signature}`,
    `muster_device=x${id}.${expires}.${signature}`,
    `muster_device=${id}.${expires}.${"A".repeat(signature.length)}`,
    "muster_device=",
    "muster_device=..",
    hers,
  ];
  for (const each of forged) {
    expect([each, (await postAuth(service, "sign-in", ADA, { cookie: each })).status]).toEqual([each, 429]);
  }
});

verifies(
  "accounts.sign-in.known-device",
  "a signed-in person changes the password while others guess",
  async () => {
    const { access_token } = await signIn(service);
    await lockOut();
    const body = { current_password: ADA.password, new_password: ADA.password };
    expect((await postAuth(service, "password", body, bearer(access_token))).status).toBe(204);
  },
  { tags: "slow" },
);
