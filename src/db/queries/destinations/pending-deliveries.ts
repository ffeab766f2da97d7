import type { RouteKind } from "#domain/destinations/output-route.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-pending-deliveries",
  text: `
    select
      d.id, d.workspace_id as "workspaceId", d.attempt_count as "attemptCount",
      extract(epoch from clock_timestamp() - d.limited_since)::double precision * 1000 as "limitedForMs", d.type, d.route_id as "routeId",
      d.subscription_id as "subscriptionId", d.created_at as "createdAt", d.trace, d.closes, d.is_test as "isTest",
      e.event, e.task_id as "taskId", e.team_run_id as "teamRunId", e.attempt, e.title, e.worker, e.status as outcome,
      e.result, e.error, e.finish_reason as "finishReason", e.happened_at as "happenedAt",
      r.kind as "routeKind", r.config, r.secrets_ciphertext as "secretsCiphertext", r.retry_delays as "retryDelays",
      s.target_url as "targetUrl", s.secret_ciphertext as "secretCiphertext",
      case when s.previous_secret_until > clock_timestamp() then s.previous_secret_ciphertext end
        as "previousSecretCiphertext",
      (select m.card_id from card_mappings m
        where m.task_id = coalesce(e.task_id, (select t.parent_id from runs t where t.id = e.team_run_id)) limit 1)
        as "mappedCardId",
      (select json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'size', f.size,
          'direction', f.direction) order by f.direction, f.created_at, f.id)
        from files f
        where (f.task_id = e.task_id or f.run_id = e.team_run_id) and (f.direction = 'input' or f.attempt = e.attempt))
        as files
    from unnest($1::uuid[]) as i (id)
    cross join lateral (select * from deliveries d where d.id = i.id and d.status = 'pending' limit 1) d
    cross join lateral (select * from delivery_events e where e.id = d.event_id limit 1) e
    left join lateral (
      select r.kind, r.config, r.secrets_ciphertext, r.retry_delays from output_routes r
      where r.id = d.route_id and (r.is_active or d.is_test or d.redelivery_of is not null) limit 1) r on true
    left join lateral (select s.* from webhook_subscriptions s where s.id = d.subscription_id limit 1) s on true`,
});

/** An open delivery, with its content and the receiver's current settings. */
export interface PendingDelivery {
  readonly id: string;
  readonly workspaceId: string;
  /** The number of finished attempts. */
  readonly attemptCount: number;
  /** The time since the receiver first rejected it because of its rate limit; null when it did not. */
  readonly limitedForMs: number | null;
  /** The type of the route; `webhook` for a subscription. */
  readonly type: string;
  readonly routeId: string | null;
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
  /** The delivery whose message this one edits. */
  readonly closes: string | null;
  readonly isTest: boolean;
  /** As `readStoredTrace` reads it; null when its run is not traced. */
  readonly trace: string | null;
  readonly event: string;
  readonly taskId: string | null;
  readonly teamRunId: string | null;
  /** The id of the task or team run. */
  readonly attempt: number;
  readonly title: string;
  readonly worker: string;
  readonly outcome: string;
  readonly result: string;
  readonly error: string | null;
  /** Why the last reply ended; null after a complete one. */
  readonly finishReason: string | null;
  readonly happenedAt: Date;
  /** Null when the route was deleted or is inactive, or the receiver is a subscription. */
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly routeKind: RouteKind | null;
  readonly secretsCiphertext: string | null;
  readonly retryDelays: readonly number[] | null;
  /** Null when the subscription was deleted, or the receiver is a route. */
  readonly targetUrl: string | null;
  readonly secretCiphertext: string | null;
  /** The secret before the last rotation, while it is valid. */
  readonly previousSecretCiphertext: string | null;
  /** The Trello card that created the task. */
  readonly mappedCardId: string | null;
  /** Files of the task or team run: its attachments, and the outputs of its attempt. */
  readonly files: readonly DeliveredFile[] | null;
}

/** A file of a delivery's task or team run. */
export interface DeliveredFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly direction: string;
}

/** Reads deliveries in the order of the ids; undefined for one that has ended or was deleted. */
export async function readPendingDeliveries(
  db: Database,
  ids: readonly string[],
): Promise<(PendingDelivery | undefined)[]> {
  const rows = await db.query<PendingDelivery>(READ, [ids]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}
