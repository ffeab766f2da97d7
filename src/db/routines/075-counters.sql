-- Counters by hour: functions, triggers and views.

-- The bucket of a duration: four for each doubling of the milliseconds. So a bucket's middle is within 10 % of each of
-- its durations.
create or replace function duration_bucket(duration interval) returns smallint
  language sql immutable parallel safe
  return case when duration is null then -1
    else floor(4 * ln(greatest(1, extract(epoch from duration) * 1000)::double precision) / ln(2::double precision))
  end::smallint;

-- Records the end of an attempt after its log is closed. The run's row then contains the outcome. The trigger
-- attempt_ended, which runs first by its name, has written the error code there. A run of a task's team is part of the
-- task.
create or replace function record_run_end() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into run_ends
  select t.id, t.attempt, t.workspace_id, t.assigned_agent_id, t.assigned_team_id,
    date_trunc('hour', t.completed_at, 'UTC'), t.status,
    case t.status when 'failed' then coalesce(t.error_code, '') else '' end,
    duration_bucket(t.completed_at - t.started_at)
  from tasks t
  where t.id = new.log_id and t.attempt = new.attempt and t.status in ('completed', 'failed', 'cancelled')
  on conflict do nothing;
  if found then return null; end if;
  insert into run_ends
  select r.id, r.attempt, r.workspace_id, null, r.team_id, date_trunc('hour', r.completed_at, 'UTC'), r.status,
    case r.status when 'failed' then coalesce(r.error_code, '') else '' end,
    duration_bucket(r.completed_at - r.started_at)
  from team_runs r
  where r.id = new.log_id and r.attempt = new.attempt and r.task_id is null
    and r.status in ('completed', 'failed', 'cancelled')
  on conflict do nothing;
  return null;
end $$;
revoke execute on function record_run_end from public;

create or replace trigger attempt_ended_recorded after update of closed on task_streams
  for each row when (new.closed and not old.closed) execute function record_run_end();

-- Adds up to `max` ends to the counters, and returns their number. Only the process that holds the lock does this. So
-- counters are never locked in two orders, and ends need no lock. The transaction that counts an end deletes it.
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
  counted_up as (
    insert into run_hours as h
    select t.workspace_id, s.subject_id, t.hour, t.status, t.error_code, t.duration_bucket, count(*)
    from taken t
    cross join lateral (values (t.workspace_id), (t.agent_id), (t.team_id)) as s (subject_id)
    where s.subject_id is not null
    group by 1, 2, 3, 4, 5, 6
    on conflict (workspace_id, subject_id, hour, status, error_code, duration_bucket)
      do update set runs = h.runs + excluded.runs
  )
  select count(*) into counted from taken;
  return counted;
end $$;
revoke execute on function count_run_ends from public;

-- Sums up the usage of full hours that ended over an hour ago, up to a day of them. Returns whether there were any. No
-- statement that records usage runs nearly as long, so these hours are complete. Usage is never changed.
create or replace function sum_usage_hours() returns boolean language plpgsql as $$
declare
  since timestamptz;
  before timestamptz;
begin
  if not exists (select from usage_sums where until < clock_timestamp() - interval '2 hours') then return false; end if;
  select until into since from usage_sums for update skip locked;
  before := least(date_trunc('hour', clock_timestamp() - interval '1 hour', 'UTC'), since + interval '1 day');
  if since is null or before <= since then return false; end if;
  insert into usage_hours (workspace_id, hour, agent_id, team_id, provider, model, calls, prompt_tokens,
    completion_tokens, cost_usd, cached_tokens, cache_write_tokens, reasoning_tokens, interrupted_calls,
    worst_case_tokens, worst_case_cost_usd)
  select u.workspace_id, date_trunc('hour', u.created_at, 'UTC'), u.agent_id, u.team_id, u.provider, u.model,
    count(*) filter (where not u.interrupted), sum(u.prompt_tokens), sum(u.completion_tokens),
    sum(u.estimated_cost_usd), sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.reasoning_tokens),
    count(*) filter (where u.interrupted), sum(u.worst_case_tokens), sum(u.worst_case_cost_usd)
  from usage_records u where u.created_at >= since and u.created_at < before
  group by 1, 2, 3, 4, 5, 6;
  update usage_sums set until = before;
  return true;
end $$;
revoke execute on function sum_usage_hours from public;

-- The ends of attempts by hour, counted or not counted yet, for the workspace, its agents and its teams.
create or replace view runs_by_hour with (security_invoker = true) as
  select workspace_id, subject_id, hour, status, error_code, duration_bucket, runs from run_hours
  union all
  select e.workspace_id, s.subject_id, e.hour, e.status, e.error_code, e.duration_bucket, 1
  from run_ends e cross join lateral (values (e.workspace_id), (e.agent_id), (e.team_id)) as s (subject_id)
  where s.subject_id is not null;
grant select on runs_by_hour to muster_viewer;

-- Usage by hour, summed up or not summed up yet.
create or replace view usage_by_hour with (security_invoker = true) as
  select workspace_id, hour, agent_id, team_id, provider, model, calls, prompt_tokens, completion_tokens, cost_usd,
    cached_tokens, cache_write_tokens, reasoning_tokens, interrupted_calls, worst_case_tokens, worst_case_cost_usd
  from usage_hours
  union all
  select workspace_id, date_trunc('hour', created_at, 'UTC'), agent_id, team_id, provider, model,
    (not interrupted)::integer::bigint, prompt_tokens::bigint, completion_tokens::bigint, estimated_cost_usd,
    cached_tokens::bigint, cache_write_tokens::bigint, reasoning_tokens::bigint, interrupted::integer::bigint,
    worst_case_tokens::bigint, worst_case_cost_usd
  from usage_records where created_at >= (select until from usage_sums);
grant select on usage_by_hour to muster_viewer;

-- Deletes counters with their workspace, as the owner.
create or replace function delete_workspace_counters() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from run_ends where workspace_id = old.id;
  delete from run_hours where workspace_id = old.id;
  delete from usage_hours where workspace_id = old.id;
  return null;
end $$;
revoke execute on function delete_workspace_counters from public;

create or replace trigger workspace_deleted_counters
  after delete on workspaces for each row execute function delete_workspace_counters();
