import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { columnsOf, connectionFor, quoted } from "../backup/snapshot.ts";
import type { BackupTable } from "../queries/backup/backup-tables.ts";
import { PEOPLE, readMoveTables } from "./move-tables.ts";
import { findArrival, moveIn } from "./move-in.ts";
import type { Arrival, MoveIn } from "./move-in.ts";

/** Somebody of the moving workspace, and the account here. */
export interface MovedPerson {
  readonly old_id: string;
  readonly new_id: string;
  readonly email: string;
  readonly is_new: boolean;
  readonly is_program: boolean;
}

/** A workspace that moves in, in a schema of its own that nobody else sees, until it is complete. */
export interface Staging {
  readonly tables: readonly BackupTable[];
  /** Whether a part was staged before. */
  has(part: string): boolean;
  /** Stages a part of a table's rows, as COPY reads them; committed before it resolves. */
  add(part: string, table: BackupTable, rows: Buffer): Promise<void>;
  /** Decides once which account each person has here; call it when the people are staged. */
  people(): Promise<MovedPerson[]>;
  /** Moves all in, in one transaction. @throws MoveInError */
  moveIn(arrival: MoveIn): Promise<Arrival>;
  /** Forgets what was staged. */
  drop(): Promise<void>;
}

/** Another process stages the same workspace. */
export class StagingInUseError extends Error {
  override readonly name = "StagingInUseError";
}

/**
 * Runs a function with the staging of a workspace. What was staged of the same export before is kept; what was staged of
 * another one is dropped. Its tables are not logged: after a crash of the database they are empty, and staged again. When
 * this export has moved in before, returns that.
 * @param source identifies the export
 * @throws StagingInUseError; MoveInError when the workspace is here, from somewhere else
 */
export async function withStaging<T>(
  url: string,
  { workspaceId, source }: { readonly workspaceId: string; readonly source: string },
  run: (staging: Staging) => Promise<T>,
): Promise<T | Arrival> {
  return locked(url, workspaceId, async (client) => {
    const arrived = await findArrival(client, { workspaceId, source });
    return arrived ?? (await run(await openStaging(client, { schema: schemaOf(workspaceId), source })));
  });
}

/** Drops what was staged of a workspace; false when there is nothing. @throws StagingInUseError */
export async function dropStaging(url: string, workspaceId: string): Promise<boolean> {
  return locked(url, workspaceId, async (client) => {
    const schema = schemaOf(workspaceId);
    const { rowCount } = await client.query("select from pg_namespace where nspname = $1", [schema]);
    await client.query(`drop schema if exists ${schema} cascade`);
    return rowCount === 1;
  });
}

async function locked<T>(url: string, workspaceId: string, run: (client: Client) => Promise<T>): Promise<T> {
  const client = connectionFor(url);
  await client.connect();
  try {
    const lock = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('muster.move ' || $1, 0)) as locked",
      [workspaceId],
    );
    if (lock.rows[0]?.locked !== true) throw new StagingInUseError();
    return await run(client);
  } finally {
    await client.end();
  }
}

function schemaOf(workspaceId: string): string {
  return `move_${workspaceId.replaceAll("-", "")}`;
}

async function openStaging(client: Client, { schema, source }: { readonly schema: string; readonly source: string }) {
  const tables = await readMoveTables(client);
  const known = await readSource(client, schema);
  if (known !== source) await create(client, { schema, source, tables });
  const { rows } = await client.query<{ name: string }>(`select name from ${schema}.move_parts`);
  const parts = new Set(rows.map(({ name }) => name));
  const drop = async () => void (await client.query(`drop schema if exists ${schema} cascade`));
  return {
    tables,
    has: (part: string) => parts.has(part),
    async add(part: string, table: BackupTable, content: Buffer) {
      await client.query("begin");
      try {
        await copyInto(client, `${schema}.${quoted(table.name)} (${columnsOf(table)})`, content);
        await client.query(`insert into ${schema}.move_parts (name) values ($1)`, [part]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      }
      parts.add(part);
    },
    people: () => decidePeople(client, schema),
    moveIn: (arrival: MoveIn) => moveIn(client, { schema, tables }, arrival),
    drop,
  } satisfies Staging;
}

/** What the schema was made for; undefined when there is none, or after a crash of the database. */
async function readSource(client: Client, schema: string): Promise<string | undefined> {
  const exists = await client.query<{ made: string | null }>("select to_regclass($1)::text as made", [
    `${schema}.move_source`,
  ]);
  if (exists.rows[0]?.made == null) return undefined;
  return (await client.query<{ source: string }>(`select source from ${schema}.move_source`)).rows[0]?.source;
}

async function create(
  client: Client,
  {
    schema,
    source,
    tables,
  }: { readonly schema: string; readonly source: string; readonly tables: readonly BackupTable[] },
): Promise<void> {
  await client.query("begin");
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`create schema ${schema}`);
  for (const table of tables) {
    const name = quoted(table.name);
    await client.query(
      `create unlogged table ${schema}.${name} as select ${columnsOf(table)} from public.${name} with no data`,
    );
  }
  await client.query(`create unlogged table ${schema}.move_parts (name text primary key)`);
  await client.query(
    `create unlogged table ${schema}.move_people (old_id uuid, new_id uuid, email text, is_new boolean, is_program boolean)`,
  );
  await client.query(`create unlogged table ${schema}.move_source as select $1::text as source`, [source]);
  await client.query("commit");
}

async function copyInto(client: Client, target: string, content: Buffer): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  const done = finished(stream);
  done.catch(() => undefined);
  if (!stream.write(content)) await Promise.race([once(stream, "drain"), done]);
  stream.end();
  await done;
}

/** An account with the same proved address is the person's; an id that somebody else has here is replaced. */
async function decidePeople(client: Client, schema: string): Promise<MovedPerson[]> {
  const read = () => client.query<MovedPerson>(`select * from ${schema}.move_people order by email, old_id`);
  const known = await read();
  if (known.rows.length > 0) return known.rows;
  await client.query(
    `insert into ${schema}.move_people
     select s.id, coalesce(u.id, case when o.id is null then s.id else gen_random_uuid() end), s.email, u.id is null,
       s.email like '%@service-accounts.invalid'
     from ${schema}.${PEOPLE} s
     left join public.users u on s.email_proved and u.email_proved and lower(u.email) = lower(s.email)
     left join public.users o on o.id = s.id and u.id is null`,
  );
  return (await read()).rows;
}
