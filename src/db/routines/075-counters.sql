-- Sums by hour and day: functions, triggers and views.

-- The bucket of a duration: four for each doubling of the milliseconds. So a bucket's middle is within 10 % of each of
-- its durations.
create or replace function duration_bucket(duration interval) returns smallint
  language sql immutable parallel safe
  return case when duration is null then -1
    else floor(4 * ln(greatest(1, extract(epoch from duration) * 1000)::double precision) / ln(2::double precision))
  end::smallint;

-- Records the end of an attempt. A run of a task's team is part of the task; a golden run says nothing of the agent's work.
create or replace function record_run_end() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into run_ends
  values (new.id, new.attempt, new.workspace_id, new.agent_id, new.team_id,
    date_trunc('hour', new.completed_at, 'UTC'), new.status,
    case new.status when 'failed' then coalesce(new.error_code, '') else '' end,
    duration_bucket(new.completed_at - new.started_at))
  on conflict do nothing;
  return null;
end $$;
revoke execute on function record_run_end from public;

create or replace trigger run_ended after update of status on runs for each row
  when (new.parent_id is null and new.source_kind <> 'golden' and new.status in ('completed', 'failed', 'cancelled')
    and new.status <> old.status)
  execute function record_run_end();

-- Adds two maps of counts by key.
create or replace function add_counts(a jsonb, b jsonb) returns jsonb
  language sql immutable parallel safe
  return case when a = '{}' then b when b = '{}' then a else (
    select jsonb_object_agg(e.key, e.runs) from (
      select key, sum(value::integer) as runs
      from (select * from jsonb_each(a) union all select * from jsonb_each(b)) each_count group by key
    ) e
  ) end;

-- Adds up to `max` ends to the sums, and returns their number. Only the process that holds the lock changes sums. So
-- they are never locked in two orders, and ends need no lock. The transaction that adds an end deletes it.
create or replace function count_run_ends(max integer) returns integer language plpgsql as $$
declare
  counted integer;
begin
  if not exists (select from run_ends) or not pg_try_advisory_xact_lock(hashtext('muster_counters')) then
    return 0;
  end if;
  with taken as (
    delete from run_ends e where e.ctid = any(array(select o.ctid from run_ends o limit max))
    returning e.*
  ),
  ends as (
    select t.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, t.hour, 'UTC') as start, t.status,
      t.error_code, t.duration_bucket, count(*) as runs
    from taken t
    cross join lateral (values (t.workspace_id), (t.agent_id), (t.team_id)) s (subject_id)
    cross join (values ('hour'), ('day')) b (bucket)
    where s.subject_id is not null
    group by 1, 2, 3, 4, 5, 6, 7
  ),
  counts as (
    select workspace_id, subject_id, bucket, start,
      coalesce(sum(runs) filter (where status = 'completed'), 0) as completed,
      coalesce(sum(runs) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(runs) filter (where status = 'cancelled'), 0) as cancelled
    from ends group by 1, 2, 3, 4
  ),
  durations as (
    select workspace_id, subject_id, bucket, start, jsonb_object_agg(duration_bucket, runs) as map
    from (
      select workspace_id, subject_id, bucket, start, duration_bucket, sum(runs) as runs from ends
      where status <> 'cancelled' and duration_bucket >= 0 group by 1, 2, 3, 4, 5
    ) d
    group by 1, 2, 3, 4
  ),
  codes as (
    select workspace_id, subject_id, bucket, start, jsonb_object_agg(error_code, runs) as map
    from (
      select workspace_id, subject_id, bucket, start, error_code, sum(runs) as runs from ends
      where error_code <> '' group by 1, 2, 3, 4, 5
    ) c
    group by 1, 2, 3, 4
  ),
  added as (
    insert into period_sums as p
    select workspace_id, subject_id, bucket, start, completed, failed, cancelled, coalesce(d.map, '{}'),
      coalesce(c.map, '{}'), 0, 0
    from counts
    left join durations d using (workspace_id, subject_id, bucket, start)
    left join codes c using (workspace_id, subject_id, bucket, start)
    on conflict (workspace_id, subject_id, bucket, start) do update set
      completed = p.completed + excluded.completed, failed = p.failed + excluded.failed,
      cancelled = p.cancelled + excluded.cancelled, durations = add_counts(p.durations, excluded.durations),
      error_codes = add_counts(p.error_codes, excluded.error_codes)
  ),
  totalled as (
    insert into run_totals as r
    select case when t.team_id is null then 'task' else 'team_run' end, t.status, t.error_code, count(*)
    from taken t group by 1, 2, 3
    on conflict (kind, status, error_code) do update set runs = r.runs + excluded.runs
  )
  select count(*) into counted from taken;
  return counted;
end $$;
revoke execute on function count_run_ends from public;

-- Adds the usage between two full hours to the sums: of one workspace, or of all.
create or replace function add_usage(since timestamptz, before timestamptz, workspace uuid default null) returns void
  language plpgsql as $$
begin
  insert into usage_days as d
  select u.workspace_id, (u.created_at at time zone 'UTC')::date, u.agent_id, u.team_id, u.provider, u.model,
    count(*) filter (where not u.interrupted), sum(u.prompt_tokens), sum(u.completion_tokens),
    sum(u.estimated_cost_usd), sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.reasoning_tokens),
    count(*) filter (where u.interrupted), sum(u.worst_case_tokens), sum(u.worst_case_cost_usd)
  from usage_records u where u.created_at >= since and u.created_at < before
    and (workspace is null or u.workspace_id = workspace)
  group by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, day, agent_id, team_id, provider, model) do update set
    calls = d.calls + excluded.calls, prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = d.completion_tokens + excluded.completion_tokens, cost_usd = d.cost_usd + excluded.cost_usd,
    cached_tokens = d.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = d.cache_write_tokens + excluded.cache_write_tokens,
    reasoning_tokens = d.reasoning_tokens + excluded.reasoning_tokens,
    interrupted_calls = d.interrupted_calls + excluded.interrupted_calls,
    worst_case_tokens = d.worst_case_tokens + excluded.worst_case_tokens,
    worst_case_cost_usd = d.worst_case_cost_usd + excluded.worst_case_cost_usd;
  insert into period_sums as p
  select u.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, u.created_at, 'UTC'), 0, 0, 0, '{}', '{}',
    sum(u.prompt_tokens + u.completion_tokens), sum(u.estimated_cost_usd)
  from usage_records u
  cross join lateral (values (u.workspace_id), (u.agent_id)) s (subject_id)
  cross join (values ('hour'), ('day')) b (bucket)
  where u.created_at >= since and u.created_at < before
    and (workspace is null or u.workspace_id = workspace) and s.subject_id is not null
  group by 1, 2, 3, 4
  on conflict (workspace_id, subject_id, bucket, start) do update set
    tokens = p.tokens + excluded.tokens, cost_usd = p.cost_usd + excluded.cost_usd;
end $$;
revoke execute on function add_usage from public;

-- Adds the usage of full hours that ended over an hour ago to the sums, up to a day of them. Returns whether there were
-- any. No statement that records usage runs nearly as long, so these hours are complete. Usage is never changed.
create or replace function sum_usage() returns boolean language plpgsql as $$
declare
  since timestamptz;
  before timestamptz;
begin
  if not exists (select from usage_sums where until < clock_timestamp() - interval '2 hours')
    or not pg_try_advisory_xact_lock(hashtext('muster_counters')) then
    return false;
  end if;
  select until into since from usage_sums for update;
  before := least(date_trunc('hour', clock_timestamp() - interval '1 hour', 'UTC'), since + interval '1 day');
  if before <= since then return false; end if;
  perform add_usage(since, before);
  update usage_sums set until = before;
  return true;
end $$;
revoke execute on function sum_usage from public;

-- What period_sums does not contain yet: a row for each end and each call, in its hour and its day.
create or replace view unsummed_periods with (security_invoker = true) as
  select e.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, e.hour, 'UTC') as start,
    (e.status = 'completed')::integer as completed, (e.status = 'failed')::integer as failed,
    (e.status = 'cancelled')::integer as cancelled,
    case when e.status <> 'cancelled' and e.duration_bucket >= 0 then jsonb_build_object(e.duration_bucket, 1)
      else '{}' end as durations,
    case when e.error_code <> '' then jsonb_build_object(e.error_code, 1) else '{}' end as error_codes,
    0::bigint as tokens, 0::numeric as cost_usd
  from run_ends e
  cross join lateral (values (e.workspace_id), (e.agent_id), (e.team_id)) s (subject_id)
  cross join (values ('hour'), ('day')) b (bucket)
  where s.subject_id is not null
  union all
  select u.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, u.created_at, 'UTC'), 0, 0, 0, '{}', '{}',
    u.prompt_tokens::bigint + u.completion_tokens, u.estimated_cost_usd
  from usage_records u
  cross join lateral (values (u.workspace_id), (u.agent_id)) s (subject_id)
  cross join (values ('hour'), ('day')) b (bucket)
  where u.created_at >= (select until from usage_sums) and s.subject_id is not null;
grant select on unsummed_periods to muster_viewer;

-- What ended and was used by hour and by day, summed up or not summed up yet. The rows of a period add up to its sum.
create or replace view period_totals with (security_invoker = true) as
  select workspace_id, subject_id, bucket, start, completed, failed, cancelled, durations, error_codes, tokens, cost_usd
  from period_sums
  union all
  select workspace_id, subject_id, bucket, start, completed, failed, cancelled, durations, error_codes, tokens, cost_usd
  from unsummed_periods;
grant select on period_totals to muster_viewer;

-- Divides the time between two hours into its whole days, and the hours before and after them.
create or replace function whole_periods(since timestamptz, before timestamptz)
  returns table (bucket text, since timestamptz, before timestamptz)
  language sql immutable parallel safe
  begin atomic
    select p.bucket, p.since, p.before
    from (
      select date_trunc('day', $1 + interval '1 day' - interval '1 microsecond', 'UTC') as first,
        date_trunc('day', $2, 'UTC') as last
    ) d
    cross join lateral (values
      ('day', d.first, d.last),
      ('hour', $1, least(d.first, $2)),
      ('hour', greatest(d.first, d.last), $2)
    ) p (bucket, since, before);
  end;

-- The rows whose sums are what some subjects of the current workspace did between two hours.
create or replace function subject_totals(subjects uuid[], since timestamptz, before timestamptz)
  returns table (subject_id uuid, completed integer, failed integer, cancelled integer, durations jsonb, tokens bigint,
    cost_usd numeric)
  language sql stable
  begin atomic
    select t.subject_id, t.completed, t.failed, t.cancelled, t.durations, t.tokens, t.cost_usd
    from whole_periods($2, $3) p
    join period_sums t on t.bucket = p.bucket and t.start >= p.since and t.start < p.before
    where t.workspace_id = current_workspace_id() and t.subject_id = any($1)
    union all
    select t.subject_id, t.completed, t.failed, t.cancelled, t.durations, t.tokens, t.cost_usd
    from unsummed_periods t
    where t.workspace_id = current_workspace_id() and t.subject_id = any($1) and t.bucket = 'hour'
      and t.start >= $2 and t.start < $3;
  end;

-- Usage by day, summed up or not summed up yet.
create or replace view usage_by_day with (security_invoker = true) as
  select workspace_id, day, agent_id, team_id, provider, model, calls, prompt_tokens, completion_tokens, cost_usd,
    cached_tokens, cache_write_tokens, reasoning_tokens, interrupted_calls, worst_case_tokens, worst_case_cost_usd
  from usage_days
  union all
  select workspace_id, (created_at at time zone 'UTC')::date, agent_id, team_id, provider, model,
    (not interrupted)::integer::bigint, prompt_tokens::bigint, completion_tokens::bigint, estimated_cost_usd,
    cached_tokens::bigint, cache_write_tokens::bigint, reasoning_tokens::bigint, interrupted::integer::bigint,
    worst_case_tokens::bigint, worst_case_cost_usd
  from usage_records where created_at >= (select until from usage_sums);
grant select on usage_by_day to muster_viewer;

-- Deletes sums with their workspace, as the owner.
create or replace function delete_workspace_counters() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from run_ends where workspace_id = old.id;
  delete from period_sums where workspace_id = old.id;
  delete from usage_days where workspace_id = old.id;
  return null;
end $$;
revoke execute on function delete_workspace_counters from public;

create or replace trigger workspace_deleted_counters
  after delete on workspaces for each row execute function delete_workspace_counters();
