import type { TenantsQuery } from "#domain/access/instance.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

// Each workspace costs some rows of sums by their keys. The calls of the current hour, which are not summed up yet, and the
// jobs are read once.
const LIST = statement({
  name: "list-tenants",
  text: `
    with load as (
      select workspace_id, count(*) filter (where state = 'running')::integer as running,
        count(*) filter (where state = 'queued')::integer as waiting
      from jobs where kind in ('task', 'team_run') group by workspace_id
    ),
    recent as (
      select workspace_id, sum(estimated_cost_usd) as cost_usd from usage_records
      where created_at >= (select until from usage_sums) group by workspace_id
    ),
    page as (
      select w.id, w.slug, w.name, w.plan, w.created_at, w.held_at,
        coalesce(l.running, 0) as running, coalesce(l.waiting, 0) as waiting,
        coalesce(d.completed + d.failed + d.cancelled, 0) as runs, coalesce(d.failed, 0) as failed,
        coalesce(d.error_codes, '{}') as error_codes, coalesce(r.cost_usd, 0) as recent,
        coalesce(d.cost_usd, 0) + coalesce(r.cost_usd, 0) as cost_usd, coalesce(s.stored_bytes, 0) as stored_bytes
      from workspaces w
      left join load l on l.workspace_id = w.id
      left join recent r on r.workspace_id = w.id
      left join period_sums d on d.workspace_id = w.id and d.subject_id = w.id and d.bucket = 'day'
        and d.start = date_trunc('day', now(), 'UTC')
      left join stored_totals s on s.workspace_id = w.id
      where w.deleted_at is null
      order by case $1
        when 'load' then coalesce(l.running + l.waiting, 0)
        when 'cost' then coalesce(d.cost_usd, 0) + coalesce(r.cost_usd, 0)
        when 'storage' then coalesce(s.stored_bytes, 0)
        when 'failures' then coalesce(d.failed, 0)
        else extract(epoch from w.created_at) end desc, w.id
      limit $2 offset $3
    )
    select p.id, p.slug, p.name, p.plan, iso(p.created_at) as created_at, iso(p.held_at) as held_at,
      p.running, p.waiting, coalesce(h.completed + h.failed + h.cancelled, 0) as runs_this_hour, p.runs as runs_today,
      p.failed as failed_today, p.error_codes as errors_today, p.cost_usd::double precision as cost_today_usd,
      (p.recent + coalesce(m.cost_usd, 0))::double precision as cost_this_month_usd,
      q.records::double precision as records, q.stored_bytes::double precision as stored_bytes
    from page p
    join workspace_quotas q on q.workspace_id = p.id
    left join period_sums h on h.workspace_id = p.id and h.subject_id = p.id and h.bucket = 'hour'
      and h.start = date_trunc('hour', now(), 'UTC')
    cross join lateral (
      select sum(cost_usd) as cost_usd from period_sums m where m.workspace_id = p.id and m.subject_id = p.id
        and m.bucket = 'day' and m.start >= date_trunc('month', now(), 'UTC')) m
    order by case $1
      when 'load' then p.running + p.waiting
      when 'cost' then p.cost_usd
      when 'storage' then p.stored_bytes
      when 'failures' then p.failed
      else extract(epoch from p.created_at) end desc, p.id`,
});

/** A workspace as the operator sees it: figures, and nothing of its contents. Hours, days and months are in UTC. */
export interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly created_at: string;
  readonly held_at: string | null;
  readonly running: number;
  readonly waiting: number;
  readonly runs_this_hour: number | null;
  readonly runs_today: number | null;
  readonly failed_today: number | null;
  /** The failed runs of today by error code. */
  readonly errors_today: Readonly<Record<string, number>> | null;
  readonly cost_today_usd: number | null;
  readonly cost_this_month_usd: number | null;
  readonly records: number | null;
  readonly stored_bytes: number | null;
}

/** Reads a page of all workspaces with their figures. */
export function listTenants(
  db: Queries,
  { order, limit, offset }: Pick<TenantsQuery, "order" | "limit"> & { readonly offset: number },
): Promise<Tenant[]> {
  return db.query<Tenant>(LIST, [order, limit, offset]);
}
