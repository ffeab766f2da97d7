import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { runMuster } from "../../support/muster.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey, addMember, addWorkspace, sql } from "../../support/workspace.ts";

const workspaces = z.array(
  z.strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    plan: z.string(),
    created_at: z.iso.datetime(),
    held_at: z.null(),
  }),
);

let service: TestService;
let firstId: string;

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open", RATE_LIMIT_PRO: "77" } });
  const [row] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  firstId = row?.id ?? "";
});
afterAll(() => service.stop());

async function planOf(workspaceId: string): Promise<string | undefined> {
  const text = "select plan from workspaces where id = $1";
  return (await sql<{ plan: string }>(service.databaseUrl, text, [workspaceId]))[0]?.plan;
}

verifies("accounts.plan.sign-ups", "the first workspace starts on enterprise, those of sign-ups on free", async () => {
  expect(await planOf(firstId)).toBe("enterprise");
  const person = sessionOf(
    await postAuth(service, "sign-up", { email: "eve@example.org", password: "a long password" }),
  );
  expect(await planOf(person.workspace_id)).toBe("free");
  const headers = bearer(person.access_token);
  const second = await send("POST", `${service.url}/console/api/workspaces`, { headers, body: { name: "Second" } });
  expect(fieldsOf(second)).toMatchObject({ plan: "free" });
});

verifies("accounts.plan.set", "an owner of the first workspace sets a plan, which applies immediately", async () => {
  const operator = consoleOf(service, service.keys.api);
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const path = `/instance/workspaces/${workspaceId}`;
  expect((await apiOf(service, key).get("/api-me")).status).toBe(200);
  const set = await operator.patch(path, { plan: "pro" });
  expect([set.status, set.body]).toMatchObject([200, { id: workspaceId, plan: "pro" }]);
  const again = await operator.patch(path, { ...fieldsOf(set) });
  expect([again.status, again.body]).toEqual([200, set.body]);
  await eventually("the limit of the new plan", async () => {
    const { headers } = await apiOf(service, key).get("/api-me");
    return headers.get("x-ratelimit-limit") === "77";
  });
  const listed = workspaces.parse((await operator.get("/instance/workspaces")).body);
  expect(listed[0]).toMatchObject({ id: firstId, plan: "enterprise" });
  expect(listed.find(({ id }) => id === workspaceId)).toEqual(set.body);

  const audit = await consoleOf(service, key).get("/audit?action=workspace.changed");
  expect(fieldsOf(audit)["items"]).toMatchObject([
    { actor: { name: "Operator of the instance" }, changes: { plan: ["free", "pro"] } },
  ]);
});

verifies("accounts.plan.set", "nobody else lists workspaces or sets a plan", async () => {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  const admin = await addMember(service.databaseUrl, firstId, "admin");
  const path = `/instance/workspaces/${workspaceId}`;
  // The owner of the first workspace, in another one.
  const [owner] = await sql<{ id: string }>(
    service.databaseUrl,
    "select user_id as id from members where workspace_id = $1 and role = 'owner'",
    [firstId],
  );
  const ownerId = owner?.id ?? "";
  await sql(service.databaseUrl, "insert into members (workspace_id, user_id, role) values ($1, $2, 'owner')", [
    workspaceId,
    ownerId,
  ]);
  const elsewhere = await addKey(service.databaseUrl, { workspaceId, ownerId });
  for (const each of [key, admin.key, elsewhere]) {
    const console = consoleOf(service, each);
    expect(refusal(await console.get("/instance/workspaces"))).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal(await console.patch(path, { plan: "team" }))).toMatchObject({ status: 403, code: "forbidden" });
  }
  expect(await planOf(workspaceId)).toBe("free");
  const operator = consoleOf(service, service.keys.api);
  expect(refusal(await operator.patch(`/instance/workspaces/${newId()}`, { plan: "pro" })).status).toBe(404);
  for (const body of [{}, { plan: "gold" }, { plan: "pro", paused: true }]) {
    expect([body, refusal(await operator.patch(path, body)).status]).toEqual([body, 400]);
  }
});

verifies("accounts.plan.command", "muster workspaces lists them and sets a plan by slug", async () => {
  const { workspaceId, key } = await addWorkspace(service.databaseUrl);
  await sql(service.databaseUrl, "update workspaces set name = 'Acme' where id = $1", [workspaceId]);
  const options = { env: { DATABASE_URL: service.databaseUrl, ENCRYPTION_KEY }, cwd: tmpdir() };
  const muster = (...args: string[]) => runMuster(["workspaces", ...args], options);
  const listed = await muster("list", "--json");
  expect(workspaces.parse(JSON.parse(listed.stdout)).find(({ id }) => id === workspaceId)).toMatchObject({
    slug: "acme",
    plan: "free",
  });
  expect((await muster("list")).stdout).toMatch(/^SLUG +NAME +PLAN +SINCE +ID\n/);
  expect(await muster("set-plan", "acme", "team")).toMatchObject({ code: 0, stdout: "acme is on the plan team.\n" });
  expect(await planOf(workspaceId)).toBe("team");
  const audit = await consoleOf(service, key).get("/audit?action=workspace.changed&limit=1");
  expect(fieldsOf(audit)["items"]).toMatchObject([{ actor: null, changes: { plan: ["free", "team"] } }]);
  const misspelt = await muster("set-plan", "acne", "team");
  expect(misspelt).toMatchObject({ code: 1, stderr: "No workspace has the slug or id acne. Did you mean acme?\n" });
  const unknown = await muster("set-plan", "acme", "gold");
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("free, pro, team, enterprise") });
});
