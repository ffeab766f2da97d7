import type { Client } from "pg";
import { statement } from "../../statement.ts";
import { rowsOnClient } from "../../rows-on-client.ts";

const READ_REFERENCES = statement({
  name: "read-references",
  text: `
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "add"
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by oid`,
});
const READ_INDEXES = statement({
  name: "read-plain-indexes",
  text: `
    select format('drop index %s', indexrelid::regclass) as "drop", pg_get_indexdef(indexrelid) as "add"
    from pg_index
    where indrelid in (
      select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition)
      and not exists (select from pg_constraint c where c.conindid = indexrelid and c.contype in ('p', 'u', 'x'))
    order by indexrelid`,
});

/** The statements that drop something and add it again. */
export interface Rebuilt {
  readonly drop: string;
  readonly add: string;
}

/** The foreign keys of all tables. */
export function readReferences(client: Client): Promise<Rebuilt[]> {
  return rowsOnClient<Rebuilt>(client, READ_REFERENCES);
}

/** The indexes of all tables, but for those of constraints and of partitions. */
export function readIndexes(client: Client): Promise<Rebuilt[]> {
  return rowsOnClient<Rebuilt>(client, READ_INDEXES);
}
