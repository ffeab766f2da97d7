import type { Logger } from "pino";
import type { Database } from "./database.ts";
import { statement } from "./statement.ts";

const INSTALL_HINT = "An administrator runs, in the database of Muster: CREATE EXTENSION vector;";

const OFFERED = statement({
  name: "read-offered-pgvector",
  text: `
    select installed_version is not null as "isInstalled"
    from pg_available_extensions where name = 'vector'`,
});
const CREATE = statement({ name: "create-pgvector", text: "create extension if not exists vector" });

// The first version with bit distances.
const SCHEMA = statement({
  name: "read-pgvector-schema",
  text: `
    select quote_ident(n.nspname) as schema
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector' and string_to_array(substring(e.extversion from '^\\d+\\.\\d+'), '.')::integer[] >= '{0,7}'
      and has_schema_privilege('muster_viewer', n.oid, 'usage')`,
});

/**
 * Creates the extension pgvector if the server has it and the role may. It makes vector searches faster and more exact,
 * but they work without it, so a failure only logs advice.
 */
export async function createPgvector(db: Database, log: Logger): Promise<void> {
  const [offered] = await db.query<{ isInstalled: boolean }>(OFFERED);
  if (offered === undefined || offered.isInstalled) return;
  try {
    await db.query(CREATE);
  } catch (error) {
    log.info({ err: error }, `the server has pgvector, but this role could not create it. ${INSTALL_HINT}`);
  }
}

/** Keyed by the object that a database and its joint transactions share. */
const schemas = new WeakMap<Database["query"], Promise<string | undefined>>();

/** The quoted schema of a usable pgvector (0.7 or newer); undefined if there is none. Looked up once per database. */
export function pgvectorSchema(db: Database): Promise<string | undefined> {
  const known = schemas.get(db.query);
  if (known !== undefined) return known;
  const asked = db.query<{ schema: string }>(SCHEMA).then(([row]) => row?.schema);
  schemas.set(db.query, asked);
  asked.catch(() => schemas.delete(db.query));
  return asked;
}
