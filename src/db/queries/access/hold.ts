import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";
import { EXTEND_QUESTIONS } from "../runs/extend-questions.ts";

/** The setting of a restored copy that must not act yet; its value is the time of the backup. */
export const HELD_COPY = "held_copy";

const READ = statement({ name: "read-hold", text: `select value from instance_settings where key = '${HELD_COPY}'` });

/** Whether this database is a restored copy that was not released. */
export async function isHeldCopy(db: Queries): Promise<boolean> {
  return (await db.query(READ)).length === 1;
}

const RELEASE = statement({
  name: "release-hold",
  text: `
    with released as (
      delete from instance_settings where key = '${HELD_COPY}' returning value::timestamptz as since
    ),
    held as (select w.id as workspace_id, r.since from released r, workspaces w where w.held_at is null),
    ${EXTEND_QUESTIONS}
    select (select count(*) from shown)::integer as extended from released`,
});

/** Releases a restored copy, whose questions have as much time left as in the backup; false when it was not held. */
export async function releaseCopy(db: Queries): Promise<boolean> {
  return (await db.query(RELEASE)).length === 1;
}
