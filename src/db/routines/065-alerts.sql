-- Alerts: functions, triggers and views.

-- target_name: of the agent, the team or the watched route; null for the workspace. route_name: null as well when the
-- destination was deleted.
create or replace view alert_records with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.kind, a.threshold, a.window_minutes, a.min_runs,
    a.agent_id, a.team_id, a.watched_route_id,
    coalesce(
      (select g.name from agents g where g.id = a.agent_id),
      (select t.name from teams t where t.id = a.team_id),
      (select o.name from output_routes o where o.id = a.watched_route_id)) as target_name,
    a.route_id, (select o.name from output_routes o where o.id = a.route_id) as route_name,
    a.is_enabled, a.state, iso(a.since) as since, a.last_value, iso(a.last_checked_at) as last_checked_at,
    a.created_by, iso(a.created_at) as created_at, iso(a.updated_at) as updated_at
  from alerts a;
grant select on alert_records to muster_viewer;

-- A workspace has few alerts, so this counts their rows, as limit_schedules() does.
create or replace function limit_alerts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  quota workspace_quotas;
begin
  if is_moving() then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('muster.alerts.' || new.workspace_id, 0));
  select * into quota from workspace_quotas q where q.workspace_id = new.workspace_id;
  if (select count(*) from (
    select from alerts a where a.workspace_id = new.workspace_id limit quota.max_alerts + 1
  ) counted) > quota.max_alerts then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s %s, which this would exceed. Delete one, or ask the operator for a larger plan.',
      quota.plan, quota.max_alerts, case quota.max_alerts when 1 then 'alert' else 'alerts' end);
  end if;
  return null;
end $$;

create or replace trigger alerts_limit after insert on alerts for each row execute function limit_alerts();
