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
// The others end with their runs: a reply to an old message still finds its conversation.
const DELETE_OLD_MESSAGES = statement({
  name: "delete-old-channel-messages",
  text: `
    with old as (
      select m.id from channel_messages m
      where m.created_at < clock_timestamp() - interval '30 days' and m.task_id is null limit $1
    )
    delete from channel_messages m using old where m.id = old.id returning m.id`,
});
const DELETE_OLD_PACES = statement({
  name: "delete-old-receiver-paces",
  text: `delete from receiver_paces p where not is_paced(p)`,
});

/**
 * Deletes up to `limit` deliveries older than 30 days, with their snapshots, as many messages of channels that no run
 * answers, and the receivers that are no longer paced; returns the number.
 */
export async function deleteOldDeliveries(db: Database, limit: number): Promise<number> {
  await db.query(DELETE_OLD_PACES);
  const [deliveries, events] = [await db.query(DELETE_OLD, [limit]), await db.query(DELETE_OLD_EVENTS, [limit])];
  const messages = await db.query(DELETE_OLD_MESSAGES, [limit]);
  return Math.max(deliveries.length, events.length, messages.length);
}
