-- A delivery is a job: what claims, leases, fences and delays the attempts of tasks does the same for those of
-- deliveries. Until now deliveries had a claim of their own.

-- Like UUID version 7: what is created later is greater, and close to it in an index.
create function time_ordered_id() returns uuid language sql volatile parallel safe
  return overlay(replace(gen_random_uuid()::text, '-', '')
    placing lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' from 1 for 13)::uuid;

-- receiver: of a delivery, the host and the id of its route or subscription; null for all other kinds.
-- lane: the part of a kind's queue in which jobs are claimed in order, and have slots of their own: the receiver, or
-- the workspace. So one receiver that does not reply holds up no other.
alter table jobs
  add column receiver text collate "C",
  add column lane text collate "C" not null generated always as (coalesce(receiver, workspace_id::text)) stored;
drop index jobs_queue_idx;
create index jobs_queue_idx on jobs (kind, lane, priority, id)
  where state = 'queued' and run_at is null and crash_count = 0;

-- next_attempt_at is only shown from now on: the job's run_at decides.
drop index deliveries_due_idx;
alter table deliveries drop column claims;
alter table deliveries alter column id set default time_ordered_id();

-- As the owner of the tables: whoever ends a task needs no rights on them. The process that has created deliveries is
-- notified of their lanes; without a free slot it notifies the others.
create function enqueue_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  lanes text;
begin
  with queued as (
    insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, receiver, input)
    select d.id, d.workspace_id, 'delivery', d.id, 1, priority_number('medium'), 'queued', d.host || '/' || d.target_id,
      '{}'
    from inserted d where d.status = 'pending'
    returning lane
  )
  select string_agg(distinct lane, ' ') into lanes from queued;
  -- A longer notification is an error. The keeper's poll finds what is not announced.
  perform pg_notify('muster_deliveries', current_setting('application_name') || ' ' || left(lanes, 7000));
  return null;
end $$;
revoke execute on function enqueue_deliveries from public;
create trigger delivery_jobs after insert on deliveries referencing new table as inserted
  for each statement execute function enqueue_deliveries();
create trigger delivery_jobs_end after delete on deliveries for each row when (old.status = 'pending')
  execute function delete_jobs();

insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, run_at, receiver, input)
select id, workspace_id, 'delivery', id, 1, priority_number('medium'), 'queued', next_attempt_at, host || '/' || target_id,
  '{}'
from deliveries where status = 'pending';

create or replace function record_deliveries(
  happened delivery_events, agent_id uuid, team_id uuid, goes_to_routes boolean, route_ids uuid[]
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with targets as (
    select r.id as route_id, null::uuid as subscription_id, r.name, r.type, r.host
    from output_routes r
    where goes_to_routes and r.workspace_id = happened.workspace_id and r.is_active and happened.event = any (r.events)
      and (route_ids is null or r.id = any (route_ids))
    union all
    select null, s.id, s.target_url, 'webhook', coalesce(substring(s.target_url from '^[a-z]+://([^/?#]+)'), '')
    from webhook_subscriptions s
    where s.workspace_id = happened.workspace_id and s.is_active and s.event = replace(happened.event, '.', '_')
      and (s.agent_id is null or s.agent_id = record_deliveries.agent_id)
      and (s.team_id is null or s.team_id = record_deliveries.team_id)
  ),
  stored as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      error, happened_at)
    select happened.id, happened.workspace_id, happened.event, happened.task_id, happened.team_run_id, happened.attempt,
      happened.title, happened.worker, happened.status, happened.result, happened.error, happened.happened_at
    where exists (select from targets)
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name,
    type, host)
  select happened.workspace_id, happened.id, happened.event, happened.task_id, happened.team_run_id, t.route_id,
    t.subscription_id, t.name, t.type, t.host
  from targets t;
end $$;
