import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import type { WrappedKey } from "#db/queries/access/data-keys.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { createSecretRing } from "#lib/security/secret-ring.ts";
import { rpc } from "../../support/a2a/a2a.ts";
import { ADA_ENV, bearer, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { ANY_TOOL } from "../../support/custom-tools.ts";
import { eventually } from "../../support/eventually.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { startOAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import type { OAuthMcpServer } from "../../support/mcp/oauth-server.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { startPushService } from "../../support/push-service.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
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
  union all select 'mcp_clients:' || workspace_id || ':' || id, client_ciphertext from mcp_servers
  union all select 'mcp_accounts:' || workspace_id || ':' || id, tokens_ciphertext from mcp_accounts
  union all select 'mcp_sign_ins:' || workspace_id || ':' || id, flow_ciphertext from mcp_sign_ins
  union all select 'remote_agents:' || workspace_id || ':' || id, token_ciphertext from remote_agents
  union all select 'push_configs:' || workspace_id || ':' || id, secrets_ciphertext from push_configs
  union all select 'push_devices:' || id, target_ciphertext from push_devices
  union all select 'vapid_keys:' || public_key, private_ciphertext from vapid_keys
  union all select 'idempotent-answer:' || workspace_id || ':' || key, body_ciphertext from idempotent_answers`;

let database: TestDatabase;
let data: string;
let remote: RemoteAgent;
let mcp: McpServer;
let signedIn: OAuthMcpServer;
let pushes: Awaited<ReturnType<typeof startPushService>>;
const keys = createKeys();

beforeAll(async () => {
  database = await createDatabase();
  remote = await startRemoteAgent({ protocol: "1.0" });
  mcp = await startMcpServer("stateless");
  signedIn = await startOAuthMcpServer();
  pushes = await startPushService();
  data = await mkdtemp(join(tmpdir(), "muster-rotate-"));
});
afterAll(async () => {
  await remote.close();
  await mcp.close();
  await signedIn.close();
  await pushes.close();
  await database.drop();
  await rm(data, { recursive: true });
});

verifies(
  "accounts.encryption-key.rotate",
  "rotate-key encrypts every secret with a new data key and a new key in the data folder",
  async () => {
    const service = await startService({ databaseUrl: database.url, keys, env: { ...inFolder(), ...ADA_ENV } });
    const made = await storeSecrets(service);
    const before = await keyIn(KEY_FILE);
    const secrets = await openedWith(before);
    expect(secrets).toHaveLength(16);
    expect(secrets.join()).toContain(PROVIDER_KEY);
    await service.stop();

    const { code, stdout } = await startMuster(["rotate-key"], withDatabase(inFolder())).ended;
    expect(code).toBe(0);
    const after = await keyIn(KEY_FILE);
    const { fingerprint } = createSecretBox(after);
    expect(stdout).toBe(
      `Re-encrypted 16 secrets with data key 1, wrapped by the encryption key ${fingerprint}. It is in the data folder.\n`,
    );
    expect(await readdir(data)).not.toContain(NEXT_FILE);
    expect(await openedWith(after)).toEqual(secrets);
    await expect(openedWith(before)).rejects.toThrow(/no data key/);

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
  const malformed = await rotate({ ...present, NEW_ENCRYPTION_KEY: "short" });
  expect([malformed.code, malformed.stderr]).toEqual([1, expect.stringContaining("NEW_ENCRYPTION_KEY must hold 32")]);
  expect(await openedWith(old)).toEqual(secrets);

  const { code, stdout } = await rotate({ ...present, NEW_ENCRYPTION_KEY: fresh.toString("hex") });
  expect([code, stdout]).toEqual([0, expect.stringContaining("No other key works.")]);
  expect(await openedWith(fresh)).toEqual(secrets);
  const late = await rotate({ ...present, NEW_ENCRYPTION_KEY: fresh.toString("hex") });
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("is not the one of this database")]);
  const same = await rotate({ ENCRYPTION_KEY: fresh.toString("hex") });
  expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("with data key 3")]);
  expect(await openedWith(fresh)).toEqual(secrets);
});

verifies(
  ["accounts.encryption-key.rotate-serving", "accounts.encryption-key.rotate-resumes"],
  "two processes serve while a rotation is killed, refused to a second, and continued",
  async () => {
    const [old, fresh] = [Buffer.alloc(32, 9), Buffer.alloc(32, 10)];
    const present = { ...inFolder(), ENCRYPTION_KEY: old.toString("base64") };
    const change = { ...present, NEW_ENCRYPTION_KEY: fresh.toString("base64") };
    const secrets = await openedWith(old);
    const first = await startService({ databaseUrl: database.url, keys, env: present });
    const peer = await startPeer({ databaseUrl: database.url, keys, env: present });
    const services = [first, peer];
    const replays = () => Promise.all(services.map(replay));
    const served = await replays();
    expect(served.map(({ replayed }) => replayed)).toEqual(["true", "true"]);

    // The locked row stops the rotation in the middle: the secrets of other tables are rewritten already.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin; select from push_configs for update");
    const killed = startMuster(["rotate-key"], withDatabase(change));
    const isWaiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update push_configs%'";
    await eventually("the rotation waits for the row", async () => (await sql(database.url, isWaiting)).length > 0);
    expect(await generations()).toEqual([3, 4]);
    const second = await rotate(change);
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining("Another process rotates the encryption key"),
    ]);
    killed.process.kill("SIGKILL");
    await killed.ended;
    await holder.end();
    expect(await replays()).toEqual(served);
    expect((await openedWith(fresh)).length).toBe(secrets.length);
    expect(await openedWith(old)).toEqual(await openedWith(fresh));

    const other = await eventually("the killed one's lock is free", async () => {
      const refused = await rotate({ ...change, NEW_ENCRYPTION_KEY: Buffer.alloc(32, 11).toString("base64") });
      return !refused.stderr.includes("Another process") && refused;
    });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("is unfinished: finish it first")]);
    const continued = await rotate(change);
    expect(continued.code).toBe(0);
    expect(continued.stdout).toMatch(/data key 4.* still use the old encryption key, so both work/);
    expect(await generations()).toEqual([4]);
    expect(await replays()).toEqual(served);
    expect(await openedWith(old)).toEqual(await openedWith(fresh));

    const written = await consoleOf(first, keys.api).call("PUT", "/provider-keys/openai", {
      body: { api_key: PROVIDER_KEY },
    });
    expect(written.status).toBeLessThan(300);
    await Promise.all(services.map((service) => service.stop()));
    const restarted = await startService({
      databaseUrl: database.url,
      keys,
      env: { ...present, ENCRYPTION_KEY: change.NEW_ENCRYPTION_KEY },
    });
    const finished = await rotate({ ...present, ENCRYPTION_KEY: change.NEW_ENCRYPTION_KEY });
    expect([finished.code, finished.stdout]).toEqual([0, expect.stringContaining("No other key works.")]);
    await expect(openedWith(old)).rejects.toThrow(/no data key/);
    expect(await replay(restarted)).toEqual(served[0]);
    await restarted.stop();
  },
);

verifies("accounts.encryption-key.retired", "what a frozen process writes with a retired key is rejected", async () => {
  const insert = `update provider_keys set ciphertext = $1`;
  await expect(sql(database.url, insert, [`3.${"A".repeat(60)}`])).rejects.toThrow(/key was changed meanwhile/);
});

verifies("accounts.encryption-key.command", "a command prints the key; its failures are one sentence", async () => {
  const fresh = Buffer.alloc(32, 10).toString("base64");
  const path = join(data, "print-key.mjs");
  await writeFile(path, `process.stdout.write("\\n ${fresh} \\n")`);
  const command = `${process.execPath} ${path}`;
  const given = { ENCRYPTION_KEY: "", ENCRYPTION_KEY_COMMAND: command };
  const rotated = await rotate(given);
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining("No other key works.")]);
  const refusals: [Record<string, string>, RegExp][] = [
    [{ ...given, ENCRYPTION_KEY: fresh }, /ENCRYPTION_KEY_COMMAND is set as well as ENCRYPTION_KEY: set one of them/],
    [
      { ...given, ENCRYPTION_KEY_COMMAND: `${process.execPath} -e process.exit(3)` },
      /ended with exit code 3\. Run it by hand/,
    ],
    [{ ...given, ENCRYPTION_KEY_COMMAND: "/no/such/program" }, /\/no\/such\/program is not there/],
    [{ ...given, ENCRYPTION_KEY_COMMAND: "echo $HOME; true" }, /What ENCRYPTION_KEY_COMMAND prints must hold 32 bytes/],
    [{ ...given, ENCRYPTION_KEY_COMMAND: `${process.execPath} -p "A".repeat(9999)` }, /printed more than 4096 bytes/],
  ];
  for (const [env, message] of refusals) {
    const refused = await rotate(env);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringMatching(message)]);
    expect(refused.stderr).not.toContain(fresh);
  }
});

verifies("accounts.encryption-key.rotate", "nothing else is stored encrypted", async () => {
  const columns = await sql(
    database.url,
    "select from information_schema.columns where column_name like '%ciphertext%' and table_schema = 'public'",
  );
  expect(columns).toHaveLength(ENCRYPTED.match(/ciphertext/g)?.length ?? 0);
});

verifies("accounts.encryption-key.rotate", "a rotation is no change of a secret in the audit log", async () => {
  const changes = await sql(database.url, "select action from audit_log where action like '%.changed' order by 1");
  // By their persons: the webhook's secret was rotated, and the provider's key replaced.
  expect(changes).toEqual([{ action: "provider_key.changed" }, { action: "webhook.changed" }]);
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

/** All secrets in clear, for the holder of this encryption key. */
async function openedWith(key: Buffer): Promise<string[]> {
  const { fingerprint, open: unwrap } = createSecretBox(key);
  const rows = await sql<WrappedKey>(database.url, "select generation, wrapping, wrapped from data_keys");
  const generations = rows
    .filter(({ wrapping }) => wrapping === fingerprint)
    .map(({ generation, wrapped }) => {
      const bytes = Buffer.from(unwrap(wrapped, `data_keys:${generation}`), "base64");
      return { number: generation, box: createSecretBox(bytes), isActive: true };
    });
  if (generations.length === 0) throw new Error("There is no data key for this encryption key.");
  const ring = createSecretRing({ fingerprint, generations });
  const kept = `select * from (${ENCRYPTED}) s where encrypted is not null order by context`;
  const found = await sql<{ context: string; encrypted: string }>(database.url, kept);
  return found.map(({ encrypted, context }) => ring.open(encrypted, context));
}

async function generations(): Promise<number[]> {
  const rows = await sql<{ generation: number }>(database.url, "select distinct generation from data_keys order by 1");
  return rows.map(({ generation }) => generation);
}

/** Repeats a request whose answer is stored encrypted. */
async function replay(service: TestService) {
  const again = await apiOf(service, keys.api).post("/api-agents", { name: "Once", model: "demo" }, REPEATABLE);
  return { replayed: again.headers.get("idempotent-replayed"), text: again.text };
}

async function pushConfig(api: Api, agentId: string) {
  const task = await createTask(api, { assigned_agent_id: agentId, description: QUICK });
  return { taskId: task.id, url: "https://example.com/", token: "a notification's" };
}

/** One secret of each kind; returns the answer that is kept for repeats. */
/** An account at an MCP server, and a sign-in that is not finished. */
async function connectAccount(desk: Api): Promise<readonly Answer[]> {
  const oauth = { account: "workspace" };
  const server = await desk.post("/mcp-servers", { name: "mail", url: signedIn.url, oauth });
  const connect = () => desk.post(`/mcp-servers/${String(fieldsOf(server)["id"])}/connect`, undefined);
  const page = String(fieldsOf(await connect())["url"]);
  const url = await openProviderBrowser().follow(page, "/oauth/mcp/callback");
  return [server, await desk.post("/mcp-servers/finish", { url }), await connect()];
}

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
  answers.push(...(await connectAccount(desk)));
  const session = await signIn(service);
  const { public_key: key } = fieldsOf(
    await send("GET", `${service.url}/auth/push`, { headers: bearer(session.access_token) }),
  );
  const { subscription } = pushes.subscribe(String(key));
  answers.push(
    await send("POST", `${service.url}/auth/push`, { headers: bearer(session.access_token), body: subscription }),
  );
  await rpc(service, id, { method: "CreateTaskPushNotificationConfig", params: await pushConfig(api, id) });
  expect(answers.filter(({ status }) => status > 201).map(({ text }) => text)).toEqual([]);
  return once.text;
}
