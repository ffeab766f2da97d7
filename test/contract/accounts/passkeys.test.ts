import { createHash, createHmac, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { KEY_BYTES, createSecretBox } from "#lib/security/secret-box.ts";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn, whoIs } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Authenticator, Behaviour } from "../../support/authenticator.ts";
import { freePort } from "../../support/free-port.ts";
import { addPasskey, asPerson, passkeysOf, signInByPasskey, tryAdd, tryPasskey } from "../../support/passkeys.ts";
import { createDatabase, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const ORIGIN = "https://muster.example";

let database: TestDatabase;
let one: TestService;
let other: TestService;

beforeAll(async () => {
  database = await createDatabase();
  one = await startBehindProxy(startService);
  other = await startBehindProxy(startPeer);
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

/** Behind a proxy a service does not print its own URL. */
async function startBehindProxy(start: typeof startPeer): Promise<TestService> {
  const PORT = String(await freePort());
  const env = { ...ADA_ENV, PORT, PUBLIC_URL: ORIGIN };
  return { ...(await start({ databaseUrl: database.url, env })), url: `http://127.0.0.1:${PORT}` };
}

/** A new person, with a workspace of their own. */
async function newPerson() {
  const email = `person-${randomBytes(4).toString("hex")}@example.org`;
  return { email, ...sessionOf(await postAuth(one, "sign-up", { email, password: ADA.password })) };
}

verifies(
  "accounts.passkeys.sign-in",
  "a person adds passkeys, signs in with one, renames and removes them",
  async () => {
    const person = await newPerson();
    expect(await passkeysOf(one, person)).toEqual([]);
    const laptop = await addPasskey(one, person, ORIGIN);
    const phone = await addPasskey(other, person, ORIGIN);
    expect(laptop).toMatchObject({ name: "Laptop", last_used_at: null });
    const session = await signInByPasskey(other, laptop.device);
    expect(session).toMatchObject({ user: { email: person.email }, needs_passkey: false });
    expect((await whoIs(one, session.access_token)).status).toBe(200);
    expect((await postAuth(one, "refresh", {}, { cookie: session.cookie })).status).toBe(200);
    expect(await passkeysOf(one, session)).toMatchObject([
      { id: laptop.id, last_used_at: expect.any(String) },
      { id: phone.id, last_used_at: null },
    ]);
    const renamed = await asPerson(one, session, "PATCH", `passkeys/${phone.id}`, { name: "Phone" });
    expect(fieldsOf(renamed)).toMatchObject({ id: phone.id, name: "Phone" });
    expect((await asPerson(one, session, "DELETE", `passkeys/${phone.id}`)).status).toBe(204);
    expect(await passkeysOf(one, session)).toMatchObject([{ id: laptop.id }]);
    for (const [method, body] of [
      ["PATCH", { name: "Phone" }],
      ["DELETE", undefined],
    ] as const) {
      expect((await asPerson(one, session, method, `passkeys/${phone.id}`, body)).status).toBe(404);
    }
  },
);

verifies("accounts.passkeys.sign-in", "the removal of a passkey ends the other sessions that it opened", async () => {
  const person = await newPerson();
  const { device, id } = await addPasskey(one, person, ORIGIN);
  const elsewhere = await signInByPasskey(other, device);
  const here = await signInByPasskey(one, device);
  expect((await asPerson(one, here, "DELETE", `passkeys/${id}`)).status).toBe(204);
  expect((await postAuth(other, "refresh", {}, { cookie: elsewhere.cookie })).status).toBe(401);
  expect((await postAuth(other, "refresh", {}, { cookie: here.cookie })).status).toBe(200);
  expect(refusal(await tryPasskey(other, device))).toMatchObject({
    status: 401,
    message: expect.stringContaining("This passkey is not known here"),
  });
});

verifies("accounts.passkeys.once", "a used challenge opens nothing, on either process", async () => {
  const person = await newPerson();
  const { device } = await addPasskey(one, person, ORIGIN);
  const { body } = await postAuth(one, "passkeys/sign-in/options", {});
  const first = { credential: device.get(body) };
  const second = { credential: device.get(body) };
  const answers = await Promise.all([
    postAuth(one, "passkeys/sign-in", first),
    postAuth(other, "passkeys/sign-in", second),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
  for (const service of [one, other]) {
    const { status, message } = refusal(await postAuth(service, "passkeys/sign-in", first));
    expect([status, message]).toEqual([400, expect.stringContaining("was used before")]);
  }
});

verifies("accounts.passkeys.once", "an expired, foreign or made-up challenge opens and adds nothing", async () => {
  const person = await newPerson();
  const stranger = await newPerson();
  const { device } = await addPasskey(one, person, ORIGIN);
  const forSignIn = String(fieldsOf(await postAuth(one, "passkeys/sign-in/options", {}))["challenge"]);
  const forStranger = String(fieldsOf(await asPerson(one, stranger, "POST", "passkeys/options", {}))["challenge"]);
  for (const challenge of [forStranger, expired("sign-in"), "AAAA", "A".repeat(200)]) {
    expect(refusal(await tryPasskey(one, device, { challenge })).status).toBe(400);
  }
  for (const challenge of [forSignIn, forStranger, expired(`add:${person.user.id}`), "AAAA"]) {
    expect(refusal(await tryAdd(one, person, createAuthenticator(ORIGIN), { challenge })).status).toBe(400);
  }
  expect(await passkeysOf(one, person)).toHaveLength(1);
});

/** A challenge as the service made it a moment more than five minutes ago; its encryption key is 32 times the byte 7. */
function expired(use: string): string {
  const key = createSecretBox(Buffer.alloc(KEY_BYTES, 7)).derive("passkey-challenge");
  const signed = Buffer.concat([randomBytes(16), Buffer.alloc(6)]);
  signed.writeUIntBE(Date.now() - 1, 16, 6);
  return Buffer.concat([signed, createHmac("sha256", key).update(`${use}:`).update(signed).digest()]).toString(
    "base64url",
  );
}

const misuses: readonly { readonly name: string; readonly says: string; readonly behaviour: Behaviour }[] = [
  { name: "on another site", says: "on another site", behaviour: { origin: "https://evil.example" } },
  { name: "for another site", says: "made for another site", behaviour: { rpId: "evil.example" } },
  { name: "without verification", says: "fingerprint, face or PIN", behaviour: { isVerified: false } },
];
for (const { name, says, behaviour } of misuses) {
  verifies("accounts.passkeys.refused", `a passkey ${name} is neither added nor opens a session`, async () => {
    const person = await newPerson();
    const { device } = await addPasskey(one, person, ORIGIN);
    for (const answer of [
      await tryPasskey(one, device, behaviour),
      await tryAdd(one, person, createAuthenticator(ORIGIN), behaviour),
    ]) {
      const { status, message } = refusal(answer);
      expect([status, message, answer.headers.getSetCookie()]).toEqual([400, expect.stringContaining(says), []]);
    }
    expect((await tryPasskey(one, device)).status).toBe(200);
  });
}

verifies(
  ["accounts.passkeys.refused", "accounts.passkeys.audit"],
  "a copied authenticator's counter is refused",
  async () => {
    const person = await newPerson();
    const { device } = await addPasskey(one, person, ORIGIN);
    expect((await tryPasskey(one, device, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 3, 0]) {
      const { status, message } = refusal(await tryPasskey(other, device, { counter }));
      expect([status, message]).toEqual([400, expect.stringContaining("may have been copied")]);
    }
    expect((await tryPasskey(one, device, { counter: 8 })).status).toBe(200);
    const actions = await logOf(person);
    expect(actions.filter(({ action }) => action === "session.rejected")).toHaveLength(3);
  },
);

verifies("accounts.passkeys.refused", "a forged signature and another person's passkey open nothing", async () => {
  const person = await newPerson();
  const victim = await newPerson();
  const own = await addPasskey(one, person, ORIGIN);
  const theirs = await addPasskey(one, victim, ORIGIN);
  const forged = await tryPasskey(one, {
    ...own.device,
    get: (given) => ({ ...own.device.get(given), ...named(theirs.device) }),
  });
  expect([forged.status, refusal(forged).message]).toEqual([401, expect.stringContaining("belongs to another person")]);
  const userHandle = Buffer.from(victim.user.id).toString("base64url");
  const signed = await tryPasskey(one, {
    ...own.device,
    get: (given) => ({ ...own.device.get(given, { userHandle }), ...named(theirs.device) }),
  });
  expect([signed.status, refusal(signed).message]).toEqual([400, "The passkey's signature is wrong."]);
  const again = await tryAdd(one, person, theirs.device);
  expect([again.status, refusal(again).message]).toEqual([409, "This passkey is stored already."]);
  expect((await asPerson(one, person, "DELETE", `passkeys/${theirs.id}`)).status).toBe(404);
});

function named({ id }: Authenticator) {
  return { id, rawId: id };
}

verifies("accounts.passkeys.refused", "what no browser sends is a clear error", async () => {
  const person = await newPerson();
  const device = createAuthenticator(ORIGIN);
  const { body } = await asPerson(one, person, "POST", "passkeys/options", {});
  const good = device.create(body);
  for (const credential of [
    {},
    { ...good, id: "no base64url!" },
    { ...good, type: "password" },
    { ...good, response: {} },
  ]) {
    expect(refusal(await asPerson(one, person, "POST", "passkeys", { credential })).status).toBe(400);
    expect(refusal(await postAuth(one, "passkeys/sign-in", { credential })).status).toBe(400);
  }
  const response = { clientDataJSON: clientDataOf(good), attestationObject: "AAAA" };
  const { status, message } = refusal(
    await asPerson(one, person, "POST", "passkeys", { credential: { ...good, response } }),
  );
  expect([status, message]).toEqual([400, expect.stringContaining("not what Web Authentication demands")]);
});

function clientDataOf(credential: object): string {
  const shape = z.looseObject({ response: z.looseObject({ clientDataJSON: z.string() }) });
  return shape.parse(credential).response.clientDataJSON;
}

verifies("accounts.passkeys.audit", "the log has who added, renamed and removed a passkey", async () => {
  const person = await newPerson();
  const { id } = await addPasskey(one, person, ORIGIN);
  await asPerson(one, person, "PATCH", `passkeys/${id}`, { name: "Phone" });
  await asPerson(one, person, "DELETE", `passkeys/${id}`);
  expect(await logOf(person, "?kind=passkey")).toMatchObject(
    [
      ["passkey.deleted", "Phone"],
      ["passkey.changed", "Phone"],
      ["passkey.created", "Laptop"],
    ].map(([action, name]) => ({
      action,
      actor: { id: person.user.id },
      subject: { kind: "passkey", id, name: `${name} of ${person.email}` },
    })),
  );
});

async function logOf(person: { readonly access_token: string }, query = "") {
  const headers = bearer(person.access_token);
  const answer = await send("GET", `${one.url}/console/api/audit${query}`, { headers });
  return z.looseObject({ items: z.array(z.looseObject({ action: z.string() })) }).parse(answer.body).items;
}

verifies(
  "accounts.passkeys.limits",
  "unknown passkeys from one address are limited, and the number of a person's",
  async () => {
    const person = await newPerson();
    await sql(
      database.url,
      `insert into passkeys (id, user_id, credential_id, public_key, counter, name)
     select gen_random_uuid(), $1, 'filler-' || n || $1::uuid::text, 'AA', 0, 'Filler' from generate_series(1, 19) n`,
      [person.user.id],
    );
    const { device } = await addPasskey(one, person, ORIGIN);
    expect(refusal(await tryAdd(one, person, createAuthenticator(ORIGIN)))).toMatchObject({
      status: 409,
      message: expect.stringContaining("20 passkeys"),
    });
    await sql(database.url, "update sign_in_attempts set count = 0");
    const statuses = new Set<number>();
    for (let n = 0; n < 51; n += 1) statuses.add((await tryPasskey(one, createAuthenticator(ORIGIN))).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await tryPasskey(other, device)).status).toBe(429);
    await sql(database.url, "update sign_in_attempts set count = 0");
  },
);

verifies(
  "accounts.passkeys.kept",
  "a new password keeps passkeys and ends sessions; no account leaves them",
  async () => {
    const person = await newPerson();
    const { device } = await addPasskey(one, person, ORIGIN);
    const token = randomBytes(16).toString("hex");
    await sql(
      database.url,
      "insert into password_resets (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 hour')",
      [person.user.id, createHash("sha256").update(token).digest("hex")],
    );
    expect((await postAuth(one, "reset", { token, password: "another horse battery" })).status).toBe(200);
    expect((await postAuth(one, "refresh", {}, { cookie: person.cookie })).status).toBe(401);
    expect((await tryPasskey(one, device)).status).toBe(200);
    await sql(database.url, "delete from members where user_id = $1", [person.user.id]);
    await sql(database.url, "delete from users where id = $1", [person.user.id]);
    expect(await sql(database.url, "select from passkeys where user_id = $1", [person.user.id])).toEqual([]);
    expect((await tryPasskey(one, device)).status).toBe(401);
  },
);

verifies("accounts.passkeys.host-name", "at an address in numbers, the error says what to do", async () => {
  const local = await startService({ env: ADA_ENV });
  const ada = await signIn(local);
  for (const answer of [
    await asPerson(local, ada, "POST", "passkeys/options", {}),
    await postAuth(local, "passkeys/sign-in/options", {}),
  ]) {
    const { status, message } = refusal(answer);
    expect([status, message]).toEqual([400, expect.stringContaining("such as http://localhost:")]);
  }
  const url = local.url.replace("127.0.0.1", "localhost");
  const { device } = await addPasskey({ url }, ada, url);
  expect((await tryPasskey({ url }, device)).status).toBe(200);
  expect((await consoleOf(local, local.keys.api).get("/audit?kind=passkey")).status).toBe(200);
  await local.stop();
});
