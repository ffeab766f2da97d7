import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const EXPECTED = join(import.meta.dirname, "../../gen/rights.sql");

const RIGHTS = statement({
  name: "doctor-rights",
  text: `
    with ours as (
      select oid, rolname from pg_roles where rolname in
        ('muster_viewer', 'muster_app', 'muster_admin', 'muster_reach_viewer', 'muster_reach_app')
    ),
    classes as (
      select c.* from pg_class c where c.relnamespace in ('public'::regnamespace, 'table_api'::regnamespace)
        and c.relkind in ('r', 'p', 'v', 'm', 'S')
    )
    select format('grant %s on %s to %s', lower(x.privilege_type), c.oid::regclass, o.rolname) as line
    from classes c cross join lateral aclexplode(c.relacl) x join ours o on o.oid = x.grantee
    union all
    select format('grant %s (%s) on %s to %s', lower(x.privilege_type), a.attname, c.oid::regclass, o.rolname)
    from classes c join pg_attribute a on a.attrelid = c.oid cross join lateral aclexplode(a.attacl) x
    join ours o on o.oid = x.grantee
    union all
    select format('grant %s on function %s to %s', lower(x.privilege_type), p.oid::regprocedure, o.rolname)
    from pg_proc p cross join lateral aclexplode(p.proacl) x join ours o on o.oid = x.grantee
    where p.pronamespace in ('public'::regnamespace, 'table_api'::regnamespace)`,
});

/** Reads what the roles of requests may do with tables, columns and functions: `grant select on agents to muster_viewer`. */
export async function readRights(db: Queries): Promise<readonly string[]> {
  return (await db.query<{ line: string | null }>(RIGHTS)).map(({ line }) => line ?? "").toSorted();
}

/** The same of a sound database of this version. */
export async function expectedRights(): Promise<readonly string[]> {
  return (await readFile(EXPECTED, "utf8")).trimEnd().split("\n");
}

const OPEN_VIEWS = statement({
  name: "doctor-open-views",
  text: `
    select c.relname::text as name from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'table_api'::regnamespace) and c.relkind in ('v', 'm')
      and not coalesce(c.reloptions @> array['security_invoker=true'], false) and c.relname <> 'marketplace_agents'
    order by 1`,
});

/** Reads the views that do not show their callers what the tables would show them; one shows what agents publish. */
export async function readOpenViews(db: Queries): Promise<readonly string[]> {
  return (await db.query<{ name: string }>(OPEN_VIEWS)).map(({ name }) => name);
}
