import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const ROLES = statement({
  name: "doctor-roles",
  text: `
    select r.rolname::text as name, r.rolname = 'muster_requests_' || d.oid as "isOfRequests",
      r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as "isPrivileged"
    from pg_roles r join pg_database d on d.datname = current_database()
    where r.rolname in ('muster_viewer', 'muster_app', 'muster_admin', 'muster_reach_viewer', 'muster_reach_app', 'muster_requests_' || d.oid)`,
});

/** A role of requests. */
export interface RoleFacts {
  readonly name: string;
  /** Whether requests log in as this role; else it only holds rights. */
  readonly isOfRequests: boolean;
  readonly isPrivileged: boolean;
}

/** Reads the roles that isolate tenants, and the one of requests, as far as they exist. */
export function readRoles(db: Database): Promise<readonly RoleFacts[]> {
  return db.query<RoleFacts>(ROLES);
}

const FOREIGN_GRANTS = statement({
  name: "doctor-foreign-grants",
  text: `
    select distinct c.oid::regclass::text || ' to ' || coalesce(r.rolname, 'public') as name
    from pg_class c cross join lateral aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
    where c.relnamespace in ('public'::regnamespace, 'table_api'::regnamespace) and a.grantee <> c.relowner
      and coalesce(r.rolname, '') not in ('muster_viewer', 'muster_app', 'muster_admin', 'muster_reach_viewer', 'muster_reach_app')
    order by 1`,
});

/** Reads what others than the service's roles may do, such as `agents to public`. */
export async function readForeignGrants(db: Database): Promise<readonly string[]> {
  return (await db.query<{ name: string }>(FOREIGN_GRANTS)).map(({ name }) => name);
}

const MISSING_GRANTS = statement({
  name: "doctor-missing-grants",
  text: `
    select c.oid::regclass::text as name from pg_class c join pg_roles r on r.rolname = 'muster_viewer'
    where c.relnamespace = 'table_api'::regnamespace and not has_table_privilege(r.oid, c.oid, 'select')
    order by 1`,
});

/** Reads the views of the table API that requests cannot read. */
export async function readMissingGrants(db: Database): Promise<readonly string[]> {
  return (await db.query<{ name: string }>(MISSING_GRANTS)).map(({ name }) => name);
}

const UNPROTECTED = statement({
  name: "doctor-unprotected-tables",
  text: `
    select c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and (
      not c.relrowsecurity
      or exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive
        and coalesce(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), '')
          not like '%current_workspace_id()%'))
    order by 1`,
});

/** Reads the tables of tenants that row-level security does not isolate. A table without a policy shows nothing. */
export async function readUnprotectedTables(db: Database): Promise<readonly string[]> {
  return (await db.query<{ name: string }>(UNPROTECTED)).map(({ name }) => name);
}
