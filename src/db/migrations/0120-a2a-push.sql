-- A2A push notifications: a delivery for each change of a task that has push configurations, written in the
-- transaction that makes the change. Its receiver, in subscription_id, is the configuration.

-- version: of A2A, in whose shapes the configuration's notifications are.
alter table push_configs add column version text not null default '0.3' check (version in ('0.3', '1.0'));
alter table push_configs alter column version drop default;
grant select (version) on push_configs to muster_viewer;

-- Writes the deliveries of a task's state to one of its configurations, or to all when none is named.
create function record_push_deliveries(task tasks, config_id uuid)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_event uuid := gen_random_uuid();
  event_name text := 'task.' || case task.status when 'running' then 'started' else task.status end;
begin
  insert into delivery_events (id, workspace_id, event, task_id, attempt, title, worker, status, result, error,
    happened_at)
  values (new_event, task.workspace_id, event_name, task.id, task.attempt, task.title,
    coalesce((select name from agents where id = task.assigned_agent_id), ''), task.status, coalesce(task.result, ''),
    task.error, coalesce(task.completed_at, task.updated_at));
  insert into deliveries (id, workspace_id, event_id, event, task_id, subscription_id, target_name, type, host)
  select gen_random_uuid(), task.workspace_id, new_event, event_name, task.id, p.id, p.url, 'a2a_push',
    coalesce(substring(p.url from '^[a-z]+://([^/?#]+)'), '')
  from push_configs p where p.task_id = task.id and (config_id is null or p.id = config_id);
  perform pg_notify('muster_deliveries', '');
end $$;
revoke execute on function record_push_deliveries from public;

create function push_task() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from push_configs p where p.task_id = new.id) then
    perform record_push_deliveries(new, null);
  end if;
  return null;
end $$;
create trigger task_push after update of status on tasks for each row
  when (new.status <> old.status and new.assigned_agent_id is not null
    and new.status in ('running', 'waiting_for_input', 'completed', 'failed', 'cancelled'))
  execute function push_task();

-- A task may go on while its client is still storing where to be notified: the state that it has reached is delivered.
-- Whoever stores a configuration holds the task's row, so that a change comes either before this or after it.
create function push_stored_config() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  task tasks;
begin
  select * into task from tasks where id = new.task_id;
  if task.status in ('running', 'waiting_for_input', 'completed', 'failed', 'cancelled') then
    perform record_push_deliveries(task, new.id);
  end if;
  return null;
end $$;
create trigger push_config_stored after insert or update of url on push_configs for each row
  execute function push_stored_config();
