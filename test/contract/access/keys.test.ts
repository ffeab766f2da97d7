import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { hashKey } from "#domain/access/api-key.ts";
import { apiOf, refusal, send } from "../../support/api.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

/** The keys that a first start creates, by their names in the file it writes; the last one is in no list. */
const CREATED = [
  ["MUSTER_API_KEY", "mst_", "envelope", "First API key"],
  ["MUSTER_TABLE_KEY", "mst_rest_", "table", "First table API key"],
  ["MUSTER_MCP_KEY", "mst_mcp_", "mcp", "First MCP key"],
  ["MUSTER_A2A_KEY", "mst_a2a_", "a2a", "First A2A key"],
  ["MUSTER_AGUI_KEY", "mst_agui_", "ag-ui", "First AG-UI key"],
  ["MUSTER_ANON_KEY", "mst_anon_", "anon", ""],
] as const;
const NO_KEYS = {
  MUSTER_INIT_API_KEY: "",
  MUSTER_INIT_AGUI_KEY: "",
  MUSTER_INIT_A2A_KEY: "",
  MUSTER_INIT_MCP_KEY: "",
  MUSTER_INIT_TABLE_KEY: "",
  MUSTER_ANON_KEY: "",
};

let service: TestService;
let keys: ReadonlyMap<string, string>;

beforeAll(async () => {
  service = await startService({ env: { ...NO_KEYS, LOG_LEVEL: "trace" } });
  const file = await readFile(join(service.folder, "first-keys.env"), "utf8");
  keys = new Map(
    CREATED.map(([name, , kind]) => {
      const [, key = ""] = new RegExp(`^${name}=(\\S+)$`, "m").exec(file) ?? [];
      return [kind, key];
    }),
  );
});
afterAll(() => service.stop());

verifies(
  [
    "keys.prefix.envelope",
    "keys.prefix.table",
    "keys.prefix.mcp",
    "keys.prefix.a2a",
    "keys.prefix.ag-ui",
    "keys.prefix.anon",
    "keys.random.32-bytes",
    "keys.checksum",
  ],
  "each kind of key has its prefix before 43 base62 digits, which hold 32 bytes, and a checksum",
  async () => {
    for (const [, prefix, kind] of CREATED) {
      const key = keys.get(kind) ?? "";
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
      expect(checksumIn(key)).toBe(crc32(key.slice(0, -6)));
    }
    expect(new Set(keys.values()).size).toBe(CREATED.length);
    const me = await apiOf(service, keys.get("envelope") ?? "").get("/api-me");
    expect(me.status).toBe(200);
  },
);

/** The number that the last six digits of a key stand for. */
function checksumIn(key: string): number {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return Array.from(key.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
}

verifies(
  ["keys.stored.sha-256-only", "keys.stored.display-characters", "keys.stored.attributes"],
  "a key is stored as its hash, its first 12 characters, a label of its use, scopes and an end or none",
  async () => {
    const rows = await sql(
      service.databaseUrl,
      "select kind, key_hash, prefix, label, scopes, expires_at from api_keys order by kind",
    );
    const listed = CREATED.filter(([, , kind]) => kind !== "anon");
    expect(rows).toEqual(
      listed
        .toSorted(([, , a], [, , b]) => (a < b ? -1 : 1))
        .map(([, , kind, label]) => ({
          kind,
          key_hash: hashKey(keys.get(kind) ?? ""),
          prefix: keys.get(kind)?.slice(0, 12),
          label,
          scopes: ["read", "write"],
          expires_at: null,
        })),
    );
    const odd = sql(service.databaseUrl, "update api_keys set scopes = '{admin}'");
    await expect(odd).rejects.toThrow(/api_keys_scopes_check/);
  },
);

verifies("keys.stored.sha-256-only", "no key is in any column of any table", async () => {
  const tables = await sql<{ name: string }>(
    service.databaseUrl,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(50);
  const secrets = [...keys.values()].map((key) => key.slice(-30)).join("|");
  for (const { name } of tables) {
    const found = await sql(service.databaseUrl, `select 1 from ${name} t where t::text ~ $1`, [secrets]);
    expect([name, found]).toEqual([name, []]);
  }
});

verifies("keys.stored.last-used", "last_used_at follows use, at most once a minute", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  const hash = hashKey(key);
  const use = () => apiOf(service, key).get("/api-me");
  async function lastUsed(): Promise<{ known: boolean; age: number }> {
    const [row] = await sql<{ known: boolean; age: number }>(
      service.databaseUrl,
      `select last_used_at is not null as known, extract(epoch from now() - last_used_at)::double precision as age
       from api_keys where key_hash = $1`,
      [hash],
    );
    return row ?? { known: false, age: -1 };
  }
  /** Sets the time, and makes the process forget what it remembers of the key, as an hour would. */
  async function usedBefore(seconds: number): Promise<void> {
    await sql(
      service.databaseUrl,
      "update api_keys set last_used_at = now() - $2 * interval '1 second', scopes = scopes where key_hash = $1",
      [hash, seconds],
    );
    await sql(service.databaseUrl, "select pg_notify('muster_keys', $1)", [hash]);
  }

  expect(await lastUsed()).toMatchObject({ known: false });
  await use();
  expect((await lastUsed()).age).toBeLessThan(30);
  const [before] = await sql(service.databaseUrl, "select last_used_at from api_keys where key_hash = $1", [hash]);
  await use();
  expect(await sql(service.databaseUrl, "select last_used_at from api_keys where key_hash = $1", [hash])).toEqual([
    before,
  ]);
  await usedBefore(50);
  await use();
  await use();
  expect((await lastUsed()).age).toBeGreaterThan(49);
});

verifies("keys.never-logged", "no response and no log contains a key or a secret", async () => {
  const key = keys.get("envelope") ?? "";
  const secret = "sk-live-0123456789abcdef";
  const api = apiOf(service, key);
  const wrong = `${keys.get("mcp") ?? ""}x`;
  const put = (body: unknown) =>
    send("PUT", `${service.url}/console/api/provider-keys/openai`, { headers: { "x-api-key": key }, body });
  const answers = [
    await api.get("/api-me"),
    await api.get("/api-nothing"),
    await api.post("/api-agents", { name: 5 }),
    await apiOf(service, wrong).get("/api-me"),
    await put({ api_key: secret }),
    await put({ api_key: secret, base_url: "nowhere" }),
  ];
  await sql(service.databaseUrl, "alter table provider_keys rename to hidden_keys");
  answers.push(await put({ api_key: secret }));
  await sql(service.databaseUrl, "alter table hidden_keys rename to provider_keys");
  expect(refusal(answers.at(-1) ?? (await put({})))).toMatchObject({ status: 500 });
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 401, 200, 400, 500]);
  const { stderr } = service.output();
  expect(stderr).toContain("provider_keys");
  for (const text of [stderr, ...answers.map((answer) => answer.text)]) {
    for (const hidden of [...keys.values(), wrong, secret]) expect(text).not.toContain(hidden);
  }
});

verifies("keys.never-logged", "keys that the operator configured are not printed", async () => {
  const database = await createDatabase();
  const given = await startService({ databaseUrl: database.url, env: { LOG_LEVEL: "trace" } });
  const { stdout, stderr } = given.output();
  await given.stop();
  await database.drop();
  for (const key of Object.values(given.keys)) {
    expect(stdout).not.toContain(key);
    expect(stderr).not.toContain(key);
  }
});

verifies("start.first.keys-file", "the first keys are written even if nothing else needs the data folder", async () => {
  // With a database, a key and a bucket elsewhere; the bucket cannot be reached, which only warns.
  const bucket = {
    S3_BUCKET: "b",
    S3_ENDPOINT: "http://127.0.0.1:1",
    S3_ACCESS_KEY_ID: "a",
    S3_SECRET_ACCESS_KEY: "b",
  };
  const folder = await mkdtemp(join(tmpdir(), "muster-no-folder-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const MUSTER_DATA = join(folder, "data");
  const own = await startService({ env: { ...NO_KEYS, ...bucket, MUSTER_DATA } });
  await own.stop();
  expect(await readFile(join(MUSTER_DATA, "first-keys.env"), "utf8")).toMatch(/^MUSTER_API_KEY=mst_/m);
});

verifies("keys.checksum", "a stored key with a wrong checksum is unknown; keys without one work", async () => {
  const { key } = await addWorkspace(service.databaseUrl);
  let stored = key;
  const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  for (const [changed, status] of [
    [wrong, 401],
    [key.slice(0, -6), 200],
    [`mst_${"chosen-by-hand_".repeat(2)}`, 200],
    [key, 200],
  ] as const) {
    const hashes = [hashKey(changed), hashKey(stored)];
    await sql(service.databaseUrl, "update api_keys set key_hash = $1 where key_hash = $2", hashes);
    stored = changed;
    const answer = await apiOf(service, changed).get("/api-me");
    expect(answer.status).toBe(status);
    if (status === 401) expect(refusal(answer).message).toBe("Invalid API key.");
  }
});
