import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const ANNOUNCE = statement({
  name: "announce-client-cancel",
  text: "select pg_notify('muster_client_cancel', $1 || ' ' || current_setting('application_name'))",
});

/** Notifies the other processes that a client has cancelled the call with this name. */
export async function announceClientCancel(db: Database, name: string): Promise<void> {
  await db.query(ANNOUNCE, [name]);
}
