import type { Database } from "../../database.ts";
import { APPLICATION_NAME } from "../../pool.ts";

// Notices of what is committed already: that they survive a crash is not worth a flush of the disk.
const NOTIFY = {
  name: "notify-processes",
  text: `
    select set_config('synchronous_commit', 'off', true), pg_notify(n.channel, n.payload)
    from unnest($1::text[], $2::text[]) n (channel, payload)`,
};

/** A notification of one process to another, over the channel that has its name. */
export interface Notice {
  readonly processName: string;
  readonly payload: string;
}

/** Sends notifications to other processes, all in one statement. */
export async function notifyProcesses(db: Database, notices: readonly Notice[]): Promise<void> {
  const values = [notices.map(({ processName }) => processName), notices.map(({ payload }) => payload)];
  await db.query(NOTIFY, values);
}

/** Tells all processes that this one has followers of these logs; each payload is a list of their ids. */
export async function announceFollowers(db: Database, payloads: readonly string[]): Promise<void> {
  const values = [payloads.map(() => "muster_follow"), payloads.map((payload) => `${APPLICATION_NAME}\n${payload}`)];
  await db.query(NOTIFY, values);
}
