import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { hashKey } from "#domain/access/api-key.ts";
import { ROLES } from "#domain/access/role.ts";
import { verifyPassword } from "#lib/security/password.ts";
import { consoleOf, listOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const PASSWORD = "correct horse battery";
const DAY_MS = 86_400_000;

const shown = z.looseObject({ id: z.string(), email: z.string(), token: z.string(), link: z.string() });
const joined = z.strictObject({
  workspace_id: z.string(),
  workspace_name: z.string(),
  user_id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
});

let service: TestService;
let second: TestService;
let workspace: TestWorkspace;
let owner: Api;
/** An owner of the first workspace, whose invitations prove addresses. */
let operator: Api;
let people = 0;

beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: "trace" } });
  second = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  workspace = await addWorkspace(service.databaseUrl);
  owner = consoleOf(service, workspace.key);
  operator = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

function someEmail(): string {
  return `guest-${++people}@localhost.localdomain`;
}

async function invited(email: string, { role = "member", by = owner } = {}): Promise<z.output<typeof shown>> {
  const answer = await by.post("/invitations", { email, role });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return shown.parse(answer.body);
}

function look(token: string): Promise<Answer> {
  return send("GET", `${service.url}/auth/invitations?token=${encodeURIComponent(token)}`);
}

function accept(token: string, fields: object = { password: PASSWORD }, on = service): Promise<Answer> {
  return send("POST", `${on.url}/auth/invitations/accept`, { body: { token, ...fields } });
}

/** A closed link answers like one that never was. */
async function expectClosed(token: string): Promise<void> {
  const unknown = "0".repeat(43);
  for (const [closed, never] of [
    [await look(token), await look(unknown)],
    [await accept(token), await accept(unknown)],
  ] as const) {
    expect(refusal(closed)).toEqual(refusal(never));
    expect(refusal(closed)).toMatchObject({ status: 404, code: "not_found" });
  }
}

verifies(
  ["accounts.members.invitation", "accounts.invitations.stored-hashed"],
  "a new person joins by the link: it describes the invitation, and creates an account and a member",
  async () => {
    const email = someEmail();
    const { token, link } = await invited(email, { role: "viewer" });
    expect(link).toBe(`${service.url}/auth/invitations?token=${token}`);
    expect((await send("GET", link)).body).toMatchObject({
      workspace_name: "Another workspace",
      email,
      role: "viewer",
      has_account: false,
    });
    const answer = await accept(token, { password: PASSWORD, name: "Guest" });
    expect(answer.status).toBe(201);
    const { user_id, ...rest } = joined.parse(answer.body);
    expect(rest).toEqual({
      workspace_id: workspace.workspaceId,
      workspace_name: "Another workspace",
      email,
      role: "viewer",
    });
    const members = listOf(await owner.get("/members"));
    expect(members).toContainEqual(expect.objectContaining({ user_id, email, name: "Guest", role: "viewer" }));
    const [row] = await sql<{ password_hash: string }>(
      service.databaseUrl,
      "select password_hash from users where id = $1",
      [user_id],
    );
    expect(await verifyPassword(PASSWORD, row?.password_hash ?? "")).toBe(true);
    await expectClosed(token);
  },
);

verifies("accounts.invitations.stored-hashed", "one response has the token; the database has its hash", async () => {
  const { id, token } = await invited(someEmail());
  const list = await owner.get("/invitations");
  const record = listOf(list).find((one) => one["id"] === id);
  expect(Object.keys(record ?? {})).toEqual(["id", "email", "role", "invited_by", "expires_at", "created_at"]);
  expect(list.text).not.toContain(token);
  const rows = await sql<{ row: string; days: number }>(
    service.databaseUrl,
    `select to_jsonb(i)::text as row, extract(epoch from expires_at - now())::double precision * 1000 as days
     from invitations i where id = $1`,
    [id],
  );
  expect(rows[0]?.row).toContain(hashKey(token));
  expect(rows[0]?.row).not.toContain(token);
  expect(Math.abs((rows[0]?.days ?? 0) - 7 * DAY_MS)).toBeLessThan(60_000);
  await look(token);
  await accept(token, { password: "short" });
  const { stdout, stderr } = service.output();
  expect(stderr).toContain("/auth/invitations");
  for (const text of [stdout, stderr]) expect(text).not.toContain(token);
});

verifies(
  "accounts.invitations.once",
  "of concurrent acceptances in two processes, one creates a member",
  async () => {
    for (let round = 0; round < 3; round++) {
      const email = someEmail();
      const { token } = await invited(email);
      const answers = await Promise.all([service, second, service].map((on) => accept(token, undefined, on)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
      expect(listOf(await owner.get("/members")).filter((member) => member["email"] === email)).toHaveLength(1);
    }
  },
  { tags: "slow" },
);

verifies("accounts.invitations.once", "a new person whom two workspaces invite has one account", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const email = someEmail();
  const tokens = [await invited(email), await invited(email, { by: consoleOf(service, other.key) })];
  for (const { token } of tokens) expect((await accept(token)).status).toBe(201);
  const users = await sql(service.databaseUrl, "select id from users where email = $1", [email]);
  expect(users).toHaveLength(1);
});

verifies(
  "accounts.invitations.closed-alike",
  "used, expired, withdrawn, replaced and unknown links get the same response",
  async () => {
    const used = await invited(someEmail());
    expect((await accept(used.token)).status).toBe(201);
    const expired = await invited(someEmail());
    await sql(service.databaseUrl, "update invitations set expires_at = now() where id = $1", [expired.id]);
    const withdrawn = await invited(someEmail());
    expect((await owner.delete(`/invitations/${withdrawn.id}`)).status).toBe(204);
    const replaced = await invited(someEmail());
    const again = await invited(replaced.email.toUpperCase(), { role: "viewer" });
    for (const { token } of [used, expired, withdrawn, replaced]) await expectClosed(token);
    for (const token of ["", hashKey(again.token), `${again.token}0`]) expect((await look(token)).status).toBe(404);
    expect((await look(again.token)).body).toMatchObject({ role: "viewer" });
    expect((await owner.delete(`/invitations/${withdrawn.id}`)).status).toBe(404);
  },
);

verifies(
  "accounts.invitations.existing-account",
  "the owner of an account joins with its password, which stays unchanged",
  async () => {
    const email = someEmail();
    const account = joined.parse((await accept((await invited(email, { by: operator })).token)).body);
    const other = await addWorkspace(service.databaseUrl);
    const { token } = await invited(email.toUpperCase(), { by: consoleOf(service, other.key), role: "admin" });
    expect((await look(token)).body).toMatchObject({ has_account: true });
    expect(refusal(await accept(token, { password: "another password" }))).toMatchObject({ status: 401 });
    expect(refusal(await accept(token, {}))).toMatchObject({ status: 400, paths: ["password"] });
    const answer = await accept(token, { password: PASSWORD, name: "Renamed" });
    expect(answer.body).toMatchObject({ workspace_id: other.workspaceId, user_id: account.user_id, role: "admin" });
    const [user] = await sql(service.databaseUrl, "select name, email from users where id = $1", [account.user_id]);
    expect(user).toEqual({ name: email, email });
    const twice = await operator.post("/invitations", { email, role: "viewer" });
    expect(refusal(twice)).toMatchObject({ status: 409, code: "conflict" });
  },
);

verifies("accounts.invitations.existing-account", "an invitation cannot be used to guess a password", async () => {
  const email = someEmail();
  await accept((await invited(email, { by: operator })).token);
  const other = await addWorkspace(service.databaseUrl);
  const { token } = await invited(email, { by: consoleOf(service, other.key) });
  const guesses = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((n) => accept(token, { password: `guess number ${n}` })));
  expect(guesses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  expect(refusal(await accept(token))).toMatchObject({ status: 429 });
});

verifies("accounts.invitations.existing-account", "an account without a password cannot be taken over", async () => {
  const person = await addMember(service.databaseUrl, workspace.workspaceId, "member");
  const other = await addWorkspace(service.databaseUrl);
  const email = `${person.userId}@localhost.localdomain`;
  const { token } = await invited(email, { by: consoleOf(service, other.key) });
  expect(refusal(await accept(token))).toMatchObject({ status: 401 });
});

verifies("accounts.invitations.rights", "who may invite to which role", async () => {
  for (const actor of ROLES) {
    const { key } = await addMember(service.databaseUrl, workspace.workspaceId, actor);
    for (const role of ROLES) {
      const may = actor === "owner" || (actor === "admin" && role !== "owner");
      const answer = await consoleOf(service, key).post("/invitations", { email: someEmail(), role });
      expect([actor, role, answer.status]).toEqual([actor, role, may ? 201 : 403]);
    }
  }
});

verifies("accounts.invitations.rights", "an invitation ends when its creator leaves or loses the right", async () => {
  const admin = await addMember(service.databaseUrl, workspace.workspaceId, "admin");
  const by = consoleOf(service, admin.key);
  const { token } = await invited(someEmail(), { by, role: "admin" });
  expect((await owner.patch(`/members/${admin.userId}`, { role: "member" })).status).toBe(200);
  await expectClosed(token);
  expect((await owner.patch(`/members/${admin.userId}`, { role: "admin" })).status).toBe(200);
  expect((await look(token)).status).toBe(200);
  expect((await owner.delete(`/members/${admin.userId}`)).status).toBe(204);
  await expectClosed(token);
  expect(listOf(await owner.get("/invitations")).map(({ invited_by }) => invited_by)).not.toContain(admin.userId);
});

verifies("accounts.members.invitation", "invalid invitations and those of others are rejected", async () => {
  const other = await addWorkspace(service.databaseUrl);
  const foreign = await invited(someEmail(), { by: consoleOf(service, other.key) });
  expect(refusal(await owner.delete(`/invitations/${foreign.id}`))).toMatchObject({ status: 404 });
  expect(listOf(await owner.get("/invitations")).map(({ id }) => id)).not.toContain(foreign.id);
  expect((await look(foreign.token)).status).toBe(200);
  expect(refusal(await owner.delete("/invitations/x"))).toMatchObject({ status: 400, paths: ["id"] });
  for (const [body, path] of [
    [{ email: "nobody", role: "member" }, "email"],
    [{ email: someEmail(), role: "king" }, "role"],
    [{ email: someEmail() }, "role"],
  ] as const) {
    expect(refusal(await owner.post("/invitations", body))).toMatchObject({ status: 400, paths: [path] });
  }
});
