import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { Client } from "pg";
import type { Database, Transaction } from "./database.ts";
import { named } from "./pool.ts";
import { rowsOnClient } from "./rows-on-client.ts";
import { statement } from "./statement.ts";

/** The roles with the rights of requests; the login role of requests is a member of exactly these. */
export const TENANT_ROLES = [
  "muster_viewer",
  "muster_app",
  "muster_admin",
  "muster_reach_viewer",
  "muster_reach_app",
] as const;

const CONNECT_MS = 10_000;
/** As PostgreSQL does it itself (https://www.postgresql.org/docs/current/catalog-pg-authid.html). */
const SCRAM_ITERATIONS = 4_096;
const SALT_BYTES = 16;
const SHA256_BYTES = 32;

/** Trigger functions run regardless of execute rights, so no role needs to call them. */
const REVOKE_FROM_PUBLIC = `
  do $$
  declare
    trigger_function regprocedure;
  begin
    for trigger_function in
      select p.oid from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype
        and p.proowner = (select oid from pg_roles where rolname = current_user) and has_function_privilege('public', p.oid, 'execute')
    loop
      execute format('revoke execute on function %s from public', trigger_function);
    end loop;
    if has_database_privilege('public', current_database(), 'temporary') then
      execute format('revoke temporary on database %I from public', current_database());
    end if;
  end
  $$`;

const FIND = statement({
  name: "find-request-role",
  text: `
    select 'muster_requests_' || d.oid as name, quote_ident(d.datname) as database, r.oid is not null as "exists"
    from pg_database d left join pg_roles r on r.rolname = 'muster_requests_' || d.oid
    where d.datname = current_database()`,
});

const INSPECT = statement({
  name: "inspect-role",
  text: `
    select r.rolname as name,
      r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as "isPrivileged",
      exists (select from pg_class where relnamespace = 'public'::regnamespace and relowner = r.oid) as "isOwner",
      array(select g.rolname::text from pg_roles g where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'member')) as "memberOf"
    from pg_roles r where r.rolname = session_user`,
});

interface InspectedRole {
  readonly name: string;
  readonly isPrivileged: boolean;
  readonly isOwner: boolean;
  readonly memberOf: readonly string[];
}

/** The excess and missing rights of a connection's role. */
export interface RoleFinding {
  readonly name: string;
  /** In words for the operator, such as `is a superuser`. */
  readonly excess: readonly string[];
  /** Those among {@link TENANT_ROLES} without its membership. */
  readonly missing: readonly string[];
}

/**
 * Revokes from all roles what no request needs: temporary tables, and execution of trigger functions. Runs after
 * migrations, so that it applies to their additions.
 */
export async function revokeFromPublic(db: Database): Promise<void> {
  await db.transaction((tx) => tx.queryOnce({ text: REVOKE_FROM_PUBLIC, values: [], timeoutMs: CONNECT_MS }));
}

/**
 * Creates the login role for this database's requests, or sets its password. It owns nothing and is a member of {@link
 * TENANT_ROLES} only, so a statement of a request never has the service's rights.
 * @param passwordOf returns the password of the role with this name, in the same transaction
 * @returns the role's name
 * @throws DatabaseError 42501 when the service's role may not create roles
 */
export async function prepareRequestRole(
  db: Database,
  passwordOf: (tx: Transaction, name: string) => Promise<string>,
): Promise<string> {
  return db.transaction(async (tx) => {
    const run = (text: string) => tx.queryOnce({ text, values: [], timeoutMs: CONNECT_MS });
    const [found] = await tx.query<{ name: string; database: string; exists: boolean }>(FIND);
    if (found === undefined) throw new Error("A session has a database.");
    const { name, database, exists } = found;
    // A verifier instead of the password, because the server's log might show the statement.
    const verifier = scramVerifier(await passwordOf(tx, name));
    await run(
      exists
        ? `alter role ${name} password '${verifier}'`
        : `create role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole noinherit password '${verifier}'`,
    );
    await run(`grant ${TENANT_ROLES.join(", ")} to ${name}`);
    await run(`grant connect on database ${database} to ${name}`);
    return name;
  });
}

/** Connects and reads the rights of the connection's role. @throws Error when the connection fails */
export async function inspectRole(url: string): Promise<RoleFinding> {
  const client = new Client({
    connectionString: named(url),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const [row] = await rowsOnClient<InspectedRole>(client, INSPECT);
    if (row === undefined) throw new Error("A session has a role.");
    const known = new Set<string>(TENANT_ROLES);
    const others = row.memberOf.filter((role) => !known.has(role));
    const excess = [
      ...(row.isPrivileged ? ["is a superuser or has another right beyond LOGIN"] : []),
      ...(row.isOwner ? ["owns tables"] : []),
      // A superuser counts as a member of all roles.
      ...(others.length > 0 && !row.isPrivileged ? [`is a member of ${others.join(", ")}`] : []),
    ];
    return { name: row.name, excess, missing: TENANT_ROLES.filter((role) => !row.memberOf.includes(role)) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The form in which PostgreSQL stores a password (RFC 5803). */
function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, SHA256_BYTES, "sha256");
  const stored = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const server = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString("base64")}$${stored}:${server}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
