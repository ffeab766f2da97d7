import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { postAuth, sessionOf, whoIs } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { runMuster } from "../../support/muster.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";
import type { TestWorkspace } from "../../support/workspace.ts";

const THEIRS = "chosen by the inviter";
const OWN = "correct horse battery";

const offer = z.looseObject({ has_account: z.boolean() });
const signedIn = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  workspaces: z.array(z.looseObject({ id: z.string() })),
});

let service: TestService;
let one: TestWorkspace;
let other: TestWorkspace;

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  one = await addWorkspace(service.databaseUrl);
  other = await addWorkspace(service.databaseUrl);
});
afterAll(() => service.stop());

async function invite(email: string, by: string) {
  const token = String(fieldsOf(await consoleOf(service, by).post("/invitations", { email, role: "member" }))["token"]);
  const { has_account } = offer.parse((await send("GET", `${service.url}/auth/invitations?token=${token}`)).body);
  const accept = (password: string) => postAuth(service, "invitations/accept", { token, password });
  return { has_account, accept };
}

/** The person and the workspace of a sign-in with an address and a password. */
async function accountOf(email: string, password: string, workspace_id?: string) {
  const { user, workspaces } = signedIn.parse(
    sessionOf(await postAuth(service, "token", { email, password, workspace_id })),
  );
  return { id: user.id, workspaces: workspaces.map(({ id }) => id) };
}

verifies(
  "accounts.invitations.claim-nothing",
  "an account created by an invitation does not block a sign-up with its address",
  async () => {
    const email = "victim@example.org";
    expect((await (await invite(email, one.key)).accept(THEIRS)).status).toBe(201);
    const signedUp = await postAuth(service, "sign-up", { email, password: OWN });
    expect(signedUp.status).toBe(201);
    const inviter = await accountOf(email, THEIRS);
    const victim = await accountOf(email, OWN);
    expect(inviter.workspaces).toEqual([one.workspaceId]);
    expect(victim.workspaces).not.toContain(one.workspaceId);
    const second = await invite(email, other.key);
    expect(second.has_account).toBe(true);
    expect(refusal(await second.accept(THEIRS))).toMatchObject({ status: 401 });
    expect(fieldsOf(await second.accept(OWN))).toMatchObject({ user_id: victim.id });
  },
  { tags: "slow" },
);

verifies(
  "accounts.invitations.claim-nothing",
  "the next invitation to the address creates an account, or joins the one with that password",
  async () => {
    const email = "Two@example.org";
    const first = fieldsOf(await (await invite(email, one.key)).accept(THEIRS));
    const second = await invite(email.toLowerCase(), other.key);
    expect(second.has_account).toBe(false);
    const joined = fieldsOf(await second.accept(OWN));
    expect(joined["user_id"]).not.toBe(first["user_id"]);
    expect(await accountOf(email, OWN)).toEqual({ id: joined["user_id"], workspaces: [other.workspaceId] });
    expect(await accountOf(email, THEIRS, one.workspaceId)).toEqual({
      id: first["user_id"],
      workspaces: [one.workspaceId],
    });
    expect((await postAuth(service, "token", { email, password: "a guess" })).status).toBe(401);
    expect(
      (await postAuth(service, "token", { email, password: THEIRS, workspace_id: other.workspaceId })).status,
    ).toBe(404);

    const third = await addWorkspace(service.databaseUrl);
    expect(fieldsOf(await (await invite(email, third.key)).accept(OWN))).toMatchObject({ user_id: joined["user_id"] });
    expect((await accountOf(email, OWN)).workspaces).toEqual([other.workspaceId, third.workspaceId]);
  },
  { tags: "slow" },
);

verifies("accounts.invitations.claim-nothing", "a person invited by the operator claims the address", async () => {
  const email = "colleague@example.org";
  const own = await invite(email, service.keys.api);
  expect((await own.accept(OWN)).status).toBe(201);
  expect(refusal(await postAuth(service, "sign-up", { email, password: THEIRS }))).toMatchObject({ status: 409 });
  expect((await invite(email, one.key)).has_account).toBe(true);
});

verifies("accounts.invitations.claim-nothing", "an admin of the operator's workspace claims no address", async () => {
  const email = "stranger@example.org";
  const { workspace_id } = fieldsOf(await apiOf(service, service.keys.api).get("/api-me"));
  const admin = await addMember(service.databaseUrl, String(workspace_id), "admin");
  expect((await (await invite(email, admin.key)).accept(THEIRS)).status).toBe(201);
  expect((await postAuth(service, "sign-up", { email, password: OWN })).status).toBe(201);
});

verifies(
  "accounts.invitations.claim-nothing",
  "with the operator's reset link an account claims its address",
  async () => {
    const email = "late@example.org";
    await (await invite(email, one.key)).accept(THEIRS);
    await (await invite(email, other.key)).accept(OWN);
    const env = { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY, LOG_LEVEL: "silent" };
    const reset = (...args: string[]) => runMuster(["reset-password", email, ...args], { env, cwd: service.folder });
    expect((await reset()).stderr).toBe(
      `Several accounts have the address ${email}; name one of the person's workspaces (workspace_id, --workspace).\n`,
    );
    const { stdout } = await reset("--workspace", other.workspaceId);
    const token = /token=(\S+)/.exec(stdout)?.[1] ?? "";
    expect((await postAuth(service, "reset", { token, password: "a new password" })).status).toBe(200);
    const { access_token } = sessionOf(await postAuth(service, "token", { email, password: "a new password" }));
    expect(fieldsOf(await whoIs(service, access_token))).toMatchObject({ workspace_id: other.workspaceId });
    expect((await invite(email, (await addWorkspace(service.databaseUrl)).key)).has_account).toBe(true);
  },
  { tags: "slow" },
);

verifies(
  "accounts.invitations.claim-nothing",
  "guesses at other accounts' passwords by invitations are counted",
  async () => {
    const email = "guessed@example.org";
    await (await invite(email, one.key)).accept(OWN);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) {
      const guesser = await addWorkspace(service.databaseUrl);
      statuses.push((await (await invite(email, guesser.key)).accept(`guess number ${n}`)).status);
    }
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
  },
  { tags: "slow" },
);
