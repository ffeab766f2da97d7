import type { LocatedKind } from "#domain/access/located.ts";
import { isUuid } from "#lib/ids.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const LOCATE = statement({
  name: "locate-record",
  text: `
    select w.id as workspace_id, w.slug as workspace_slug, found.kind
    from (
      select case kind when 'task' then 'task' else 'run' end as kind, workspace_id from runs where id = $2
      union all select 'agent', workspace_id from agents where id = $2
      union all select 'team', workspace_id from teams where id = $2
      union all select 'knowledge_base', workspace_id from knowledge_bases where id = $2
      union all select 'document', workspace_id from knowledge_documents where id = $2
      union all select 'file', workspace_id from files where id = $2
      union all select 'schedule', workspace_id from schedules where id = $2
      union all select 'trigger', workspace_id from triggers where id = $2
      union all select 'workspace', id from workspaces where id = $2
      union all select 'workspace', workspace_id from workspace_slugs where slug = $3
    ) found
    join members m on m.workspace_id = found.workspace_id and m.user_id = $1
    join workspaces w on w.id = found.workspace_id
    limit 1`,
});

/** The location of a record. */
export interface Located {
  readonly workspace_id: string;
  readonly workspace_slug: string;
  readonly kind: LocatedKind;
}

/**
 * Finds a record in a person's workspaces; undefined when none has it.
 * @param idOrSlug the record's id, or a workspace's current or earlier slug
 */
export async function locateRecord(db: Database, userId: string, idOrSlug: string): Promise<Located | undefined> {
  const values = [userId, isUuid(idOrSlug) ? idOrSlug : null, idOrSlug];
  return (await db.query<Located>(LOCATE, values))[0];
}
