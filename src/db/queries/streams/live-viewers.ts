import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const ANNOUNCE = statement({
  name: "announce-live-viewers",
  text: `
    insert into live_viewers (workspace_id) select id from unnest($1::uuid[]) as w (id) order by id
    on conflict (workspace_id) do update set seen_at = excluded.seen_at`,
});

/** Registers viewers of these workspaces: changes are announced for the next 30 seconds. */
export async function announceLiveViewers(db: Database, workspaceIds: readonly string[]): Promise<void> {
  await db.query(ANNOUNCE, [workspaceIds]);
}

const DELETE_OLD = statement({
  name: "delete-old-live-viewers",
  text: `delete from live_viewers where seen_at < clock_timestamp() - interval '1 minute'`,
});

/** Deletes workspaces without viewers. */
export async function deleteOldLiveViewers(db: Database): Promise<void> {
  await db.query(DELETE_OLD);
}
