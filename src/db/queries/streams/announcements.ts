import type { Database } from "../../database.ts";
import { APPLICATION_NAME } from "../../pool.ts";
import { statement } from "../../statement.ts";

// Announces data that is already committed, so the transaction need not wait for a disk flush.
const NOTIFY = statement({
  name: "notify-processes",
  text: `
    select set_config('synchronous_commit', 'off', true), pg_notify(n.channel, n.payload)
    from unnest($1::text[], $2::text[]) n (channel, payload)`,
});

/** A notification to another process, on the channel named after it. */
export interface Notice {
  readonly processName: string;
  readonly payload: string;
}

/** Sends notifications to other processes in one statement. */
export async function notifyProcesses(db: Database, notices: readonly Notice[]): Promise<void> {
  const values = [notices.map(({ processName }) => processName), notices.map(({ payload }) => payload)];
  await db.query(NOTIFY, values);
}

/** Notifies all processes that this one follows these logs; each payload is a list of log ids. */
export async function announceFollowers(db: Database, payloads: readonly string[]): Promise<void> {
  const values = [payloads.map(() => "muster_follow"), payloads.map((payload) => `${APPLICATION_NAME}\n${payload}`)];
  await db.query(NOTIFY, values);
}
