import type { Client } from "pg";
import { rowsOfWorkspace, tenantRows, tenantTables } from "./tenant-tables.ts";
import type { TenantRows } from "./tenant-tables.ts";

/** The roles of requests, and those of keys that are limited to agents and teams. */
const ROLES = ["muster_viewer", "muster_app", "muster_admin"] as const;
const LIMITED_ROLES = ["muster_reach_viewer", "muster_reach_app"] as const;
/** Stored responses: encrypted, and found by a client's key and a hash of the caller and the request. */
const UNLIMITED = new Set(["idempotent_answers"]);
const INSUFFICIENT_PRIVILEGE = "42501";

/** What is asked of every table; each returns what was found, in words. */
export const TABLE_CHECKS = [
  { name: "tables without a workspace", find: seenWithoutWorkspace },
  { name: "tables of another workspace", find: seenOfAnother },
  { name: "writes to another workspace", find: writtenToAnother },
  { name: "tables of limited keys", find: seenByLimitedKeys },
] as const;

/** Two workspaces that were filled in the transaction of a connection, which nothing commits. */
export interface Sides {
  readonly client: Client;
  readonly own: TenantRows;
  readonly other: TenantRows;
  readonly tables: readonly string[];
}

/** Prepares the checks of two workspaces. */
export async function sidesOf(client: Client, own: string, other: string): Promise<Sides> {
  const tables = (await tenantTables(client)).filter(({ isView }) => !isView).map(({ name }) => name);
  return { client, own: await tenantRows(client, own), other: await tenantRows(client, other), tables };
}

async function seenWithoutWorkspace(sides: Sides): Promise<readonly string[]> {
  const { workspaceId } = sides.own;
  const people = `id in (select user_id from members where workspace_id = '${workspaceId}')`;
  const places = [
    ...sides.tables.map((table) => [table, rowsOfWorkspace(table, sides.own)] as const),
    ["workspaces", `id = '${workspaceId}'`],
    ["users", people],
  ] as const;
  return each(places, ROLES, async ([table, where], role) => {
    const seen = await rowsSeen(sides.client, { role }, `${table} where ${where}`);
    return seen > 0 ? `${role} sees rows of ${table}` : undefined;
  });
}

async function seenOfAnother(sides: Sides): Promise<readonly string[]> {
  const { client, own, other } = sides;
  return each(sides.tables, ROLES, async (table, role) => {
    const caller = { role, workspaceId: own.workspaceId, isMember: true };
    const foreign = await rowsSeen(client, caller, `${table} where ${rowsOfWorkspace(table, other)}`);
    if (foreign > 0) return `${role} sees rows of ${table}`;
    const mine = await attempt(client, caller, `select from ${table} where ${rowsOfWorkspace(table, own)}`);
    return mine.code === undefined && mine.rows === 0 ? `${role} does not see its own rows of ${table}` : undefined;
  });
}

async function writtenToAnother(sides: Sides): Promise<readonly string[]> {
  const { client, own, other } = sides;
  return each(sides.tables, [...ROLES, ...LIMITED_ROLES], async (table, role) => {
    const caller = { role, workspaceId: own.workspaceId };
    const [mine, theirs] = [own, other].map((side) => rowsOfWorkspace(table, side));
    const written: string[] = [];
    for (const [what, text] of [
      ["delete", `delete from ${table} where ${theirs}`],
      ["change", `update ${table} set workspace_id = workspace_id where ${theirs}`],
      ["add", await copyOf(client, table, theirs ?? "")],
      ["move", `update ${table} set workspace_id = '${other.workspaceId}' where ${mine}`],
      ...(role === "muster_viewer" ? ([["write", `delete from ${table} where ${mine}`]] as const) : []),
    ] as const) {
      const { rows, code } = await attempt(client, caller, text);
      const isRejected = code === INSUFFICIENT_PRIVILEGE || (code === undefined && rows === 0);
      if (!isRejected) written.push(what);
    }
    return written.length > 0 ? `${role} can ${written.join(", ")} rows of ${table}` : undefined;
  });
}

async function seenByLimitedKeys(sides: Sides): Promise<readonly string[]> {
  const { client, own, other } = sides;
  const tables = sides.tables.filter((table) => !UNLIMITED.has(table));
  return each(tables, LIMITED_ROLES, async (table, role) => {
    const where = `(${rowsOfWorkspace(table, own)}) or (${rowsOfWorkspace(table, other)})`;
    const seen = await rowsSeen(client, { role, workspaceId: own.workspaceId }, `${table} where ${where}`);
    return seen > 0 ? `${role} sees rows of ${table} without a reach` : undefined;
  });
}

/** A statement that adds a copy of a row of a table. */
async function copyOf(client: Client, table: string, where: string): Promise<string> {
  const { rows } = await client.query<{ columns: string; row: string }>(
    `select (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
       where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns,
     (select to_jsonb(t)::text from ${table} t where ${where} limit 1) as row`,
  );
  const [{ columns, row } = { columns: "", row: "" }] = rows;
  const values = `jsonb_populate_record(null::${table}, ${client.escapeLiteral(row)})`;
  return `insert into ${table} (${columns}) select ${columns} from ${values}`;
}

interface Caller {
  readonly role: string;
  readonly workspaceId?: string;
  /** Whether the caller is the workspace's first member. */
  readonly isMember?: boolean;
}

interface Attempt {
  readonly rows: number;
  /** Of PostgreSQL, if the statement failed. */
  readonly code?: string;
}

/** How many rows a role sees; none where it may not read. */
async function rowsSeen(client: Client, caller: Caller, from: string): Promise<number> {
  const { rows, code } = await attempt(client, caller, `select from ${from}`);
  if (code === undefined || code === INSUFFICIENT_PRIVILEGE) return rows;
  throw new Error(`A select from ${from} fails with ${code}.`);
}

/** Runs a statement as a role, in a workspace or in none, and takes it back; returns its rows, or its error. */
async function attempt(
  client: Client,
  { role, workspaceId, isMember = false }: Caller,
  text: string,
): Promise<Attempt> {
  const inWorkspace = workspaceId === undefined ? "" : `; set local muster.workspace_id = '${workspaceId}'`;
  const first = `select user_id::text from members where workspace_id = '${workspaceId}' order by user_id limit 1`;
  const asMember = isMember ? `select set_config('muster.user_id', (${first}), true);` : "";
  await client.query(`savepoint attempt; ${asMember} set local role ${role}${inWorkspace}`);
  try {
    return { rows: (await client.query(text)).rowCount ?? 0 };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { rows: 0, code: String(error.code) };
  } finally {
    await client.query("rollback to savepoint attempt; release savepoint attempt");
  }
}

async function each<T, R>(
  things: readonly T[],
  roles: readonly R[],
  find: (thing: T, role: R) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const thing of things) {
    for (const role of roles) {
      const fault = await find(thing, role);
      if (fault !== undefined) found.push(fault);
    }
  }
  return found;
}
