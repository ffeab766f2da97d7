import { Client } from "pg";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { ROLES, includesRole } from "#domain/access/role.ts";
import type { Role } from "#domain/access/role.ts";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { seedTenantTables } from "../../support/tenancy/seed-tenant-tables.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: TestService;
let workspaceId: string;
let agentId: string;
let keys: Readonly<Record<Role, string>>;

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  const made = await addWorkspace(service.databaseUrl);
  workspaceId = made.workspaceId;
  const add = async (role: Role) => (await addMember(service.databaseUrl, workspaceId, role)).key;
  keys = { owner: made.key, admin: await add("admin"), member: await add("member"), viewer: await add("viewer") };
  agentId = (await createAgent(apiOf(service, made.key))).id;
  await createTask(apiOf(service, made.key));
  await seedTenantTables(service.databaseUrl, workspaceId);
});
afterAll(() => service.stop());

/** A kind of endpoint, the least role for it, and what it answers then: it does nothing that others would miss. */
interface Row {
  readonly does: string;
  readonly needs: Role;
  readonly status: number;
  readonly ask: (key: string) => Promise<Answer>;
}

const envelope = (key: string) => apiOf(service, key);
const manage = (key: string) => consoleOf(service, key);

const rows: readonly Row[] = [
  { does: "read who I am", needs: "viewer", status: 200, ask: (key) => envelope(key).get("/api-me") },
  { does: "list agents", needs: "viewer", status: 200, ask: (key) => envelope(key).get("/api-agents") },
  { does: "read an agent", needs: "viewer", status: 200, ask: (key) => envelope(key).get(`/api-agents?id=${agentId}`) },
  {
    does: "create an agent",
    needs: "member",
    status: 201,
    ask: (key) => envelope(key).post("/api-agents", { name: "A", model: "demo" }),
  },
  {
    does: "change an agent",
    needs: "member",
    status: 200,
    ask: (key) => envelope(key).patch(`/api-agents?id=${agentId}`, { name: "B" }),
  },
  {
    does: "delete an agent",
    needs: "member",
    status: 404,
    ask: (key) => envelope(key).delete(`/api-agents?id=${UNKNOWN}`),
  },
  { does: "list tasks", needs: "viewer", status: 200, ask: (key) => envelope(key).get("/api-tasks") },
  {
    does: "create a task",
    needs: "member",
    status: 201,
    ask: (key) => envelope(key).post("/api-tasks", { title: "T" }),
  },
  {
    does: "change a task",
    needs: "member",
    status: 404,
    ask: (key) => envelope(key).patch(`/api-tasks?id=${UNKNOWN}`, { title: "T" }),
  },
  {
    does: "delete a task",
    needs: "member",
    status: 404,
    ask: (key) => envelope(key).delete(`/api-tasks?id=${UNKNOWN}`),
  },
  {
    does: "fork a run",
    needs: "member",
    status: 404,
    ask: (key) => manage(key).post(`/runs/${UNKNOWN}/fork`, { from_step: 0 }),
  },
  {
    does: "try a run again",
    needs: "member",
    status: 404,
    ask: (key) => manage(key).post(`/runs/${UNKNOWN}/retry`, {}),
  },
  { does: "list providers' keys", needs: "viewer", status: 200, ask: (key) => manage(key).get("/provider-keys") },
  {
    does: "store a provider's key",
    needs: "admin",
    status: 200,
    ask: (key) => manage(key).call("PUT", "/provider-keys/openai", { body: { api_key: "sk-of-the-test" } }),
  },
  {
    does: "forget a provider's key",
    needs: "admin",
    status: 404,
    ask: (key) => manage(key).delete("/provider-keys/google"),
  },
  { does: "list keys", needs: "viewer", status: 200, ask: (key) => manage(key).get("/keys") },
  {
    does: "make a key",
    needs: "admin",
    status: 201,
    ask: (key) => manage(key).post("/keys", { label: "K", kind: "mcp" }),
  },
  {
    does: "rename a key",
    needs: "admin",
    status: 404,
    ask: (key) => manage(key).patch(`/keys/${UNKNOWN}`, { label: "K" }),
  },
  { does: "revoke a key", needs: "admin", status: 404, ask: (key) => manage(key).delete(`/keys/${UNKNOWN}`) },
  { does: "rotate a key", needs: "admin", status: 404, ask: (key) => manage(key).post(`/keys/${UNKNOWN}/rotate`, {}) },
  { does: "list members", needs: "viewer", status: 200, ask: (key) => manage(key).get("/members") },
  {
    does: "change a role",
    needs: "admin",
    status: 404,
    ask: (key) => manage(key).patch(`/members/${UNKNOWN}`, { role: "viewer" }),
  },
  { does: "list invitations", needs: "viewer", status: 200, ask: (key) => manage(key).get("/invitations") },
  {
    does: "invite a person",
    needs: "admin",
    status: 201,
    ask: (key) => manage(key).post("/invitations", { email: "a@localhost.localdomain", role: "member" }),
  },
  {
    does: "invite an owner",
    needs: "owner",
    status: 201,
    ask: (key) => manage(key).post("/invitations", { email: "o@localhost.localdomain", role: "owner" }),
  },
  {
    does: "withdraw an invitation",
    needs: "admin",
    status: 404,
    ask: (key) => manage(key).delete(`/invitations/${UNKNOWN}`),
  },
  { does: "read the workspace", needs: "viewer", status: 200, ask: (key) => manage(key).get("/workspace") },
  {
    does: "rename the workspace",
    needs: "admin",
    status: 200,
    ask: (key) => manage(key).patch("/workspace", { name: "W" }),
  },
  {
    does: "delete the workspace",
    needs: "owner",
    status: 400,
    ask: (key) => manage(key).delete("/workspace?confirm=no"),
  },
  { does: "list my workspaces", needs: "viewer", status: 200, ask: (key) => manage(key).get("/workspaces") },
  {
    does: "make a workspace",
    needs: "viewer",
    status: 201,
    ask: (key) => manage(key).post("/workspaces", { name: "W" }),
  },
];

for (const { does, needs, status, ask } of rows) {
  verifies(
    ["accounts.members.endpoints-by-role", "auth.envelope.role-too-low-403"],
    `to ${does} takes the role ${needs}`,
    async () => {
      for (const role of ROLES) {
        const answer = await ask(keys[role]);
        expect([role, answer.status]).toEqual([role, includesRole(role, needs) ? status : 403]);
        if (answer.status === 403) expect(refusal(answer).message).toContain(role);
      }
    },
  );
}

describe("in the database", () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
  });
  afterAll(() => client.end());

  /** Whether a database role may run a statement in the workspace; what it does is taken back. */
  async function may(role: string, statement: string): Promise<boolean> {
    await client.query(`begin; set local role ${role}; set local muster.workspace_id = '${workspaceId}'`);
    try {
      await client.query(statement);
      return true;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "42501") return false;
      throw error;
    } finally {
      await client.query("rollback");
    }
  }

  const roles = ["muster_viewer", "muster_app", "muster_admin"] as const;
  /** A statement, and the lowest role that may run it; "nobody" when none may. */
  const statements: readonly (readonly [string, (typeof roles)[number] | "nobody"])[] = [
    ["select * from agents", "muster_viewer"],
    ["select * from tasks", "muster_viewer"],
    ["select user_id, role from members", "muster_viewer"],
    ["select id, email, name from users", "muster_viewer"],
    ["select id, prefix, replaced_by from api_keys", "muster_viewer"],
    ["select provider, last4 from provider_keys", "muster_viewer"],
    ["select id, email, role from invitations", "muster_viewer"],
    ["update agents set name = 'A'", "muster_app"],
    ["delete from agents", "muster_app"],
    ["update tasks set title = 'T'", "muster_app"],
    ["delete from tasks", "muster_app"],
    ["select ciphertext from provider_keys", "muster_app"],
    ["select key_hash from api_keys", "muster_admin"],
    ["update api_keys set label = 'L'", "muster_admin"],
    ["delete from api_keys", "muster_admin"],
    ["delete from provider_keys", "muster_admin"],
    ["update members set role = 'admin'", "muster_admin"],
    ["delete from members", "muster_admin"],
    ["delete from invitations", "muster_admin"],
    ["update workspaces set name = 'N'", "muster_admin"],
    ["update api_keys set scopes = '{}'", "nobody"],
    ["update api_keys set key_hash = 'x'", "nobody"],
    ["update api_keys set created_by = id", "nobody"],
    ["update members set user_id = user_id", "nobody"],
    ["insert into members (workspace_id, user_id, role) select workspace_id, user_id, role from members", "nobody"],
    ["select token_hash from invitations", "nobody"],
    ["select password_hash from users", "nobody"],
    ["update users set name = 'N'", "nobody"],
    ["update workspaces set plan = 'enterprise'", "nobody"],
    ["delete from workspaces", "nobody"],
    ["delete from usage_records", "nobody"],
    ["select * from instance_settings", "nobody"],
  ];

  for (const [statement, least] of statements) {
    verifies("accounts.members.database-roles", `${statement}: ${least}`, async () => {
      const needed = least === "nobody" ? roles.length : roles.indexOf(least);
      for (const [rank, role] of roles.entries()) {
        expect([role, await may(role, statement)]).toEqual([role, rank >= needed]);
      }
    });
  }
});
