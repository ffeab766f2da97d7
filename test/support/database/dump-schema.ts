import { sql } from "../workspace.ts";

const SCHEMAS = "(select oid from pg_namespace where nspname in ('public', 'table_api'))";

/** Privileges other than the owner's, as grants: `who` is null for PUBLIC. */
const grantsOf = (acl: string, kind: string, object: string) => `
  (select string_agg(format('grant %s on ${kind} %s to %s;', privileges, ${object}, grantee), E'\\n' order by grantee)
   from (
     select coalesce(r.rolname, 'public') as grantee, string_agg(lower(x.privilege_type), ', ' order by x.privilege_type) as privileges
     from aclexplode(${acl}) x left join pg_roles r on r.oid = x.grantee
     where x.grantee <> x.grantor group by 1) g)`;

const TYPES = `
  select format(E'create type %s as (\\n%s\\n);', t.oid::regtype, string_agg(
    format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n' order by a.attnum)) as text
  from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c' join pg_attribute a on a.attrelid = c.oid
  where t.typnamespace in ${SCHEMAS} group by t.oid order by t.oid::regtype::text`;

const COLUMNS = `
  select string_agg(format('  %I %s', a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    case when a.attstorage <> t.typstorage then 'storage ' || a.attstorage::text end,
    case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
    case when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
      when a.attidentity <> '' then 'generated as identity'
      when d.oid is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
    case when a.attnotnull then 'not null' end)), E',\\n' order by a.attnum)
  from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const CONSTRAINTS = `
  select string_agg(format('  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n' order by k.contype = 'p' desc, k.conname)
  from pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't')`;

const INDEXES = `
  select string_agg(pg_get_indexdef(i.indexrelid) || ';', E'\\n' order by i.indexrelid::regclass::text)
  from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;

const POLICIES = `
  select string_agg(concat_ws(' ', format('create policy %I on %s', p.polname, c.oid::regclass),
    case when not p.polpermissive then 'as restrictive' end,
    case p.polcmd when 'r' then 'for select' when 'a' then 'for insert' when 'w' then 'for update' when 'd' then 'for delete' end,
    'to ' || nullif((select string_agg(r.rolname, ', ' order by r.rolname) from pg_roles r where r.oid = any (p.polroles)), ''),
    format('using (%s)', pg_get_expr(p.polqual, p.polrelid)),
    'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') || ';', E'\\n' order by p.polname)
  from pg_policy p where p.polrelid = c.oid`;

const TRIGGERS = `
  select string_agg(pg_get_triggerdef(g.oid, true) || ';', E'\\n' order by g.tgname)
  from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal`;

const COLUMN_GRANTS = `
  select string_agg(format('grant %s (%s) on %s to %s;', privilege, names, c.oid::regclass, grantee), E'\\n' order by grantee, privilege)
  from (
    select coalesce(r.rolname, 'public') as grantee, lower(x.privilege_type) as privilege, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as names
    from pg_attribute a cross join aclexplode(a.attacl) x left join pg_roles r on r.oid = x.grantee
    where a.attrelid = c.oid and x.grantee <> x.grantor group by 1, 2) g`;

const TABLES = `
  select concat_ws(E'\\n', format(E'create table %s (\\n%s\\n)%s%s;', c.oid::regclass, concat_ws(E',\\n', (${COLUMNS}), (${CONSTRAINTS})),
      ' partition by ' || lower(pg_get_partkeydef(c.oid)), ' with (' || array_to_string(c.reloptions, ', ') || ')'),
    (${INDEXES}),
    case when c.relrowsecurity then format('alter table %s enable row level security;', c.oid::regclass) end,
    case when c.relforcerowsecurity then format('alter table %s force row level security;', c.oid::regclass) end,
    (${POLICIES}), (${TRIGGERS}), ${grantsOf("c.relacl", "table", "c.oid::regclass")}, (${COLUMN_GRANTS})) as text
  from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace in ${SCHEMAS} order by c.oid::regclass::text`;

const VIEWS = `
  select concat_ws(E'\\n', format(E'create view %s%s as\\n%s', c.oid::regclass, ' with (' || array_to_string(c.reloptions, ', ') || ')',
    pg_get_viewdef(c.oid, true)), (${TRIGGERS}), ${grantsOf("c.relacl", "table", "c.oid::regclass")}, (${COLUMN_GRANTS})) as text
  from pg_class c where c.relkind in ('v', 'm') and c.relnamespace in ${SCHEMAS} order by c.oid::regclass::text`;

const FUNCTIONS = `
  select concat_ws(E'\\n', rtrim(pg_get_functiondef(p.oid), E'\\n') || ';',
    case when not exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0)
      then format('revoke execute on function %s from public;', p.oid::regprocedure) end,
    ${grantsOf("p.proacl", "function", "p.oid::regprocedure")}) as text
  from pg_proc p
  where p.pronamespace in ${SCHEMAS} and p.prokind = 'f'
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.oid::regprocedure::text`;

const RIGHTS = `
  select concat_ws(E'\\n', ${grantsOf("n.nspacl", "schema", "n.nspname")}) as text
  from pg_namespace n where n.oid in ${SCHEMAS} order by n.nspname`;

/** The whole schema of a database as statements, in an order that does not depend on how it came to be. */
export async function dumpSchema(databaseUrl: string): Promise<string> {
  const parts: string[] = [];
  for (const query of [RIGHTS, TYPES, TABLES, VIEWS, FUNCTIONS]) {
    const rows = await sql<{ text: string }>(databaseUrl, query);
    parts.push(...rows.map(({ text }) => text).filter((text) => text !== ""));
  }
  return `${parts.join("\n\n")}\n`;
}
