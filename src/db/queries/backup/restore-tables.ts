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

/** The statements that drop and add a foreign key. */
export interface ReferenceStatements {
  readonly drop: string;
  readonly add: string;
}

/** The foreign keys of all tables. */
export function readReferences(client: Client): Promise<ReferenceStatements[]> {
  return rowsOnClient<ReferenceStatements>(client, READ_REFERENCES);
}
