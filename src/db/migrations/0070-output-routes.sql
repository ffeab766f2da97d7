-- Results that are sent elsewhere: output routes and webhook subscriptions, what is to be delivered to them, and how
-- each attempt ended. Deliveries are written by triggers, in the transaction that ends the task or the team run: no
-- statement that ends one can forget them, and no crash can lose one.

-- config: the fields of the type, secrets masked. secrets_ciphertext: those fields as JSON, encrypted.
-- host: what limits how many deliveries run at a time. retry_delays: seconds before the second attempt, the third, …
-- failures_in_row: deliveries that were given up since the last success.
create table output_routes (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null,
  events text[] not null check (events <@ '{task.completed,task.failed,team_run.completed,team_run.failed}'),
  is_active boolean not null,
  config jsonb not null,
  secrets_ciphertext text,
  host text not null,
  retry_delays integer[] not null,
  failures_in_row integer not null default 0,
  health text not null generated always as (case when failures_in_row < 20 then 'healthy' else 'unhealthy' end) stored,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index output_routes_newest_idx on output_routes (workspace_id, created_at desc);

-- previous_secret_ciphertext: the secret before the last rotation, until previous_secret_until.
alter table webhook_subscriptions
  add column previous_secret_ciphertext text,
  add column previous_secret_until timestamptz;
create index webhook_subscriptions_event_idx on webhook_subscriptions (workspace_id, event) where is_active;

-- What happened: shared by all deliveries of it, so that a long result is stored once.
create table delivery_events (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  event text not null,
  task_id uuid,
  team_run_id uuid,
  attempt integer not null,
  title text not null,
  worker text not null,
  status text not null,
  result text not null,
  error text,
  happened_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index delivery_events_created_at_idx on delivery_events using brin (created_at);

-- One message to one receiver. The receiver is no reference: the log outlives it.
-- next_attempt_at: of a pending delivery, when it is due; an attempt moves it past its own end, so that the delivery of
-- a process that died becomes due again. claims: the fencing token, grows by one with each attempt that begins.
create table deliveries (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  event_id uuid not null,
  event text not null,
  task_id uuid,
  team_run_id uuid,
  route_id uuid,
  subscription_id uuid,
  target_id uuid not null generated always as (coalesce(route_id, subscription_id)) stored,
  target_name text not null,
  type text not null,
  host text not null,
  is_test boolean not null default false,
  redelivery_of uuid,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  attempt_count integer not null default 0,
  claims integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  http_code integer,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, event_id) references delivery_events (workspace_id, id) on delete cascade,
  check (num_nonnulls(route_id, subscription_id) = 1)
);
create index deliveries_due_idx on deliveries (next_attempt_at) where status = 'pending';
create index deliveries_newest_idx on deliveries (workspace_id, created_at desc);
create index deliveries_target_idx on deliveries (target_id, created_at desc);
create index deliveries_redelivery_idx on deliveries (redelivery_of) where redelivery_of is not null;
create index deliveries_event_idx on deliveries (event_id);
create index deliveries_task_idx on deliveries (task_id) where task_id is not null;
create index deliveries_created_at_idx on deliveries using brin (created_at);

create table delivery_attempts (
  id uuid primary key,
  workspace_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  status text not null check (status in ('success', 'failed')),
  http_code integer,
  error text,
  request text not null,
  response text not null,
  duration_ms integer not null,
  created_at timestamptz not null,
  foreign key (workspace_id, delivery_id) references deliveries (workspace_id, id) on delete cascade
);
create index delivery_attempts_delivery_idx on delivery_attempts (delivery_id, attempt);
create index delivery_attempts_newest_idx on delivery_attempts (workspace_id, created_at desc);

-- Writes the deliveries of something that happened to a task or a team run. route_ids: null for all active routes.
-- As the owner of the tables: whoever ends a task needs no rights on them.
create function record_deliveries(
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
  insert into deliveries (id, workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id,
    target_name, type, host)
  select gen_random_uuid(), happened.workspace_id, happened.id, happened.event, happened.task_id, happened.team_run_id,
    t.route_id, t.subscription_id, t.name, t.type, t.host
  from targets t;
  if found then perform pg_notify('muster_deliveries', ''); end if;
end $$;
revoke execute on function record_deliveries from public;

create function deliver_task() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  happened delivery_events;
  agent record;
  team record;
begin
  -- Nobody to deliver to is the usual case, and has to cost next to nothing.
  if not exists (select from output_routes r where r.workspace_id = new.workspace_id)
    and not exists (select from webhook_subscriptions s where s.workspace_id = new.workspace_id) then return null;
  end if;
  select name, output_route_ids into agent from agents where id = new.assigned_agent_id;
  select name into team from teams where id = new.assigned_team_id;
  happened.id := gen_random_uuid();
  happened.workspace_id := new.workspace_id;
  happened.event := 'task.' || case new.status when 'running' then 'started' else new.status end;
  happened.task_id := new.id;
  happened.attempt := new.attempt;
  happened.title := new.title;
  happened.worker := coalesce(agent.name, team.name, '');
  happened.status := new.status;
  happened.result := coalesce(new.result, '');
  happened.error := new.error;
  happened.happened_at := coalesce(new.completed_at, clock_timestamp());
  -- The run of a team has events of its own; the routes get those.
  perform record_deliveries(happened, new.assigned_agent_id, new.assigned_team_id, new.assigned_agent_id is not null,
    agent.output_route_ids);
  return null;
end $$;

create function deliver_team_run() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  happened delivery_events;
  team record;
begin
  if not exists (select from output_routes r where r.workspace_id = new.workspace_id)
    and not exists (select from webhook_subscriptions s where s.workspace_id = new.workspace_id) then return null;
  end if;
  select name, output_route_ids into team from teams where id = new.team_id;
  happened.id := gen_random_uuid();
  happened.workspace_id := new.workspace_id;
  happened.event := 'team_run.' || case new.status when 'running' then 'started' else new.status end;
  happened.team_run_id := new.id;
  happened.attempt := new.attempt;
  happened.title := coalesce((select t.title from tasks t where t.id = new.task_id),
    left(split_part(new.input_task, E'\n', 1), 200));
  happened.worker := coalesce(team.name, '');
  happened.status := new.status;
  happened.result := coalesce(new.output, '');
  happened.error := new.error;
  happened.happened_at := coalesce(new.completed_at, clock_timestamp());
  perform record_deliveries(happened, null, new.team_id, true, team.output_route_ids);
  return null;
end $$;

create trigger task_deliveries after update of status on tasks for each row
  when (new.status in ('completed', 'failed') and new.status <> old.status
    or new.status = 'running' and old.status = 'dispatched'
    or new.status = 'waiting_for_input' and old.status <> 'waiting_for_input')
  execute function deliver_task();
create trigger team_run_deliveries after update of status on team_runs for each row
  when (new.status in ('completed', 'failed') and new.status <> old.status
    or new.status = 'running' and old.status = 'pending')
  execute function deliver_team_run();

create view output_route_records with (security_invoker = true) as
  select
    r.id, r.workspace_id, r.name, r.type, r.events, r.is_active, r.config, r.retry_delays, r.health, r.failures_in_row,
    iso(r.last_success_at) as last_success_at, iso(r.last_failure_at) as last_failure_at,
    r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at
  from output_routes r;

create view delivery_records with (security_invoker = true) as
  select
    d.id, d.workspace_id, d.event, d.route_id, d.subscription_id, d.target_name, d.type, d.task_id, d.team_run_id,
    d.is_test, d.redelivery_of, d.status, d.attempt_count, d.http_code, d.error,
    case when d.status = 'pending' then iso(d.next_attempt_at) end as next_attempt_at,
    iso(d.created_at) as created_at, iso(d.completed_at) as completed_at
  from deliveries d;

-- A delivery that is read alone comes with its attempts.
create view delivery_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', a.id, 'attempt', a.attempt, 'status', a.status,
        'http_code', a.http_code, 'error', a.error, 'request', a.request, 'response', a.response,
        'duration_ms', a.duration_ms, 'created_at', iso(a.created_at)) order by a.created_at), '[]')
      from delivery_attempts a where a.delivery_id = r.id) as attempts
  from delivery_records r;

create view table_api.output_routes with (security_invoker = true) as
  select id, workspace_id, name, type, events, is_active, config, retry_delays, health, failures_in_row,
    last_success_at, last_failure_at, created_by, created_at, updated_at
  from public.output_routes;

create view table_api.delivery_logs with (security_invoker = true) as
  select a.id, a.workspace_id, a.delivery_id, d.route_id, d.subscription_id, d.task_id, d.team_run_id, d.event,
    a.attempt, a.status, a.http_code, a.error as error_message, a.duration_ms, a.created_at
  from public.delivery_attempts a join public.deliveries d on d.id = a.delivery_id;

alter table output_routes enable row level security;
create policy tenant on output_routes using (workspace_id is not distinct from (select current_workspace_id()));
alter table delivery_events enable row level security;
create policy tenant on delivery_events using (workspace_id is not distinct from (select current_workspace_id()));
alter table deliveries enable row level security;
create policy tenant on deliveries using (workspace_id is not distinct from (select current_workspace_id()));
alter table delivery_attempts enable row level security;
create policy tenant on delivery_attempts using (workspace_id is not distinct from (select current_workspace_id()));

-- What opens a receiver is for the service alone.
grant select (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row, health,
  last_success_at, last_failure_at, created_by, created_at, updated_at) on output_routes to muster_viewer;
grant select on delivery_events, deliveries, delivery_attempts, output_route_records, delivery_records,
  delivery_details, table_api.output_routes, table_api.delivery_logs to muster_viewer;
grant select, insert, update, delete on output_routes to muster_admin;
grant insert on delivery_events, deliveries to muster_app;
grant select (secret_ciphertext), update (secret_ciphertext, previous_secret_ciphertext, previous_secret_until)
  on webhook_subscriptions to muster_app;
