import type { Logger } from "pino";
import type { Database } from "./database.ts";

const HOW = "An administrator runs, in the database of Muster: CREATE EXTENSION vector;";

const OFFERED = {
  name: "read-offered-pgvector",
  text: `
    select installed_version is not null as "isInstalled"
    from pg_available_extensions where name = 'vector'`,
};
const CREATE = { name: "create-pgvector", text: "create extension if not exists vector" };

// The first version with distances of bits.
const SCHEMA = {
  name: "read-pgvector-schema",
  text: `
    select quote_ident(n.nspname) as schema
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector' and string_to_array(substring(e.extversion from '^\\d+\\.\\d+'), '.')::integer[] >= '{0,7}'
      and has_schema_privilege('muster_viewer', n.oid, 'usage')`,
};

/**
 * Creates the extension pgvector in the database, where the server has it and the role may: searches by meaning are
 * then quicker and more exact. They work without it too, so where that fails, the log has advice and no more happens.
 */
export async function createPgvector(db: Database, log: Logger): Promise<void> {
  const [offered] = await db.query<{ isInstalled: boolean }>(OFFERED);
  if (offered === undefined || offered.isInstalled) return;
  try {
    await db.query(CREATE);
  } catch (error) {
    log.info({ err: error }, `the server has pgvector, but this role could not create it. ${HOW}`);
  }
}

/** By the one thing that a database and those bound to its transactions share. */
const schemas = new WeakMap<Database["query"], Promise<string | undefined>>();

/**
 * The schema, quoted, in which the database has a pgvector that searches can use (0.7 or newer); undefined where it has
 * none. Looked up once in the life of a database.
 */
export function pgvectorSchema(db: Database): Promise<string | undefined> {
  const known = schemas.get(db.query);
  if (known !== undefined) return known;
  const asked = db.query<{ schema: string }>(SCHEMA).then(([row]) => row?.schema);
  schemas.set(db.query, asked);
  asked.catch(() => schemas.delete(db.query));
  return asked;
}
