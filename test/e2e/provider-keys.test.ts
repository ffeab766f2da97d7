import { createDecipheriv } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { serviceIn } from "#domain/access/role.ts";
import { openDatabase } from "#db/open-database.ts";
import { Statement } from "#db/statement.ts";
import { apiOf, send } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask, readTask } from "../support/work.ts";
import { addWorkspace, sql } from "../support/workspace.ts";
import type { TestWorkspace } from "../support/workspace.ts";

const SECRET = "sk-workspace-0123456789-secret";
const INSTANCE_KEY = "compatible-instance-key";
/** The encryption key of test services. */
const ENCRYPTION_KEY = Buffer.alloc(32, 7);

let provider: ScriptedProvider;
let service: TestService;
let owner: TestWorkspace;
let stranger: TestWorkspace;

beforeAll(async () => {
  provider = await startScriptedProvider((_, reply) => {
    reply.say("Hello.");
    reply.finish();
  });
  service = await startService({
    env: {
      OPENAI_COMPATIBLE_API_KEY: INSTANCE_KEY,
      OPENAI_COMPATIBLE_BASE_URL: provider.baseUrl,
      ALLOW_PRIVATE_URLS: "true",
      LOG_LEVEL: "trace",
    },
  });
  owner = await addWorkspace(service.databaseUrl);
  stranger = await addWorkspace(service.databaseUrl);
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies(
  ["providers.key.workspace", "providers.base-url.workspace"],
  "a task runs with the key and at the base URL of its workspace",
  async () => {
    await storeKey(owner, "openai", { api_key: SECRET, base_url: provider.baseUrl });
    expect(await run(owner, "own key")).toMatchObject({ status: "completed", result: "Hello." });
    expect(authorizations("own key")).toEqual([`Bearer ${SECRET}`]);
  },
);

verifies(
  ["providers.key.missing-fails-task", "engine.isolation", "providers.key.scoped"],
  "the task of a workspace without a key fails, naming the key and both places to add it",
  async () => {
    const end = await run(stranger, "no key");
    expect(end).toMatchObject({ status: "failed", result: null });
    expect(end.error).toContain("OpenAI");
    expect(end.error).toContain("PUT /console/api/provider-keys/openai");
    expect(end.error).toContain("OPENAI_API_KEY");
    expect(provider.callsOf("no key")).toEqual([]);
    expect((await callKeys(stranger, "GET")).body).toEqual([]);
  },
);

verifies("providers.key.workspace-before-instance", "a workspace's key precedes the instance's", async () => {
  const compatible = { provider: "openai-compatible", model: "llama-9" };
  await run(owner, "instance's key", compatible);
  await storeKey(owner, "openai-compatible", { api_key: SECRET, base_url: provider.baseUrl });
  await run(owner, "workspace's key", compatible);
  await callKeys(owner, "DELETE", "/openai-compatible");
  await run(owner, "instance's key again", compatible);
  expect(["instance's key", "workspace's key", "instance's key again"].map(authorizations)).toEqual([
    [`Bearer ${INSTANCE_KEY}`],
    [`Bearer ${SECRET}`],
    [`Bearer ${INSTANCE_KEY}`],
  ]);
});

verifies(
  "providers.key.workspace-before-instance",
  "the next run uses a new key, also when its notification is lost",
  async () => {
    const compatible = { provider: "openai-compatible", model: "llama-9" };
    await run(owner, "before the key", compatible);
    await sql(
      service.databaseUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
    );
    await storeKey(owner, "openai-compatible", { api_key: SECRET, base_url: provider.baseUrl });
    await run(owner, "after the key", compatible);
    await callKeys(owner, "DELETE", "/openai-compatible");
    await run(owner, "after the key is gone", compatible);
    expect(["after the key", "after the key is gone"].map(authorizations)).toEqual([
      [`Bearer ${SECRET}`],
      [`Bearer ${INSTANCE_KEY}`],
    ]);
  },
);

verifies(
  "providers.key.encrypted",
  "a stored key is encrypted by AES-256-GCM, bound to its row, and nowhere in plain text",
  async () => {
    const [row] = await sql<{ ciphertext: string }>(
      service.databaseUrl,
      "select ciphertext from provider_keys where workspace_id = $1 and provider = 'openai'",
      [owner.workspaceId],
    );
    const encrypted = Buffer.from(row?.ciphertext ?? "", "base64");
    const opening = createDecipheriv("aes-256-gcm", ENCRYPTION_KEY, encrypted.subarray(0, 12))
      .setAAD(Buffer.from(`provider_keys:${owner.workspaceId}:openai`))
      .setAuthTag(encrypted.subarray(12, 28));
    expect(opening.update(encrypted.subarray(28), undefined, "utf8") + opening.final("utf8")).toBe(SECRET);

    expect(await tablesWith(SECRET)).toEqual([]);
    expect(await tablesWith(owner.workspaceId)).toContain("public.provider_keys");
    expect((await callKeys(owner, "GET")).text).not.toContain(SECRET);
    const { stdout, stderr } = service.output();
    expect(stderr.length).toBeGreaterThan(0);
    expect(stdout + stderr).not.toContain(SECRET);
  },
);

verifies("providers.key.scoped", "row-level security shows a workspace only its own keys", async () => {
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const all = new Statement({ name: "all-provider-keys", text: "select workspace_id from provider_keys" });
  expect(await db.inWorkspace(serviceIn(owner.workspaceId)).query(all)).toEqual([{ workspace_id: owner.workspaceId }]);
  expect(await db.inWorkspace(serviceIn(stranger.workspaceId)).query(all)).toEqual([]);
  await db.close();
});

verifies(
  ["providers.key.decrypted-at-execution", "providers.key.unreadable"],
  "a stored key that cannot be decrypted is listed, replaced and deleted, and fails only tasks",
  async () => {
    await storeKey(stranger, "openai", { api_key: SECRET, base_url: provider.baseUrl });
    await sql(service.databaseUrl, "update provider_keys set ciphertext = 'AAAA' where workspace_id = $1", [
      stranger.workspaceId,
    ]);
    expect((await callKeys(stranger, "GET")).body).toMatchObject([{ provider: "openai", last4: SECRET.slice(-4) }]);
    const unreadable = "The workspace's API key for OpenAI cannot be decrypted";
    const end = await run(stranger, "cannot open its key");
    expect(end).toMatchObject({ status: "failed", error: expect.stringContaining(unreadable) });
    expect(provider.callsOf("cannot open its key")).toEqual([]);
    const other = await run(stranger, "needs another key", { provider: "openai-compatible", model: "llama-9" });
    expect(other.status).toBe("completed");
    const headers = { "x-api-key": stranger.key };
    const models = await send("GET", `${service.url}/console/api/models`, { headers });
    expect([models.status, models.text]).toEqual([200, expect.stringContaining(unreadable)]);
    await storeKey(stranger, "openai", { api_key: SECRET, base_url: provider.baseUrl });
    expect((await run(stranger, "has a good key again")).status).toBe("completed");
    expect((await callKeys(stranger, "DELETE", "/openai")).status).toBe(204);
  },
);

function own(workspace: TestWorkspace): Api {
  return apiOf(service, workspace.key);
}

function callKeys(workspace: TestWorkspace, method: string, path = "", body?: unknown) {
  const headers = { "x-api-key": workspace.key };
  return send(method, `${service.url}/console/api/provider-keys${path}`, {
    headers,
    ...(body !== undefined && { body }),
  });
}

async function storeKey(workspace: TestWorkspace, provider: string, body: Readonly<Record<string, string>>) {
  const answer = await callKeys(workspace, "PUT", `/${provider}`, body);
  expect([answer.status, answer.text.includes(SECRET)]).toEqual([200, false]);
}

/** Runs a task of a workspace to its end. */
async function run(workspace: TestWorkspace, title: string, agent: Readonly<Record<string, unknown>> = {}) {
  const api = own(workspace);
  const { id } = await createAgent(api, { model: "gpt-4o", tools: [], ...agent });
  const task = await createTask(api, { title, assigned_agent_id: id });
  return eventually(`the end of "${title}"`, async () => {
    const now = await readTask(api, task.id);
    return ["completed", "failed"].includes(now.status) && now;
  });
}

function authorizations(title: string): (string | undefined)[] {
  return provider.callsOf(title).map(({ headers }) => headers.authorization);
}

/** The tables in which a text is anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    service.databaseUrl,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql(service.databaseUrl, `select from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
