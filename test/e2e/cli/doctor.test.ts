import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import { freePort } from "../../support/free-port.ts";
import { runMuster } from "../../support/muster.ts";
import { startReverseProxy } from "../../support/reverse-proxy.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const finding = z.object({
  check: z.string(),
  outcome: z.enum(["ok", "warning", "failed", "skipped"]),
  text: z.string(),
  remedy: z.string().optional(),
});

/** Of the tests' server, which keeps nothing over a crash. */
const OF_SERVER = new Set(["fsync"]);

let service: TestService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startService();
  env = { DATABASE_URL: service.databaseUrl, MUSTER_DATA: service.folder, ENCRYPTION_KEY };
});
afterAll(() => service.stop());

/** What doctor finds, by check, without what is a fault of the tests' server. */
async function examine(changes: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await runMuster(["doctor", "--json"], { input: "", env: { ...env, ...changes } });
  const found = z.array(finding).parse(JSON.parse(stdout));
  return { code, found, byCheck: new Map(found.map((each) => [each.check, each])) };
}

/** Makes the database accept no writes over new connections, or writes again. */
async function setReadOnly(value: "on" | "off"): Promise<void> {
  const set = `alter database %I set default_transaction_read_only = ${value}`;
  // A session that is read-only cannot end it otherwise.
  await sql(
    service.databaseUrl,
    `begin read write; do $$ begin execute format('${set}', current_database()); end $$; commit`,
  );
}

verifies("cli.doctor", "a sound installation has one line for each check, without a remedy", async () => {
  const { found } = await examine();
  const faults = found.filter(({ check, outcome }) => outcome !== "ok" && !OF_SERVER.has(check));
  expect(faults).toEqual([]);
  expect(found.length).toBeGreaterThan(20);
  const { stdout } = await runMuster(["doctor"], { input: "", env });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(found.length);
  expect(lines).toContainEqual("ok       row-level security: Every table of tenants is isolated.");
});

verifies(
  ["cli.doctor", "traces.doctor", "mcp.account.operator"],
  "planted faults of a real database are found, each with its remedy, and the exit is 2",
  async () => {
    for (const fault of [
      "update pg_index set indisvalid = false where indexrelid = 'schedules_next_idx'::regclass",
      "grant select on agents to public",
      "revoke select on table_api.agents from muster_viewer",
      "alter table voice_profiles disable row level security",
      "create policy open on output_templates using (true)",
      "alter table schedules set (autovacuum_enabled = off)",
      `do $$ begin execute format('alter role muster_requests_%s createdb',
       (select oid from pg_database where datname = current_database())); end $$`,
      "insert into schema_migrations (version, name, checksum) values (9999, '9999-later.sql', '')",
      "insert into instance_settings (key, value) values ('last_backup_at', '2026-01-01T00:00:00Z')",
      `with server as (
         insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
         select gen_random_uuid(), id, 'mail', 'https://localhost/', 1000, '{}' from workspaces limit 1 returning *)
       insert into mcp_accounts (id, workspace_id, server_id, name, tokens_ciphertext, status)
       select id, workspace_id, id, name, '', 'lost' from server`,
      `insert into executors (id, host, pid, beat_at, machine, parent_id)
     select gen_random_uuid(), 'silent', 7, now() - interval '1 hour', 'm', id from executors limit 1`,
      `insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, input)
     select '01940000-0000-7000-8000-000000000001', id, 'none', id, 1, 1, 'queued', '{}' from workspaces limit 1`,
    ]) {
      await sql(service.databaseUrl, fault);
    }
    await chmod(service.folder, 0o777);
    const wrongKey = Buffer.alloc(32, 8).toString("base64");
    const bucket = {
      S3_BUCKET: "b",
      S3_ENDPOINT: "http://127.0.0.1:1",
      S3_ACCESS_KEY_ID: "k",
      S3_SECRET_ACCESS_KEY: "s",
    };
    const rule = { group: "leads", role: "owner" };
    const OIDC_GROUPS = JSON.stringify(["my-workspace", "my-wrokspace"].map((workspace) => ({ ...rule, workspace })));
    const endpoints = { ...bucket, OIDC_GROUPS, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    const { code, byCheck } = await examine({ ENCRYPTION_KEY: wrongKey, DATABASE_POOL: "5000", ...endpoints });
    const faults = {
      traces: ["warning", "takes none"],
      versions: ["failed", "9999"],
      roles: ["failed", "muster_requests_"],
      grants: ["failed", "table_api.agents"],
      "row-level security": ["failed", "output_templates, voice_profiles"],
      "encryption key": ["failed", "fingerprint"],
      connections: ["warning", "max_connections"],
      autovacuum: ["warning", "schedules"],
      indexes: ["warning", "schedules_next_idx"],
      processes: ["warning", "silent:7"],
      jobs: ["warning", "to be started"],
      "MCP accounts": ["warning", "mail"],
      "provider rules": ["warning", "id my-wrokspace:"],
      "backup age": ["warning", "days old"],
      "folder modes": ["failed", "write"],
      "file store": ["warning", "127.0.0.1:1"],
    } as const;
    for (const [check, [outcome, text]] of Object.entries(faults)) {
      expect(byCheck.get(check), check).toEqual({
        check,
        outcome,
        text: expect.stringContaining(text),
        remedy: expect.stringMatching(/./),
      });
    }
    expect(code).toBe(2);

    await sql(service.databaseUrl, "grant select on table_api.agents to muster_viewer");
    await chmod(service.folder, 0o700);
    await writeFile(join(service.folder, "encryption.key"), "", { mode: 0o644 });
    await setReadOnly("on");
    const later = await examine();
    expect(later.byCheck.get("grants")).toMatchObject({
      outcome: "warning",
      text: expect.stringContaining("agents to public"),
    });
    expect(later.byCheck.get("folder modes")).toMatchObject({
      outcome: "failed",
      text: expect.stringContaining("encryption.key"),
    });
    expect(later.byCheck.get("read-only")).toMatchObject({ outcome: "failed" });
    await setReadOnly("off");
  },
);

verifies(
  "cli.doctor.public-address",
  "a proxy that buffers streams is told from one that does not, and from another service",
  async () => {
    const publicAddress = async (url: string) => (await examine({ PUBLIC_URL: url })).byCheck.get("public address");
    const through = await startReverseProxy(service.url, { buffers: false });
    const buffering = await startReverseProxy(service.url, { buffers: true });
    const another = await startFakeServer((_, response) => answerJson(response, {}, 404));
    const moved = await startFakeServer((_, response) => response.writeHead(302, { location: another.url }).end());
    try {
      expect(await publicAddress(through.url)).toMatchObject({
        outcome: "ok",
        text: expect.stringContaining("as they"),
      });
      expect(await publicAddress(buffering.url)).toMatchObject({
        outcome: "warning",
        text: expect.stringContaining("arrive together"),
        remedy: expect.stringContaining("proxy_buffering off"),
      });
      for (const [url, text] of [
        [moved.url, "redirects"],
        [another.url, "responds with 404"],
        [`http://127.0.0.1:${await freePort()}`, "rejects connections"],
      ] as const) {
        expect(await publicAddress(url)).toMatchObject({ outcome: "warning", text: expect.stringContaining(text) });
      }
      // The redirect was not followed, and each server was asked for the stream alone.
      expect(another.seen.map(({ path }) => path)).toEqual(["/healthz/stream"]);
      expect(new Set([...through.paths, ...buffering.paths])).toEqual(new Set(["/healthz/stream"]));
      const unset = (await examine()).byCheck.get("public address");
      expect(unset).toEqual({
        check: "public address",
        outcome: "ok",
        text: "PUBLIC_URL is not set: there is no public address to try.",
      });
    } finally {
      await Promise.all([through, buffering, another, moved].map((server) => server.close()));
    }
  },
);

verifies(
  "cli.doctor",
  "without a database or with wrong settings it says so, and skips what it cannot check",
  async () => {
    const { code, byCheck } = await examine({ DATABASE_URL: "postgresql://muster@127.0.0.1:1/none" });
    expect([code, byCheck.get("database")?.outcome, byCheck.get("jobs")?.outcome]).toEqual([2, "failed", "skipped"]);
    expect(byCheck.get("disk")?.outcome).toBe("ok");
    const wrong = await examine({ PORT: "none" });
    expect([wrong.code, wrong.found]).toMatchObject([2, [{ check: "settings", outcome: "failed" }]]);
  },
);
