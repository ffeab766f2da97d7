import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { secretColumns } from "#db/queries/access/encrypted-secrets.ts";
import { newId } from "#lib/ids.ts";
import { openExport } from "../../../src/service/move/read-export.ts";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { askFiles, uploadTo } from "../../support/files.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { runMuster, startMuster } from "../../support/muster.ts";
import { fillTables } from "../../support/planted.ts";
import { movedRows } from "../../support/moved-rows.ts";
import { ENCRYPTION_KEY, createDatabase, createKeys, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const OTHER_KEY = Buffer.alloc(32, 9).toString("base64");
const PASSPHRASE = "a passphrase for the move";
const NAME = "Moving Works";

const keys = createKeys();
let folder: string;
let source: TestDatabase;
let target: TestDatabase;
let here: TestService;
let there: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-move-"));
  await writeFile(join(folder, "passphrase"), `${PASSPHRASE}\n`);
  [source, target] = await Promise.all([createDatabase(), createDatabase()]);
  here = await startService({ databaseUrl: source.url, keys, env: { MUSTER_DATA: join(folder, "here") } });
  const env = { MUSTER_DATA: join(folder, "there"), ENCRYPTION_KEY: OTHER_KEY };
  there = await startService({ databaseUrl: target.url, env });
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop()]);
  await Promise.all([source.drop(), target.drop()]);
  await rm(folder, { recursive: true });
});

const file = (name: string) => join(folder, name);
const onSource = (...args: string[]) =>
  runMuster(args, {
    env: { DATABASE_URL: source.url, ENCRYPTION_KEY, MUSTER_DATA: file("here") },
    cwd: tmpdir(),
  });
const onTarget = (...args: string[]) =>
  runMuster(args, {
    env: { DATABASE_URL: target.url, ENCRYPTION_KEY: OTHER_KEY, MUSTER_DATA: file("there") },
    cwd: tmpdir(),
  });
const secret = () => ["--passphrase-file", file("passphrase")];
const exportTo = (slug: string, to: string) => onSource("workspace", "export", slug, file(to), ...secret());
const importFrom = (from: string) => onTarget("workspace", "import", file(from), ...secret());

/** A workspace with work, files, knowledge and people. */
async function moving(name: string) {
  const { workspaceId, ownerId, key } = await addWorkspace(source.url);
  const [api, desk] = [apiOf(here, key), consoleOf(here, key)];
  await desk.patch("/workspace", { name });
  const agent = await createAgent(api, { name: "Mover" });
  const give = (description: string) => createTask(api, { description, assigned_agent_id: agent.id });
  const { id: done } = await give(QUICK);
  await taskIn(api, done, "completed");
  const place = { ...here, keys: { ...keys, api: key } };
  const { id: fileId } = await uploadTo(place, { name: "a.txt", type: "text/plain", content: "carried along" });
  const baseId = await createBase(desk, {});
  const { id: documentId } = await addText(desk, baseId, { text: "Zebras have stripes." });
  await documentRead(desk, documentId);
  const repeat = { "idempotency-key": "moving" };
  const hook = { name: "Hook", title: "Hooked", assigned_agent_id: agent.id };
  const trigger = fieldsOf(await desk.post("/triggers", hook, repeat));
  // No key opens its tokens: they stay behind.
  await sql(
    source.url,
    `with server as (
       insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
       values (gen_random_uuid(), $1, 'mail', 'https://mail.example/mcp', 1000, '{}') returning id
     )
     insert into mcp_accounts (id, workspace_id, server_id, name, tokens_ciphertext)
     select gen_random_uuid(), $1, id, 'mail', 'tokens' from server`,
    [workspaceId],
  );
  const slug = name.toLowerCase().replaceAll(" ", "-");
  return { workspaceId, ownerId, key, slug, agent, done, fileId, hook, trigger, repeat };
}

verifies(
  ["move.complete", "move.held", "move.secrets", "move.people"],
  "a workspace moves with all rows, ids, files and secrets, is held, and goes on after its release",
  async () => {
    const { workspaceId, key, slug, agent, done, fileId, hook, trigger, repeat } = await moving(NAME);
    const known = await addMember(source.url, workspaceId, "member");
    const away = await addMember(source.url, workspaceId, "viewer");
    const other = newId();
    // One is known there by another id; another person there has the id of one who is not.
    await sql(
      target.url,
      "insert into users (id, email, name) values ($1::uuid, $2, 'Known there'), ($3::uuid, $4, 'Somebody else')",
      [other, `${known.userId}@LOCALHOST.localdomain`, away.userId, "somebody@else.example"],
    );
    expect(await exportTo(slug, "early.export")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not held"),
    });
    await onSource("ops", "hold", slug);
    const exported = await exportTo(slug, "moving.export");
    expect([exported.code, exported.stderr]).toEqual([
      0,
      expect.stringMatching(/^Exported moving-works into .*rows of \d+ tables and 2 files/),
    ]);
    const imported = await importFrom("moving.export");
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringMatching(/^Imported moving-works: .*\n/)]);
    expect(imported.stderr).toContain(`${known.userId}@localhost.localdomain has the account that was here.`);
    expect(imported.stderr).toContain(
      `Invite this person with: muster reset-password ${away.userId}@localhost.localdomain`,
    );
    expect(imported.stderr).toContain("Left out: 1 accounts at MCP servers");
    expect(imported.stderr).toContain("Let it act with: muster ops release moving-works");
    const link = await onTarget("reset-password", `${away.userId}@localhost.localdomain`);
    expect(link.stdout).toMatch(/\/auth\/reset\?token=/);
    const [invited] = await sql<{ id: string }>(target.url, "select id from users where email = $1", [
      `${away.userId}@localhost.localdomain`,
    ]);
    expect(invited?.id).not.toBe(away.userId);
    const ids = new Map([
      [known.userId, other],
      [away.userId, invited?.id ?? ""],
    ]);
    const after = await movedRows(target.url, workspaceId);
    expect(Object.keys(after).length).toBeGreaterThan(15);
    expect(after).toEqual(await movedRows(source.url, workspaceId, ids));

    const api = apiOf(there, key);
    expect((await api.get(`/api-tasks?id=${done}`)).status).toBe(200);
    const place = { ...there, keys: { ...keys, api: key } };
    const { url } = fieldsOf(await askFiles(place, `/${fileId}`));
    expect(await (await fetch(String(url))).text()).toBe("carried along");
    expect(
      (await api.post("/api-tasks", { title: "New", description: QUICK, assigned_agent_id: agent.id })).status,
    ).toBe(409);
    await onTarget("ops", "release", slug);
    const task = await createTask(api, { description: QUICK, assigned_agent_id: agent.id });
    await taskIn(api, task.id, "completed");
    // The stored response was encrypted with the key of the other installation.
    const again = await consoleOf(there, key).post("/triggers", hook, repeat);
    expect(fieldsOf(again)).toEqual(trigger);
    expect((await consoleOf(there, key).get("/knowledge/search?q=zebras")).text).toContain("Zebras have stripes.");
    // Imported again, it says so; the original stays held.
    expect(await importFrom("moving.export")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("before; nothing was changed"),
    });
    expect((await apiOf(here, key).post("/api-agents", { name: "No", model: "demo" })).status).toBe(409);
  },
  { tags: "slow" },
);

verifies(
  "move.refused",
  "what is not complete or does not fit is refused in a sentence, and nothing is left",
  async () => {
    const { workspaceId, slug, agent } = await moving("Refused Works");
    const passphrases = [["--passphrase-file", "/dev/null"], []];
    await onSource("ops", "hold", slug);
    expect((await exportTo(slug, "good.export")).code).toBe(0);
    const copy = async (name: string) => {
      await cp(file("good.export"), file(name), { recursive: true });
      return file(name);
    };
    const change = async (path: string, from: string | RegExp, to: string) =>
      writeFile(path, (await readFile(path, "utf8")).replace(from, to));
    const part = "tables/agents/1.gz";
    await appendFile(join(await copy("edited"), part), "x");
    await rm(join(await copy("cut"), part));
    await rm(join(await copy("open"), "manifest.json"));
    await change(join(await copy("sealed"), "manifest.json"), '"rows": 1', '"rows": 2');
    await change(join(await copy("named"), "muster-workspace.json"), "Refused", "Renamed");
    await change(join(await copy("newer"), "muster-workspace.json"), /"schema": \d+/, '"schema": 9999');
    for (const [name, why] of [
      ["edited", /damaged: tables\/agents\/1\.gz/],
      ["cut", /not complete: tables\/agents\/1\.gz is missing/],
      ["open", /is not complete: run it again/],
      ["sealed", /damaged: manifest\.json/],
      ["named", /damaged: muster-workspace\.json/],
      ["newer", /schema version 9999/],
      ["none", /is no export of a workspace/],
    ] as const) {
      await expect(openExport(file(name), PASSPHRASE)).rejects.toThrow(why);
    }
    await expect(openExport(file("good.export"), "another passphrase")).rejects.toThrow("not the one of this export");
    const exits = await Promise.all(
      passphrases.map((given) => onSource("workspace", "export", slug, file("x.export"), ...given)),
    );
    expect(exits.map(({ code }) => code)).toEqual([1, 2]);

    const refused = async (from: string, why: string) => {
      const { code, stdout, stderr } = await importFrom(from);
      expect([code, stdout, stderr]).toEqual([1, "", `${why}\n`]);
    };
    const nothing = async () => {
      const schema = "select nspname from pg_namespace where nspname = $1";
      return [await sql(target.url, schema, [schemaOf(workspaceId)]), await movedRows(target.url, workspaceId)];
    };
    const stranger = await addWorkspace(target.url);
    const adopted =
      "insert into agents (id, workspace_id, name, model, provider) values ($1, $2, 'Same id', 'demo', 'demo')";
    await sql(target.url, adopted, [agent.id, stranger.workspaceId]);
    await refused("good.export", "Rows of the workspace exist here already (agents); nothing was changed.");
    expect(await nothing()).toEqual([[], {}]);
    await sql(target.url, "delete from agents where id = $1", [agent.id]);
    await sql(target.url, "insert into workspaces (id, name, plan) values ($1, 'Here already', 'free')", [workspaceId]);
    await refused(
      "good.export",
      "The workspace here-already is here already, not from this export; nothing was changed.",
    );
    await sql(target.url, "delete from workspaces where id = $1", [workspaceId]);
    expect((await importFrom("good.export")).code).toBe(0);

    // A hold that ended: what is exported would be of two moments.
    await rm(join(await copy("half.export"), "manifest.json"));
    await onSource("ops", "release", slug);
    await onSource("ops", "hold", slug);
    const released = await exportTo(slug, "half.export");
    expect([released.code, released.stderr]).toEqual([
      1,
      expect.stringContaining("was released since this export began"),
    ]);
  },
  { tags: "slow" },
);

verifies(
  "move.resumed",
  "an export and an import that were killed continue where they were",
  async () => {
    const { workspaceId, slug } = await moving("Resumed Works");
    await sql(
      source.url,
      `insert into voice_profiles (id, workspace_id, name, tone, custom_instructions)
       select gen_random_uuid(), $1, 'Voice ' || n, 'Formal', repeat(md5(n::text), 250) from generate_series(1, 4000) n`,
      [workspaceId],
    );
    await onSource("ops", "hold", slug);
    const held = async (url: string, table: string, mode = "access exclusive") => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query("begin");
      await client.query(`lock table ${table} in ${mode} mode`);
      return client;
    };
    // It waits for a table that it reads last.
    const reader = await held(source.url, "audit_log");
    const options = { env: { DATABASE_URL: source.url, ENCRYPTION_KEY, MUSTER_DATA: file("here") }, cwd: tmpdir() };
    const exporting = startMuster(["workspace", "export", slug, file("resumed.export"), ...secret()], options);
    await eventually("voices are exported", async () =>
      (await notes()).some((line) => line === '{"table":"voice_profiles"}'),
    );
    const before = await notes();
    exporting.process.kill("SIGKILL");
    await exporting.ended;
    await reader.end();
    expect((await exportTo(slug, "resumed.export")).code).toBe(0);
    const after = await notes();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.filter((line) => line.includes('"table":"voice_profiles","part":1'))).toHaveLength(1);

    const writer = await held(target.url, "voice_profiles", "share");
    const there = {
      env: { DATABASE_URL: target.url, ENCRYPTION_KEY: OTHER_KEY, MUSTER_DATA: file("there") },
      cwd: tmpdir(),
    };
    const importing = startMuster(["workspace", "import", file("resumed.export"), ...secret()], there);
    await eventually("it moves in", async () => {
      const waiting = "select from pg_locks where relation = 'voice_profiles'::regclass and not granted";
      return (await sql(target.url, waiting)).length > 0;
    });
    importing.process.kill("SIGKILL");
    await importing.ended;
    await writer.end();
    expect(await movedRows(target.url, workspaceId)).toEqual({});
    // What is staged is not staged again.
    const mark = `update ${schemaOf(workspaceId)}.voice_profiles set name = 'Staged before' where name = 'Voice 1'`;
    await sql(target.url, mark);
    await eventually("it continues", async () => (await importFrom("resumed.export")).code === 0);
    await sql(target.url, "update voice_profiles set name = 'Voice 1' where name = 'Staged before'");
    expect(await movedRows(target.url, workspaceId)).toEqual(await movedRows(source.url, workspaceId));
    const listed = await sql(target.url, "select from pg_namespace where nspname = $1", [schemaOf(workspaceId)]);
    expect(listed).toEqual([]);
    const abandoned = () => onTarget("workspace", "import", file("resumed.export"), "--abandon");
    expect((await abandoned()).code).toBe(1);
    await sql(target.url, `create schema ${schemaOf(workspaceId)}`);
    expect((await abandoned()).code).toBe(0);
    expect(await sql(target.url, "select from pg_namespace where nspname = $1", [schemaOf(workspaceId)])).toEqual([]);
  },
  { tags: "slow" },
);

verifies(
  ["move.complete", "move.silent"],
  "a workspace with a row in every table moves as it is",
  async () => {
    const full = await addWorkspace(source.url);
    await fillTables(source.url, { ...full, key: ENCRYPTION_KEY });
    await onSource("ops", "hold", full.workspaceId);
    expect(await exportTo(full.workspaceId, "full.export")).toMatchObject({ code: 0 });
    const imported = await importFrom("full.export");
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringMatching(/^Imported /)]);
    const [before, after] = [source, target].map(({ url }) => movedRows(url, full.workspaceId));
    expect(await after).toEqual(await before);
    expect(Object.keys((await after) ?? {}).length).toBeGreaterThan(60);
  },
  { tags: "slow" },
);

verifies("move.silent", "each trigger of an insert knows that a workspace is moving in, or may run", async () => {
  const triggers = await sql<{ name: string; source: string }>(
    target.url,
    `select distinct p.proname::text as name, p.prosrc as source from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgtype & 4 <> 0 and c.relnamespace = 'public'::regnamespace
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id')`,
  );
  expect(triggers.length).toBeGreaterThan(15);
  const unaware = triggers.filter(({ name, source: text }) => !text.includes("is_moving()") && !MAY_RUN.has(name));
  expect(unaware.map(({ name }) => name)).toEqual([]);
});

verifies("move.secrets", "each encrypted column of a workspace moves under the passphrase", async () => {
  const columns = await sql<{ name: string }>(
    target.url,
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like '%ciphertext' and not a.attisdropped
       and exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id')`,
  );
  expect(columns.length).toBeGreaterThan(10);
  const known = new Set(secretColumns().map(({ table, column }) => `${table}.${column}`));
  expect(columns.filter(({ name }) => !known.has(name))).toEqual([]);
});

/** What these do for a row that arrives is right: caches are told, contents referenced, records counted, secrets checked. */
const MAY_RUN = new Set([
  "announce_budget_change",
  "announce_provider_key_change",
  "count_added",
  "plan_key_warning",
  "reference_blob",
  "reject_retired_key",
]);

const notes = async () =>
  (await readFile(file("resumed.export/progress.ndjson"), "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "");

function schemaOf(workspaceId: string): string {
  return `move_${workspaceId.replaceAll("-", "")}`;
}
