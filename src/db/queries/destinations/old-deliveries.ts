import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const DELETE_OLD = statement({
  name: "delete-old-deliveries",
  text: `
    with old as (select id from deliveries where created_at < clock_timestamp() - interval '30 days' limit $1),
    attempts as (delete from delivery_attempts a using old where a.delivery_id = old.id)
    delete from deliveries d using old where d.id = old.id returning d.id`,
});
const DELETE_OLD_EVENTS = statement({
  name: "delete-old-delivery-events",
  text: `
    with old as (
      select e.id from delivery_events e
      where e.created_at < clock_timestamp() - interval '30 days'
        and not exists (select from deliveries d where d.event_id = e.id) limit $1
    )
    delete from delivery_events e using old where e.id = old.id returning e.id`,
});
const DELETE_OLD_PACES = statement({
  name: "delete-old-receiver-paces",
  text: `delete from receiver_paces p where not is_paced(p)`,
});

/** Deletes up to `limit` deliveries older than 30 days, with their snapshots, and the receivers that are no longer paced; returns the number. */
export async function deleteOldDeliveries(db: Database, limit: number): Promise<number> {
  await db.query(DELETE_OLD_PACES);
  const [deliveries, events] = [await db.query(DELETE_OLD, [limit]), await db.query(DELETE_OLD_EVENTS, [limit])];
  return Math.max(deliveries.length, events.length);
}
