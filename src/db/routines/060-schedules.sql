-- Schedules and triggers: functions, triggers and views.

create or replace view schedule_records with (security_invoker = true) as
  select
    s.id, s.workspace_id, s.name, s.cron, s.time_zone, s.missed, s.overlap, s.is_active,
    s.assigned_agent_id, s.assigned_team_id, s.title, s.description, s.priority, s.metadata,
    (select coalesce(json_agg(iso(t.at) order by t.at), '[]') from unnest(s.next_times) as t (at)) as next_times,
    iso(s.last_fired_at) as last_fired_at, s.last_task_id,
    s.created_by, iso(s.created_at) as created_at, iso(s.updated_at) as updated_at
  from schedules s;
grant select on schedule_records to muster_viewer;

create or replace view schedule_fire_records with (security_invoker = true) as
  select
    f.id, f.schedule_id, f.outcome, iso(f.scheduled_at) as scheduled_at, f.ticks, f.task_id,
    iso(f.created_at) as created_at,
    round(extract(epoch from f.created_at - f.scheduled_at) * 1000)::bigint as late_ms
  from schedule_fires f;
grant select on schedule_fire_records to muster_viewer;

create or replace view trigger_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.name, t.token_prefix, t.has_secret, t.is_active,
    t.assigned_agent_id, t.assigned_team_id, t.title, t.description, t.priority, t.metadata,
    t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at,
    last.outcome as last_outcome, iso(last.created_at) as last_delivery_at, t.reject_repeats
  from triggers t
  left join lateral (
    select d.outcome, d.created_at from trigger_deliveries d where d.trigger_id = t.id
    order by d.created_at desc limit 1
  ) last on true;
grant select on trigger_records to muster_viewer;

create or replace view trigger_delivery_records with (security_invoker = true) as
  select
    d.id, d.trigger_id, d.outcome, d.reason, d.delivery_key, d.bytes, d.task_id, iso(d.created_at) as created_at
  from trigger_deliveries d;
grant select on trigger_delivery_records to muster_viewer;

-- A workspace has few schedules, so this counts their rows. The lock serializes the transactions of a workspace.
create or replace function limit_schedules() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  quota workspace_quotas;
begin
  if is_moving() then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('muster.schedules.' || new.workspace_id, 0));
  select * into quota from workspace_quotas q where q.workspace_id = new.workspace_id;
  if (select count(*) from (
    select from schedules s where s.workspace_id = new.workspace_id limit quota.max_schedules + 1
  ) counted) > quota.max_schedules then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s %s, which this would exceed. Delete one, or ask the operator for a larger plan.',
      quota.plan, quota.max_schedules, case quota.max_schedules when 1 then 'schedule' else 'schedules' end);
  end if;
  return null;
end $$;

create or replace trigger schedules_limit after insert on schedules for each row execute function limit_schedules();
