import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

// A trigger creates the jobs of the inserted deliveries.
const INSERT_TEST = statement({
  name: "insert-test-delivery",
  text: `
    with route as (
      select id, name, type, host, case kind when 'people' then 'question.asked' else 'task.completed' end as event
      from output_routes where id = $4
    ),
    happened as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select $1, $3, event, 1, 'Test delivery', 'Test', 'completed',
        'This is a test of the output route "' || name || '". No task has run.', clock_timestamp()
      from route
      returning id
    )
    insert into deliveries (id, workspace_id, event_id, event, route_id, target_name, type, host, is_test)
    select $2, $3, happened.id, route.event, route.id, route.name, route.type, route.host, true
    from route, happened
    returning id`,
});

/** Inserts a test delivery for a route of the workspace; returns false when there is no such route. */
export async function insertTestDelivery(
  tx: Transaction,
  test: {
    readonly eventId: string;
    readonly deliveryId: string;
    readonly workspaceId: string;
    readonly routeId: string;
  },
): Promise<boolean> {
  const rows = await tx.query(INSERT_TEST, [test.eventId, test.deliveryId, test.workspaceId, test.routeId]);
  return rows.length === 1;
}

const COPY = `closes, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name, type, host, is_test`;

const INSERT_AGAIN = statement({
  name: "insert-redelivery",
  text: `
    insert into deliveries (id, workspace_id, redelivery_of, ${COPY})
    select $1, workspace_id, id, ${COPY} from deliveries where id = $2
    returning id`,
});

/** Inserts a redelivery of another delivery's content; returns false when there is no such delivery. */
export async function insertRedelivery(
  tx: Transaction,
  { id, deliveryId }: { readonly id: string; readonly deliveryId: string },
): Promise<boolean> {
  const rows = await tx.query(INSERT_AGAIN, [id, deliveryId]);
  return rows.length === 1;
}

const INSERT_ALL_AGAIN = statement({
  name: "insert-redeliveries",
  text: `
    insert into deliveries (workspace_id, redelivery_of, ${COPY})
    select workspace_id, id, ${COPY} from deliveries d
    where d.workspace_id = $1 and d.status = 'failed' and d.created_at >= $2 and ($3::uuid is null or d.route_id = $3)
      and not exists (select from deliveries again where again.redelivery_of = d.id)
    order by d.created_at limit 10000
    returning id`,
});

/** Redelivers all failed deliveries since a time that were not redelivered yet, at most 10,000; returns the number. */
export async function insertRedeliveries(
  tx: Transaction,
  workspaceId: string,
  { since, routeId }: { readonly since: string; readonly routeId?: string | undefined },
): Promise<number> {
  const rows = await tx.query(INSERT_ALL_AGAIN, [workspaceId, since, routeId ?? null]);
  return rows.length;
}

// Reads each target's last deliveries by index; the limit is far above any plan's quota of targets.
const HEALTH = statement({
  name: "delivery-health",
  text: `
    select coalesce(string_agg(json_build_object('target_id', target.id, 'recent', recent.list)::text, ','), '') as health
    from (
      select id from output_routes where workspace_id = $1
      union all select id from webhook_subscriptions where workspace_id = $1 limit 10000
    ) target
    cross join lateral (
      select coalesce(json_agg(last.status order by last.created_at desc, last.id desc), '[]') as list
      from (
        select d.id, d.status, d.created_at from deliveries d where d.target_id = target.id
        order by d.created_at desc, d.id desc limit 50
      ) last
    ) recent`,
});

/** Reads the status of the last 50 deliveries of each output route and webhook subscription, newest first, separated by commas. */
export async function readDeliveryHealth(db: WorkspaceDatabase): Promise<JsonText> {
  const [row] = await db.query<{ health: JsonText }>(HEALTH, [db.who.workspaceId]);
  if (row === undefined) throw new Error("An aggregate gives one row.");
  return row.health;
}
