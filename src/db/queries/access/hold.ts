import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The setting of a restored copy that must not act yet; its value is the time of the backup. */
export const HELD_COPY = "held_copy";

const READ = statement({ name: "read-hold", text: `select value from instance_settings where key = '${HELD_COPY}'` });

/** Whether this database is a restored copy that was not released. */
export async function isHeldCopy(db: Queries): Promise<boolean> {
  return (await db.query(READ)).length === 1;
}

const RELEASE = statement({
  name: "release-hold",
  text: `delete from instance_settings where key = '${HELD_COPY}' returning key`,
});

/** Releases a restored copy; false when it was not held. */
export async function releaseCopy(db: Queries): Promise<boolean> {
  return (await db.query(RELEASE)).length === 1;
}
