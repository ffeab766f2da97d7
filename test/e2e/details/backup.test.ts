import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { uploadTo } from "../../support/files.ts";
import { NODE_ENVIRONMENT } from "../../support/hosts/node-environment.ts";
import { runMuster, watchProcess } from "../../support/muster.ts";
import { ENCRYPTION_KEY, createDatabase, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { seedTenantTables } from "../../support/tenancy/seed-tenant-tables.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const OTHER_KEY = Buffer.alloc(32, 8).toString("base64");
const MAIN = join(import.meta.dirname, "../../../src/cli/main.ts");
/** What belongs to a process or a program, not to the data. */
const OMITTED = ["executors", "keeper", "live_viewers", "plan_quotas", "schema_migrations", "instance_settings"];
const CONTENT = Buffer.from(randomBytes(100_000).toString("hex"));

let folder: string;
let service: TestService;
let env: Record<string, string>;
let fileUrl: string;
let backup: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-backup-"));
  service = await startService();
  env = { DATABASE_URL: service.databaseUrl, MUSTER_DATA: service.folder, ENCRYPTION_KEY };
  const api = apiOf(service, service.keys.api);
  const { id: agentId } = await createAgent(api);
  const task = await createTask(api, { description: QUICK, assigned_agent_id: agentId });
  await taskIn(api, task.id, "completed");
  const [workspace] = await sql<{ id: string }>(service.databaseUrl, "select id from workspaces");
  await seedTenantTables(service.databaseUrl, workspace?.id ?? "");
  await sql(service.databaseUrl, `update voice_profiles set name = E'a\\tb\\\\N\\n\\u00fc' || chr(128169)`);
  fileUrl = (await uploadTo(service, { name: "a.txt", type: "text/plain", content: CONTENT })).url;
  backup = join(folder, "first.backup");
  const made = await muster(["backup", backup]);
  expect([made.code, made.stdout]).toEqual([0, ""]);
  const { stdout: examined } = await muster(["doctor"]);
  expect(examined).toMatch(/^ok +backup age: The last backup was made at 2/m);
  expect(made.stderr).toMatch(/^Backed up \d+ rows of \d+ tables and 1 files, without 2 that the store had lost/m);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

verifies(
  ["operations.backup.all", "operations.restore.equal"],
  "a restored backup of a serving service has the same rows, files and references",
  async () => {
    const target = await createDatabase();
    try {
      const before = await constraintsOf(target.url);
      const { code, stdout } = await restoreTo(target, "restored");
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ rows .*\nThe copy is held: /)]);
      const tables = await hashesOf(target.url);
      expect(tables).toEqual(await hashesOf(service.databaseUrl));
      const filled = [...tables.values()].filter((hash) => hash !== null).length;
      expect(filled).toBeGreaterThan(60);
      expect(await constraintsOf(target.url)).toEqual(before);
      const copy = await startService({
        databaseUrl: target.url,
        keys: service.keys,
        env: { MUSTER_DATA: join(folder, "restored") },
      });
      const response = await fetch(fileUrl.replace(service.url, copy.url));
      expect(Buffer.compare(await response.bytes(), CONTENT)).toBe(0);
      await copy.stop();
    } finally {
      await target.drop();
    }
  },
);

verifies("operations.backup.no-key", "a backup has the fingerprint of the encryption key, never the key", async () => {
  const archive = gunzipSync(await readFile(backup));
  const { stdout } = await muster(["backup", "--verify", backup]);
  const fingerprint = /for the encryption key ([0-9a-f]{16})\.$/m.exec(stdout)?.[1] ?? "";
  expect(archive.includes(fingerprint)).toBe(true);
  expect(archive.includes(ENCRYPTION_KEY)).toBe(false);
  expect(archive.includes(Buffer.from(ENCRYPTION_KEY, "base64"))).toBe(false);
});

verifies(
  "operations.backup.verify",
  "a backup that was cut, edited or is none is found in one sentence, before the first row",
  async () => {
    const whole = await readFile(backup);
    const archive = gunzipSync(whole);
    const edited = Buffer.from(archive);
    edited.write("Walker", archive.indexOf("Worker"));
    const counted = Buffer.from(archive);
    counted.write('"rows": 9', counted.lastIndexOf('"rows": '));
    const middle = Math.floor(whole.length / 2);
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(middle) ^ 255, middle);
    const bad: readonly (readonly [Buffer, RegExp])[] = [
      [whole.subarray(0, middle), /was cut off: its end is missing\. Use another backup\.$/],
      [whole.subarray(0, -4), /was cut off/],
      [gzipSync(archive.subarray(0, archive.length - 4_096)), /was cut off/],
      [gzipSync(edited), /is damaged: the table \w+ is not what was backed up\. Use another backup\.$/],
      [gzipSync(counted), /is damaged: its manifest is not what was backed up/],
      [flipped, /is damaged/],
      [Buffer.from("select 1"), /is no backup of Muster\.$/],
      [gzipSync("select 1"), /was cut off|is no backup/],
      [Buffer.alloc(0), /was cut off|is no backup/],
    ];
    const target = await createDatabase();
    try {
      for (const [content, reason] of bad) {
        const path = join(folder, "bad.backup");
        await writeFile(path, content);
        for (const args of [
          ["backup", "--verify", path],
          ["restore", path],
        ]) {
          const { code, stdout, stderr } = await muster(args, { DATABASE_URL: target.url });
          expect([code, stdout, stderr.trim()]).toEqual([1, "", expect.not.stringContaining("\n")]);
          expect(stderr.trim()).toMatch(reason);
        }
      }
      expect(
        await sql(target.url, "select from workspaces union all select from instance_settings where key = 'held_copy'"),
      ).toEqual([]);
      expect((await muster(["backup", "--verify", backup])).code).toBe(0);
      const none = await muster(["backup", "--verify", join(folder, "none")]);
      expect([none.code, none.stderr]).toEqual([
        1,
        expect.stringMatching(/^Cannot read .*: there is no such file\.\n$/),
      ]);
    } finally {
      await target.drop();
    }
  },
);

verifies(
  "operations.restore.refused",
  "a backup of another key or version, and a database with rows, are refused before the first row",
  async () => {
    const target = await createDatabase();
    try {
      const wrongKey = await restoreTo(target, "other", { ENCRYPTION_KEY: OTHER_KEY });
      expect(wrongKey.stderr).toMatch(
        /belongs to the encryption key with the fingerprint [0-9a-f]{16}, and the one here is /,
      );
      const { ENCRYPTION_KEY: _, ...withoutKey } = env;
      const noKey = await runMuster(["restore", backup], {
        env: { ...withoutKey, MUSTER_DATA: join(folder, "other") },
      });
      expect(noKey.stderr).toMatch(/and there is none here\. Set ENCRYPTION_KEY to that key, or put its file/);
      const path = join(folder, "newer.backup");
      await writeFile(path, gzipSync(await asVersion(99_999)));
      const newer = await muster(["restore", path], { DATABASE_URL: target.url });
      expect(newer.stderr).toMatch(
        /with schema version 99999, and this program has \d+\. Restore it with that Muster; then/,
      );
      const filled = await muster(["restore", backup]);
      expect(filled.stderr).toMatch(/^The database has rows already \(\w+, \w+, \w+, …\)\. Restore into an empty one/);
      expect([wrongKey, noKey, newer, filled].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
      expect(await sql(target.url, "select from workspaces")).toEqual([]);
      const usage = await muster(["restore"]);
      expect([usage.code, usage.stderr]).toEqual([2, "Give the path of a backup, or --release.\n"]);
    } finally {
      await target.drop();
    }
  },
);

verifies(
  "operations.backup.whole-or-none",
  "a backup onto a full disk or an existing file fails and leaves no file; two at once succeed",
  async () => {
    const names = await readdir(folder);
    const limited = await inShell(`ulimit -f 4; exec "$@"`, ["backup", join(folder, "full.backup")]);
    expect([limited.code, limited.stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot write .*: the disk .*\. No file was left\.\n$/m),
    ]);
    const full = await inShell(`exec "$@" > /dev/full`, ["backup", "-"]);
    expect([full.code, full.stderr]).toEqual([1, expect.stringMatching(/ENOSPC|the disk is full/)]);
    const there = await muster(["backup", backup]);
    expect([there.code, there.stderr]).toEqual([1, `Cannot write ${backup}: it already exists. No file was left.\n`]);
    const nowhere = await muster(["backup", join(folder, "no", "such")]);
    expect(nowhere.stderr).toMatch(/: there is no such folder\. No file was left\.\n$/);
    expect(await readdir(folder)).toEqual(names);

    const [one, other, same] = ["one.backup", "other.backup", "other.backup"].map((name) => join(folder, name));
    const both = await Promise.all([one, other, same].map((path) => muster(["backup", path ?? ""])));
    expect(both.filter(({ code }) => code === 0)).toHaveLength(2);
    for (const path of [one, other]) expect((await muster(["backup", "--verify", path ?? ""])).code).toBe(0);
  },
);

verifies(
  "operations.restore.whole-or-none",
  "a restore whose disk becomes full in the middle leaves no row and no file, and can be repeated",
  async () => {
    const target = await createDatabase();
    try {
      const to = { DATABASE_URL: target.url, MUSTER_DATA: join(folder, "small") };
      const failed = await inShell(`ulimit -f 100; exec "$@"`, ["restore", backup], to);
      expect([failed.code, failed.stdout]).toEqual([1, ""]);
      expect(failed.stderr).toMatch(/^MUSTER_DATA: the files in .*/);
      expect(await sql(target.url, "select from workspaces")).toEqual([]);
      const left = await readdir(join(folder, "small"), { recursive: true, withFileTypes: true });
      expect(left.filter((entry) => entry.isFile())).toEqual([]);
      expect((await restoreTo(target, "small")).code).toBe(0);
    } finally {
      await target.drop();
    }
  },
);

function muster(args: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  return runMuster(args, { env: { ...env, ...changes } });
}

function restoreTo({ url }: TestDatabase, data: string, changes: Readonly<Record<string, string>> = {}) {
  return muster(["restore", backup], { DATABASE_URL: url, MUSTER_DATA: join(folder, data), ...changes });
}

/** Runs a command in a shell that limits it; `$@` is the command. */
function inShell(script: string, args: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  const child = spawn("sh", ["-c", script, "sh", process.execPath, MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...NODE_ENVIRONMENT, ...env, ...changes },
  });
  return watchProcess(child).ended;
}

/** The digest of all rows of each table; null for an empty one. */
async function hashesOf(url: string): Promise<ReadonlyMap<string, string | null>> {
  const tables = await sql<{ name: string }>(
    url,
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all($1) order by relname`,
    [OMITTED],
  );
  const hashes = new Map<string, string | null>();
  for (const { name } of tables) {
    const [row] = await sql<{ rows: string | null }>(
      url,
      `select string_agg(md5(t::text), '' order by md5(t::text)) as rows from ${name} t`,
    );
    hashes.set(name, row?.rows == null ? null : createHash("sha256").update(row.rows).digest("hex"));
  }
  return hashes;
}

/** All constraints, indexes and triggers, and whether they are in force. */
function constraintsOf(url: string) {
  return sql(
    url,
    `select conrelid::regclass::text || ' ' || conname as name, pg_get_constraintdef(oid) || convalidated as definition
     from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select indexname, indexdef from pg_indexes where schemaname = 'public'
     union all
     select tgrelid::regclass::text || ' ' || tgname, tgenabled::text from pg_trigger where not tgisinternal
     order by 1, 2`,
  );
}

/** The archive of the backup, with another schema version in its header. */
async function asVersion(schema: number): Promise<Buffer> {
  const { readTar, tarEntry, TAR_END } = await import("#lib/archive/tar.ts");
  const archive = gunzipSync(await readFile(backup));
  const chunks: Buffer[] = [];
  for await (const { name, content } of readTar(asChunks(archive))) {
    const changed =
      name === "muster-backup.json" ? content.toString().replace(/"schema": \d+/, `"schema": ${schema}`) : content;
    chunks.push(...tarEntry({ name, content: Buffer.from(changed) }));
  }
  return Buffer.concat([...chunks, TAR_END]);
}

async function* asChunks(bytes: Buffer) {
  yield bytes;
}
