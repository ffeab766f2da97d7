import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, onTestFinished } from "vitest";
import { migrate } from "#db/migrate.ts";
import { changesOf } from "#db/migration/changes.ts";
import { FOLDER } from "#db/migration/files.ts";
import { eventually } from "../support/eventually.ts";
import { runMuster } from "../support/muster.ts";
import { createDatabase, ENCRYPTION_KEY } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const QUICK = { waitMs: 300, pauseMs: 20, tries: 2 };
const TABLE = "create table scratch (id integer primary key, word text, n integer)";

/** A database with the table `scratch`, and a folder with one more migration. */
async function scene(migration: string) {
  const database = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), "muster-migrations-"));
  onTestFinished(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  await sql(database.url, TABLE);
  await sql(database.url, "insert into scratch select n, 'old', n from generate_series(1, 5) n");
  await cp(FOLDER, folder, { recursive: true });
  await writeFile(join(folder, "9001-more.sql"), migration);
  const run = (wait = QUICK) => migrate(database.url, () => Promise.resolve(), { folder, wait });
  return { url: database.url, run };
}

/** Another session, which holds locks until it ends. */
async function session(url: string, ...statements: readonly string[]): Promise<Client> {
  const address = new URL(url);
  address.searchParams.set("application_name", "nightly report");
  const client = new Client({ connectionString: address.href });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  for (const text of statements) await client.query(text);
  return client;
}

async function isApplied(url: string): Promise<boolean> {
  return (await sql(url, "select from schema_migrations where version = 9001")).length === 1;
}

function waits(url: string, mode: string): Promise<unknown> {
  const text = `select from pg_locks where not granted and (mode = $1 or locktype = $1)`;
  return eventually(`a wait for ${mode}`, async () => (await sql(url, text, [mode])).length > 0);
}

verifies(
  "operations.migrations.locks",
  "a migration that gets no lock gives up, names who holds it, and leaves nothing behind",
  async () => {
    const { url, run } = await scene("alter table scratch add column more text; select missing_nowhere from scratch");
    const holder = await session(url, "begin", "select from scratch");
    const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
    const says = new RegExp(
      `^Migration 9001-more.sql waited 2 times for 0.3 s for a lock that pid ${rows[0]?.pid} \\(nightly report, \\d+ s old, ` +
        `idle in transaction\\) holds, .* SELECT pg_terminate_backend\\(${rows[0]?.pid}\\);`,
    );
    await expect(run()).rejects.toThrow(says);
    expect(await isApplied(url)).toBe(false);
    await holder.query("rollback");
    await expect(run()).rejects.toThrow(/missing_nowhere/);
    expect(await sql(url, "select from information_schema.columns where column_name = 'more'")).toEqual([]);
  },
);

verifies(
  "operations.migrations.locks",
  "while a migration waits for a lock, others read the table, and it is applied when the lock is free",
  async () => {
    const { url, run } = await scene("alter table scratch add column more text");
    const holder = await session(url, "begin", "select from scratch");
    const migrated = run({ ...QUICK, tries: 1_000 });
    await waits(url, "AccessExclusiveLock");
    for (let read = 0; read < 3; read += 1) expect(await sql(url, "select from scratch")).toHaveLength(5);
    expect(await isApplied(url)).toBe(false);
    await holder.query("commit");
    expect((await migrated).applied).toEqual(["9001-more.sql"]);
  },
);

verifies(
  "operations.migrations.indexes",
  "an index is built while others write, and again when a crash has left it invalid",
  async () => {
    const index = "create index concurrently if not exists scratch_old_idx on scratch (n) where word <> 'a;b'";
    const { url, run } = await scene(`-- muster: concurrently\n${index};\n`);
    await sql(url, "create index scratch_old_idx on scratch (id)");
    await sql(url, "update pg_index set indisvalid = false where indexrelid = 'scratch_old_idx'::regclass");
    const holder = await session(url, "begin", "insert into scratch values (6, 'new', 6)");
    const migrated = run({ ...QUICK, tries: 1_000 });
    await waits(url, "virtualxid");
    await sql(url, "insert into scratch values (7, 'new', 7)");
    await holder.query("commit");
    expect((await migrated).applied).toEqual(["9001-more.sql"]);
    const built = `select i.indisvalid as valid, pg_get_indexdef(i.indexrelid) as text from pg_index i
      where i.indexrelid = 'scratch_old_idx'::regclass`;
    expect(await sql(url, built)).toEqual([{ valid: true, text: expect.stringContaining("(n) WHERE (word <> 'a;b'") }]);
  },
);

verifies(
  "operations.migrations.batches",
  "a backfill commits each batch, and continues after a failure where it was",
  async () => {
    const { url, run } = await scene(`-- muster: batches
      update scratch set word = 'new' where id in (select id from scratch where word = 'old' order by id limit 2);`);
    await sql(
      url,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'row % fails', new.id; end $$`,
    );
    await sql(
      url,
      "create trigger fails before update on scratch for each row when (new.id = 3) execute function fail()",
    );
    await expect(run()).rejects.toThrow("row 3 fails");
    const words = "select string_agg(word, ' ' order by id) as words from scratch";
    expect(await sql(url, words)).toEqual([{ words: "new new old old old" }]);
    await sql(url, "drop trigger fails on scratch");
    expect((await run()).applied).toEqual(["9001-more.sql"]);
    expect(await sql(url, words)).toEqual([{ words: "new new new new new" }]);
    expect(await sql(url, "select count(distinct xmin::text)::integer as commits from scratch")).toEqual([
      { commits: 3 },
    ]);
  },
);

verifies("operations.migrations.plan", "an unknown first line of a migration is rejected", async () => {
  const { run } = await scene("-- muster: quickly\nselect 1");
  await expect(run()).rejects.toThrow(/9001-more.sql: "-- muster: quickly" is unknown/);
});

const STATEMENTS = [
  "alter table scratch add column more text",
  "alter table scratch add constraint large check (n > 0) not valid; alter table scratch validate constraint large",
  "alter table scratch add constraint of_user foreign key (id) references other (id)",
  "create index scratch_word_idx on scratch (word)",
  "create policy open on scratch using (true)",
  "create trigger fails before update on scratch for each row execute function suppress_redundant_updates_trigger()",
  "update scratch set word = 'x; drop table other'",
  "insert into scratch values (9, 'a', 9)",
  "delete from scratch",
  "drop table scratch",
  "comment on table scratch is 'alter table other add x text;' -- alter table other",
];

verifies(
  "operations.migrations.plan",
  "the locks that a plan names are those that PostgreSQL takes, and none is missing",
  async () => {
    const { url } = await scene("select 1");
    await sql(url, "create table other as select id from scratch; alter table other add primary key (id)");
    const client = await session(url);
    const held = `select distinct relation::regclass::text as object, mode from pg_locks
      where pid = pg_backend_pid() and locktype = 'relation'
        and relation in ('scratch'::regclass, 'other'::regclass) and mode <> 'AccessShareLock'`;
    const tables = await client.query<{ id: string }>("select 'scratch'::regclass::oid::integer::text as id");
    for (const text of STATEMENTS) {
      await client.query("begin");
      await client.query(text);
      const { rows } = await client.query<{ object: string; mode: string }>(
        held.replace("'scratch'::regclass", tables.rows[0]?.id ?? ""),
      );
      await client.query("rollback");
      const strong = rows.map(({ object, mode }) => `${/^\d+$/.test(object) ? "scratch" : object} ${modeOf(mode)}`);
      const planned = changesOf(text).map(({ object, lock }) => `${object} ${lock}`);
      if (text.startsWith("comment")) expect(planned).toEqual([]);
      else for (const each of planned) expect(strong, text).toContain(each);
      if (text.includes("references")) expect(planned).toHaveLength(2);
    }
    expect(changesOf("create table mine (id integer); create index on mine (id); do $$ drop table other $$")).toEqual([
      { object: "mine", lock: null },
      { object: "do ''", lock: "unknown" },
    ]);
  },
);

verifies(
  "operations.migrations.plan",
  "muster migrate --dry-run prints what would change, changes nothing, and exits with 5, later with 0",
  async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const muster = (...args: string[]) =>
      runMuster(["migrate", ...args], { env: { DATABASE_URL: database.url, ENCRYPTION_KEY }, cwd: tmpdir() });
    expect(await muster("--dry-run")).toMatchObject({ code: 0, stdout: "The schema is up to date.\n" });
    await sql(database.url, "drop index runs_agent_duration_idx");
    await sql(database.url, "delete from schema_migrations where version = 76");
    await sql(database.url, "update instance_settings set value = '' where key = 'schema_routines_checksum'");
    const planned = await muster("--dry-run");
    expect(planned).toMatchObject({ code: 5, stdout: expect.stringMatching(/0076-\S+ +whole +runs +SHARE\n/) });
    expect(planned.stdout).toContain("Functions, triggers and views are replaced");
    expect(JSON.parse((await muster("--dry-run", "--json")).stdout)).toEqual({
      migrations: [{ name: "0076-agent-durations.sql", manner: "whole", changes: [{ object: "runs", lock: "SHARE" }] }],
      routines: true,
    });
    expect(await sql(database.url, "select from schema_migrations where version = 76")).toEqual([]);
    expect(await muster()).toMatchObject({ code: 0, stdout: "Applied 0076-agent-durations.sql.\n" });
    expect(await muster("--dry-run")).toMatchObject({ code: 0 });
  },
);

/** As PostgreSQL's manual writes it: `AccessExclusiveLock` is ACCESS EXCLUSIVE. */
function modeOf(mode: string): string {
  return mode
    .replace(/Lock$/, "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toUpperCase();
}
