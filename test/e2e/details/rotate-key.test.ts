import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { rpc } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ANY_TOOL } from "../../support/custom-tools.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const KEY_FILE = "encryption.key";
const NEXT_FILE = `${KEY_FILE}.next`;
const PROVIDER_KEY = "sk-0123456789-0123456789";
const REPEATABLE = { "idempotency-key": "once" };

/** All that is stored encrypted, with the names of the rows to which it is bound. */
const ENCRYPTED = `
  select 'provider_keys:' || workspace_id || ':' || provider as context, ciphertext as encrypted from provider_keys
  union all select 'webhook_subscriptions:' || workspace_id || ':' || id, secret_ciphertext from webhook_subscriptions
  union all select 'triggers:' || workspace_id || ':' || id, secret_ciphertext from triggers
  union all select 'custom_tools:' || workspace_id || ':' || id, headers_ciphertext from custom_tools
  union all select 'webhook_subscriptions:' || workspace_id || ':' || id, previous_secret_ciphertext
    from webhook_subscriptions
  union all select 'output_routes:' || workspace_id || ':' || id, secrets_ciphertext from output_routes
  union all select 'google_connections:' || workspace_id, tokens_ciphertext from google_connections
  union all select 'trello_channels:' || workspace_id || ':' || id, secret_ciphertext from trello_channels
  union all select 'trello_channels:' || workspace_id || ':' || id, credentials_ciphertext from trello_channels
  union all select 'mcp_servers:' || workspace_id || ':' || id, headers_ciphertext from mcp_servers
  union all select 'remote_agents:' || workspace_id || ':' || id, token_ciphertext from remote_agents
  union all select 'push_configs:' || workspace_id || ':' || id, secrets_ciphertext from push_configs
  union all select 'idempotent-answer:' || workspace_id || ':' || key, body_ciphertext from idempotent_answers`;

let database: TestDatabase;
let data: string;
let remote: RemoteAgent;
let mcp: McpServer;
const keys = createKeys();

beforeAll(async () => {
  database = await createDatabase();
  remote = await startRemoteAgent({ protocol: "1.0" });
  mcp = await startMcpServer("stateless");
  data = await mkdtemp(join(tmpdir(), "muster-rotate-"));
});
afterAll(async () => {
  await remote.close();
  await mcp.close();
  await database.drop();
  await rm(data, { recursive: true });
});

verifies(
  "accounts.encryption-key.rotate",
  "rotate-key encrypts every secret with a new key, not while the service runs",
  async () => {
    const service = await startService({ databaseUrl: database.url, keys, env: inFolder() });
    const made = await storeSecrets(service);
    const before = await keyIn(KEY_FILE);
    const secrets = await openedWith(before);
    expect(secrets).toHaveLength(11);
    expect(secrets.join()).toContain(PROVIDER_KEY);

    const refused = await rotate(inFolder());
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(/1 other process uses this database with the old key\. Stop the service everywhere/);
    expect(await openedWith(before)).toEqual(secrets);
    await service.stop();

    const { code, stdout, stderr } = await startMuster(["rotate-key"], withDatabase(inFolder())).ended;
    expect([code, stderr]).toEqual([0, ""]);
    const after = await keyIn(KEY_FILE);
    const { fingerprint } = createSecretBox(after);
    expect(stdout).toBe(`Re-encrypted 11 secrets with the new key ${fingerprint}. It is in the data folder.\n`);
    expect(await readdir(data)).not.toContain(NEXT_FILE);
    expect(await openedWith(after)).toEqual(secrets);
    await expect(openedWith(before)).rejects.toThrow(/cannot be decrypted/);

    // As if the process had died after the commit, and before the new key had its place.
    await writeFile(join(data, KEY_FILE), before.toString("base64"));
    await writeFile(join(data, NEXT_FILE), after.toString("base64"));
    const next = await startService({ databaseUrl: database.url, keys, env: inFolder() });
    expect([await keyIn(KEY_FILE), (await readdir(data)).includes(NEXT_FILE)]).toEqual([after, false]);
    const again = await apiOf(next, keys.api).post("/api-agents", { name: "Once", model: "demo" }, REPEATABLE);
    expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", made]);
    await next.stop();
  },
);

verifies("accounts.encryption-key.rotate", "a key that is a setting is changed by two settings", async () => {
  const [old, fresh] = [await keyIn(KEY_FILE), Buffer.alloc(32, 9)];
  const secrets = await openedWith(old);
  const present = { ENCRYPTION_KEY: old.toString("base64") };
  const without = await rotate(present);
  expect([without.code, without.stderr]).toEqual([
    1,
    expect.stringContaining("set NEW_ENCRYPTION_KEY to its successor"),
  ]);
  const malformed = await rotate({ ...present, NEW_ENCRYPTION_KEY: "short" });
  expect([malformed.code, malformed.stderr]).toEqual([1, expect.stringContaining("NEW_ENCRYPTION_KEY must hold 32")]);
  expect(await openedWith(old)).toEqual(secrets);

  const { code, stdout } = await rotate({ ...present, NEW_ENCRYPTION_KEY: fresh.toString("hex") });
  expect([code, stdout]).toEqual([0, expect.stringContaining("Start with it as ENCRYPTION_KEY.")]);
  expect(await openedWith(fresh)).toEqual(secrets);
  const late = await rotate({ ...present, NEW_ENCRYPTION_KEY: fresh.toString("hex") });
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("is not the one of this database")]);
});

verifies("accounts.encryption-key.rotate", "nothing else is stored encrypted", async () => {
  const columns = await sql(
    database.url,
    "select from information_schema.columns where column_name like '%ciphertext%' and table_schema = 'public'",
  );
  expect(columns).toHaveLength(ENCRYPTED.match(/ciphertext/g)?.length ?? 0);
});

function inFolder() {
  return { ENCRYPTION_KEY: "", MUSTER_DATA: data, ALLOW_PRIVATE_URLS: "true" };
}

function rotate(env: Readonly<Record<string, string>>) {
  return runMuster(["rotate-key"], withDatabase(env));
}

function withDatabase(env: Readonly<Record<string, string>>) {
  return { cwd: data, env: { DATABASE_URL: database.url, ...env } };
}

async function keyIn(file: string): Promise<Buffer> {
  return Buffer.from(await readFile(join(data, file), "utf8"), "base64");
}

async function openedWith(key: Buffer): Promise<string[]> {
  const box = createSecretBox(key);
  const kept = `select * from (${ENCRYPTED}) s where encrypted is not null order by context`;
  const rows = await sql<{ context: string; encrypted: string }>(database.url, kept);
  return rows.map(({ encrypted, context }) => box.open(encrypted, context));
}

async function pushConfig(api: Api, agentId: string) {
  const task = await createTask(api, { assigned_agent_id: agentId, description: QUICK });
  return { taskId: task.id, url: "https://example.com/", token: "a notification's" };
}

/** One secret of each kind; returns the answer that is kept for repeats. */
async function storeSecrets(service: TestService): Promise<string> {
  const [api, desk] = [apiOf(service, service.keys.api), consoleOf(service, service.keys.api)];
  const { id } = await createAgent(api);
  const once = await api.post("/api-agents", { name: "Once", model: "demo" }, REPEATABLE);
  const hook = await api.post("/api-hooks", { target_url: "https://example.com/hook", event: "task_completed" });
  const answers = [
    once,
    hook,
    await desk.call("PUT", "/provider-keys/openai", { body: { api_key: PROVIDER_KEY } }),
    await desk.post("/triggers", { name: "T", title: "x", assigned_agent_id: id, secret: "a secret of the sender" }),
    await desk.post("/tools", { ...ANY_TOOL, headers: { Authorization: "a secret header" } }),
    await desk.post("/routes", {
      type: "http",
      name: "R",
      events: ["task.failed"],
      config: { url: "https://example.com/", secret: "a route's" },
    }),
    await desk.post("/trello-channels", { name: "Board", secret: "a board's", assigned_agent_id: id }),
    await desk.post("/remote-agents", { base_url: remote.url, token: "a-token" }),
    await desk.post("/mcp-servers", { name: "tools", url: mcp.url, headers: { Authorization: "a-token" } }),
    await desk.post(`/hooks/${String(fieldsOf(hook)["id"])}/rotate`, undefined),
  ];
  await rpc(service, id, { method: "CreateTaskPushNotificationConfig", params: await pushConfig(api, id) });
  expect(answers.filter(({ status }) => status > 201).map(({ text }) => text)).toEqual([]);
  return once.text;
}
