import type { PlanLimits } from "#domain/access/plan.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The windows of request counts: minutes and calendar months, both in UTC. */
export type Period = "minute" | "month";

/** The surfaces where requests are counted; each has its own count per subject. `shared`: all without their own. */
export type Surface = "envelope" | "shared" | "table" | "provider-test";

/** The identity of a count: the requests of a workspace or key at one surface, in windows of one kind. */
export interface Counted {
  readonly workspaceId: string;
  /** The workspace's id, or that of a key or person. */
  readonly subjectId: string;
  readonly surface: Surface;
  readonly period: Period;
}

/** The permits granted by a window. */
export interface Grant {
  /** The beginning of the window, in Unix seconds by the database's clock. */
  readonly startsAt: number;
  /** The end of the window. */
  readonly endsAt: number;
  /** Milliseconds until the end, measured while the statement ran. */
  readonly msLeft: number;
  /** The window's current limit. */
  readonly allowed: number;
  /** Permits granted in this window so far, including these. */
  readonly used: number;
  /** Permits granted by this call; fewer than requested when the window is used up. */
  readonly granted: number;
}

/*
 * Uses the database's clock, so that all processes agree on the window. A statement that waited for the row's lock may
 * come from the previous minute: it then uses the stored window. A window further ahead than the next one was left by a
 * clock that has been set back.
 */
const TAKE_PERMITS = statement({
  name: "take-permits",
  text: `
    insert into request_counts as c (workspace_id, subject_id, period, surface, window_start, allowed, used, granted)
    select w.id, $2, $3::text, $6, date_trunc($3::text, clock_timestamp(), 'UTC'), l.allowed, g.granted, g.granted
    from workspaces w
    cross join lateral (select ($4::json ->> w.plan)::integer as allowed) l
    cross join lateral (select permits_granted(l.allowed, 0, $5) as granted) g
    where w.id = $1
    on conflict (workspace_id, subject_id, surface, period) do update set
      (window_start, allowed, used, granted) = (
        select n.window_start, excluded.allowed, n.used + g.granted, g.granted
        from (
          select
            case when kept then c.window_start else excluded.window_start end as window_start,
            case when kept then c.used else 0 end as used
          from (
            select c.window_start between excluded.window_start and window_end(excluded.window_start, c.period)
              as kept
          ) k
        ) n
        cross join lateral (select permits_granted(excluded.allowed, n.used, $5) as granted) g
      )
    returning
      extract(epoch from window_start)::double precision as "startsAt",
      extract(epoch from window_end(window_start, period))::double precision as "endsAt",
      extract(epoch from window_end(window_start, period) - clock_timestamp())::double precision * 1000 as "msLeft",
      allowed, used, granted`,
});

/**
 * Takes permits from the current window of a count; with 0 it only reads the state. Returns undefined when the
 * workspace does not exist.
 */
export async function takePermits(
  db: Database,
  counted: Counted,
  request: { readonly wanted: number; readonly limits: PlanLimits },
): Promise<Grant | undefined> {
  const { workspaceId, subjectId, period, surface } = counted;
  const values = [workspaceId, subjectId, period, JSON.stringify(request.limits), request.wanted, surface];
  const [grant] = await db.query<Grant>(TAKE_PERMITS, values);
  return grant;
}

const GIVE_BACK = statement({
  name: "return-permits",
  text: `
    update request_counts set used = used - $5
    where workspace_id = $1 and subject_id = $2 and period = $3 and surface = $6
      and window_start = to_timestamp($4) and used >= $5`,
});

/** Returns unused permits to their window, if it has not ended. */
export async function returnPermits(
  db: Database,
  counted: Counted,
  permits: { readonly startsAt: number; readonly count: number },
): Promise<void> {
  const { workspaceId, subjectId, period, surface } = counted;
  await db.query(GIVE_BACK, [workspaceId, subjectId, period, permits.startsAt, permits.count, surface]);
}

const DELETE_OLD = statement({
  name: "delete-old-request-counts",
  text: `delete from request_counts where window_start < now() - interval '2 months'`,
});

/** Deletes the counts of keys and workspaces without requests for two months. */
export async function deleteOldRequestCounts(db: Database): Promise<void> {
  await db.query(DELETE_OLD);
}
