import type { PlanLimits } from "#domain/access/plan.ts";
import type { Database } from "../../database.ts";

/** Windows in which requests are counted: minutes and calendar months, both in UTC. */
export type Period = "minute" | "month";

/** Where requests are counted; a subject has a count of its own at each. */
export type Surface = "envelope" | "table" | "provider-test";

/** What is counted: the requests of a workspace or of a key at one surface, in windows of one kind. */
export interface Counted {
  readonly workspaceId: string;
  /** The workspace's id again, or that of a key or a person. */
  readonly subjectId: string;
  readonly surface: Surface;
  readonly period: Period;
}

/** What a window has granted. */
export interface Grant {
  /** When the window began, in Unix seconds by the database's clock. */
  readonly startsAt: number;
  /** When it ends. */
  readonly endsAt: number;
  /** Milliseconds until then, from some moment while the statement ran. */
  readonly msLeft: number;
  /** The window's limit as it is now. */
  readonly allowed: number;
  /** Permits granted in this window so far, these included. */
  readonly used: number;
  /** Permits granted now; fewer than wanted when the window has no more. */
  readonly granted: number;
}

/*
 * The time is the database's, so that processes whose clocks differ agree on the window. A statement
 * that waited for the row's lock may come from the minute before: it takes from the window that it
 * finds. A window further ahead than the next one was left by a clock that has been set back.
 */
const TAKE_PERMITS = {
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
};

/**
 * Takes permits from the current window of what is counted; with 0 wanted it only asks how it stands.
 * Undefined when there is no such workspace.
 */
export async function takePermits(
  db: Database,
  counted: Counted,
  request: { readonly wanted: number; readonly limits: PlanLimits },
): Promise<Grant | undefined> {
  const { workspaceId, subjectId, period, surface } = counted;
  const values = [workspaceId, subjectId, period, JSON.stringify(request.limits), request.wanted, surface];
  const [grant] = await db.query<Grant & Record<string, unknown>>(TAKE_PERMITS, values);
  return grant;
}

const GIVE_BACK = {
  name: "give-back-permits",
  text: `
    update request_counts set used = used - $5
    where workspace_id = $1 and subject_id = $2 and period = $3 and surface = $6
      and window_start = to_timestamp($4) and used >= $5`,
};

/** Gives unspent permits back to their window, if it still lasts. */
export async function giveBackPermits(
  db: Database,
  counted: Counted,
  permits: { readonly startsAt: number; readonly count: number },
): Promise<void> {
  const { workspaceId, subjectId, period, surface } = counted;
  await db.query(GIVE_BACK, [workspaceId, subjectId, period, permits.startsAt, permits.count, surface]);
}

const DELETE_OLD = {
  name: "delete-old-request-counts",
  text: `delete from request_counts where window_start < now() - interval '2 months'`,
};

/** Deletes the counts of keys and workspaces that have sent nothing for two months. */
export async function deleteOldRequestCounts(db: Database): Promise<void> {
  await db.query(DELETE_OLD);
}
