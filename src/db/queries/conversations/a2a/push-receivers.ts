import type { Database } from "../../../database.ts";
import { statement } from "../../../statement.ts";

// The first delivery to a host becomes its prover. Another takes its place when it was deleted, or a minute after the
// last one has begun.
const CLAIM = statement({
  name: "claim-push-receiver",
  text: `
    insert into push_receivers as r (workspace_id, host, prover_id) values ($1, $2, $3)
    on conflict (workspace_id, host) do update set prover_id = excluded.prover_id, tried_at = clock_timestamp()
      where r.proven_at is null and (r.tried_at < clock_timestamp() - interval '1 minute'
        or not exists (select from deliveries d where d.id = r.prover_id))`,
});
const READ = statement({
  name: "read-push-receiver",
  text: `
    select r.proven_at is not null as "isProven", r.prover_id as "proverId",
      exists (select from deliveries d where d.id = r.prover_id and d.status = 'pending') as "isBeingProven"
    from push_receivers r where r.workspace_id = $1 and r.host = $2`,
});

/** A host that a workspace's push notifications go to. */
export interface PushReceiver {
  readonly workspaceId: string;
  readonly host: string;
}

/** What may be sent to a host: anything; this notification, to prove it; nothing yet; nothing, as it accepted none. */
export type PushAdmission = "proven" | "prover" | "wait" | "rejected";

/** Decides whether a delivery may be sent to a host that may not have accepted any before. */
export async function admitPush(db: Database, to: PushReceiver, deliveryId: string): Promise<PushAdmission> {
  if ((await readReceiver(db, to))?.isProven === true) return "proven";
  await db.query(CLAIM, [to.workspaceId, to.host, deliveryId]);
  const receiver = await readReceiver(db, to);
  if (receiver?.isProven === true) return "proven";
  if (receiver?.proverId === deliveryId) return "prover";
  return receiver?.isBeingProven === true ? "wait" : "rejected";
}

async function readReceiver(db: Database, { workspaceId, host }: PushReceiver): Promise<Receiver | undefined> {
  const [row] = await db.query<Receiver>(READ, [workspaceId, host]);
  return row;
}

interface Receiver {
  readonly isProven: boolean;
  readonly proverId: string;
  readonly isBeingProven: boolean;
}

const PROVE = statement({
  name: "prove-push-receiver",
  text: `update push_receivers set proven_at = clock_timestamp() where workspace_id = $1 and host = $2 and proven_at is null`,
});

/** Records that a host has accepted a notification. */
export async function provePushReceiver(db: Database, { workspaceId, host }: PushReceiver): Promise<void> {
  await db.query(PROVE, [workspaceId, host]);
}
