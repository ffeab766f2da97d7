import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { readReferences } from "#db/queries/backup/restore-tables.ts";

const DB = join(import.meta.dirname, "../../../src/db");
/** A fixture is used as if its process had been killed so long ago. */
const AGO = "5 minutes";

/** The columns of each table, without generated ones. */
const READ_TABLES = `
  select c.relname::text as name,
    json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, null)) order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.relname order by c.relname`;
const table = z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) });
type Table = z.output<typeof table>;

/** Created by the program before its first migration. */
const SCHEMA_MIGRATIONS = `
  create table schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`;
const migration = z.looseObject({ name: z.string() });

/** Texts to replace, with their replacements. */
type Replacements = Readonly<Record<string, string>>;

/**
 * Saves a database in a folder: `rows.jsonl` has the time and then its rows, one a line; `routines.sql` its functions,
 * triggers and views.
 */
export async function saveFixture(url: string, folder: string, replacements: Replacements): Promise<void> {
  const lines = await withClient(url, async (client) => {
    const { rows: times } = await client.query<{ now: string }>("select now()::text as now");
    const saved = times.map(({ now }) => now);
    for (const { name, columns } of await readTables(client)) {
      const names = columns.map((column) => column.name).join(", ");
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(r)::text as row from (select ${names} from public.${name}) r order by 1`,
      );
      saved.push(...rows.map(({ row }) => `${name} ${row}`));
    }
    return saved;
  });
  await writeFile(join(folder, "rows.jsonl"), `${replaced(lines.join("\n"), replacements)}\n`);
  const routines = globSync("routines/*.sql", { cwd: DB }).toSorted();
  const texts = await Promise.all(routines.map((file) => readFile(join(DB, file), "utf8")));
  await writeFile(join(folder, "routines.sql"), texts.join("\n"));
}

/**
 * Turns an empty database into a saved one, as its process left it minutes ago. The migrations are those of today up to
 * the saved version: they must be what they were, which the program checks at its start.
 */
export async function loadFixture(url: string, folder: string, replacements: Replacements): Promise<void> {
  const text = replaced(await readFile(join(folder, "rows.jsonl"), "utf8"), replacements);
  const [savedAt = "", ...lines] = text.trimEnd().split("\n");
  const rowsOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  await withClient(url, async (client) => {
    await client.query(SCHEMA_MIGRATIONS);
    for (const row of rowsOf("schema_migrations")) {
      const { name } = migration.parse(JSON.parse(row));
      await client.query(await readFile(join(DB, "migrations", name), "utf8"));
    }
    const references = await readReferences(client);
    for (const { drop } of references) await client.query(drop);
    for (const each of await readTables(client)) {
      await client.query(`delete from public.${each.name}`);
      for (const row of rowsOf(each.name)) await client.query(insertInto(each), [row, savedAt]);
    }
    for (const { add } of references) await client.query(add);
    await client.query(await readFile(join(folder, "routines.sql"), "utf8"));
  });
}

/** Inserts a row with all of its times moved on. */
function insertInto({ name, columns }: Table): string {
  const values = columns.map((column) =>
    column.type === "timestamp with time zone"
      ? `r.${column.name} + (now() - interval '${AGO}' - $2::timestamptz)`
      : `r.${column.name}`,
  );
  return `insert into public.${name} (${columns.map((column) => column.name).join(", ")})
    select ${values.join(", ")} from json_populate_record(null::public.${name}, $1) r where $2::text is not null`;
}

async function readTables(client: Client): Promise<Table[]> {
  return z.array(table).parse((await client.query(READ_TABLES)).rows);
}

function replaced(text: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((all, [from, to]) => all.replaceAll(from, to), text);
}

async function withClient<T>(url: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
