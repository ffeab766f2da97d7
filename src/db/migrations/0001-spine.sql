-- The spine: who works here (workspaces, users, members, keys), what they define (agents),
-- what runs (tasks with their event streams) and what it cost (usage records).
--
-- Tenancy: every table with a workspace_id is walled off by a policy that compares it with the
-- setting muster.workspace_id. Requests run as the role muster_app, which owns nothing and cannot
-- bypass row security; migrations, the durable engine and key look-up run as the connecting role.
-- References between tenant tables carry the workspace id, so that no row can point across the wall.

do $$
begin
  if not exists (select from pg_roles where rolname = 'muster_app') then
    create role muster_app nologin nosuperuser nobypassrls nocreatedb nocreaterole noinherit;
  end if;
exception
  -- Another database of the same server created the role at the same instant.
  when duplicate_object or unique_violation then null;
end $$;

grant muster_app to current_user;

-- The workspace of the current transaction, or null outside of one: then no policy matches.
create function current_workspace_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.workspace_id', true), '')::uuid;

-- ISO 8601 in UTC with microseconds: the form of every timestamp in the API, and of its cursors.
create function iso(moment timestamptz) returns text
  language sql immutable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

create table instance_settings (
  key text primary key,
  value text not null,
  updated_at timestamptz not null default now()
);

create table workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text not null check (plan in ('free', 'pro', 'team', 'enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index members_user_id_idx on members (user_id);

create table api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  created_by uuid not null references users on delete cascade,
  kind text not null check (kind in ('envelope', 'table', 'mcp', 'a2a', 'ag-ui')),
  label text not null,
  key_hash text not null unique,
  prefix text not null,
  scopes text[] not null check (scopes <@ array['read', 'write']),
  last_used_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_workspace_id_idx on api_keys (workspace_id, created_at);

-- Every process keeps the keys it has seen in memory; a change reaches them through this channel.
create function announce_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_keys', old.key_hash);
  return null;
end $$;
create trigger api_keys_changed
  after delete or update of key_hash, scopes, expires_at, kind on api_keys
  for each row execute function announce_key_change();

create table provider_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  provider text not null,
  ciphertext text,
  last4 text,
  base_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);

create function announce_provider_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_provider_keys', coalesce(new.workspace_id, old.workspace_id)::text);
  return null;
end $$;
create trigger provider_keys_changed
  after insert or update or delete on provider_keys
  for each row execute function announce_provider_key_change();

create table agents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '',
  model text not null,
  fallback_model text,
  provider text not null,
  system_prompt text not null default 'You are a helpful AI assistant.',
  temperature double precision not null default 0.7 check (temperature between 0 and 2),
  max_tokens integer check (max_tokens > 0),
  tags text[] not null default '{}',
  tools text[] not null default '{}',
  voice_profile jsonb,
  voice_profile_id uuid,
  output_template jsonb,
  output_template_id uuid,
  knowledge_base_ids uuid[] not null default '{}',
  output_route_ids uuid[],
  is_marketplace boolean not null default false,
  marketplace_tags text[] not null default '{}',
  install_count integer not null default 0,
  is_mcp_published boolean not null default false,
  is_a2a_published boolean not null default false,
  config jsonb not null default '{}',
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index agents_newest_idx on agents (workspace_id, created_at desc);

create table tasks (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  title text not null check (length(title) between 1 and 200),
  description text not null default '',
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null check (status in
    ('pending', 'dispatched', 'running', 'waiting_for_input', 'completed', 'failed', 'cancelled')),
  assigned_agent_id uuid,
  assigned_team_id uuid,
  team_run_id uuid,
  metadata jsonb not null default '{}',
  result text,
  error text,
  interaction jsonb,
  -- The execution that owns the running attempt: only it may end the task, save for a cancel.
  run_writer uuid,
  attempt integer not null default 1,
  scheduled_for timestamptz,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  dispatched_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  unique (workspace_id, id),
  constraint tasks_agent_fkey foreign key (workspace_id, assigned_agent_id) references agents (workspace_id, id)
    on delete set null (assigned_agent_id)
);
create index tasks_newest_idx on tasks (workspace_id, created_at desc);
create index tasks_status_newest_idx on tasks (workspace_id, status, created_at desc);
-- The two questions from which an agent's status is derived.
create index tasks_active_by_agent_idx on tasks (assigned_agent_id)
  where status in ('running', 'waiting_for_input');
create index tasks_finished_by_agent_idx on tasks (assigned_agent_id, completed_at desc)
  where completed_at is not null;

-- One row per task that was ever dispatched: the head of its event log and who may write to it.
-- first_seq: where the current attempt begins.
-- writer: the execution whose events are taken; null when it has handed the run over.
-- closed: the attempt has ended; nothing may follow.
-- last_batch: the newest batch of events, so that one that is sent again is not stored twice.
-- crash_*: how often an execution died in the same step without finishing it.
create table task_streams (
  task_id uuid primary key,
  workspace_id uuid not null,
  attempt integer not null,
  last_seq integer not null default 0,
  first_seq integer not null default 1,
  writer uuid,
  closed boolean not null default false,
  last_batch uuid,
  crash_step integer not null default -1,
  crash_count integer not null default 0
) with (fillfactor = 70);

-- Rows come only from statements that hold the lock of their stream's row, so that no reference
-- has to be checked for each of them; they go with their stream.
create table task_events (
  task_id uuid not null,
  seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- Names an event that a resumed execution may send again; it is appended once per attempt.
  key text,
  -- json, not jsonb: readers get the very text that was written.
  event json not null,
  created_at timestamptz not null default now(),
  primary key (task_id, seq)
);
create unique index task_events_key_idx on task_events (task_id, attempt, key) where key is not null;
create index task_events_created_at_idx on task_events using brin (created_at);

-- As the owner: whoever may delete a task deletes its log with it, and nobody deletes events otherwise.
create function delete_task_stream() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_streams where task_id = old.id;
  return null;
end $$;
create trigger task_deleted
  after delete on tasks for each row execute function delete_task_stream();

create function delete_task_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_events where task_id = old.task_id;
  return null;
end $$;
create trigger task_stream_deleted
  after delete on task_streams for each row execute function delete_task_events();

-- Tells all processes how far a task's log has grown, and which process wrote.
create function announce_events(task_id uuid, seq bigint) returns void
  language sql volatile
  return pg_notify('muster_events', task_id || ' ' || seq || ' ' || current_setting('application_name'));

-- What was spent stays on record, whatever becomes of the task and the agent. Only the engine writes here,
-- from a task's own row: no reference has to be checked.
create table usage_records (
  id uuid primary key,
  workspace_id uuid not null,
  task_id uuid,
  agent_id uuid,
  attempt integer not null,
  step integer not null,
  provider text not null,
  model text not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  estimated_cost_usd numeric(14, 8) not null,
  billing_model text not null check (billing_model in ('per-token', 'subscription-quota')),
  created_at timestamptz not null default clock_timestamp(),
  -- A replayed step writes its record again: the second one changes nothing.
  unique (task_id, attempt, step)
);
create index usage_records_newest_idx on usage_records (workspace_id, created_at desc);
create index usage_records_agent_idx on usage_records (agent_id);

-- Processes that run tasks. One that has been silent for a lease is dead; another takes over its work.
create table executors (
  id text primary key,
  host text not null,
  pid integer not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- Records as the API shows them: their fields, their order and their forms are decided here once.
create view agent_records with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.description, a.model, a.fallback_model, a.provider,
    a.system_prompt, a.temperature, a.max_tokens, a.tags, a.tools,
    case
      when exists (select from tasks t where t.assigned_agent_id = a.id
        and t.status in ('running', 'waiting_for_input')) then 'running'
      when (select t.status from tasks t where t.assigned_agent_id = a.id
        and t.completed_at is not null order by t.completed_at desc limit 1) = 'failed' then 'failed'
      else 'idle'
    end as status,
    a.voice_profile, a.voice_profile_id, a.output_template, a.output_template_id,
    a.knowledge_base_ids, a.output_route_ids, a.is_marketplace, a.marketplace_tags, a.install_count,
    a.is_mcp_published, a.is_a2a_published, a.config, a.created_by,
    iso(a.created_at) as created_at, iso(a.updated_at) as updated_at
  from agents a;

create view task_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.title, t.description, t.priority, t.status,
    t.assigned_agent_id, t.assigned_team_id, t.team_run_id, t.metadata,
    t.result, t.error, t.interaction,
    (select to_json(total) from (
        select
          coalesce(sum(u.prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(u.completion_tokens), 0) as completion_tokens,
          coalesce(sum(u.prompt_tokens + u.completion_tokens), 0) as total_tokens,
          coalesce(sum(u.estimated_cost_usd), 0)::double precision as cost_usd
        from usage_records u where u.task_id = t.id and u.attempt = t.attempt) total) as usage,
    t.attempt, iso(t.scheduled_for) as scheduled_for, t.created_by,
    iso(t.created_at) as created_at, iso(t.updated_at) as updated_at,
    iso(t.dispatched_at) as dispatched_at, iso(t.started_at) as started_at,
    iso(t.completed_at) as completed_at
  from tasks t;

-- Hands a task's attempt to the durable engine, within the caller's transaction. It runs as the
-- owner of the engine's tables, which the application role cannot touch: all that role can do is
-- enqueue a run of its own workspace. More urgent tasks come first, then older ones.
create function enqueue_run(task tasks, agent agents, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if task.workspace_id is distinct from current_workspace_id() then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => task.id || '.' || task.attempt,
    queue_partition_key => task.workspace_id::text,
    priority => array_position(array['urgent', 'high', 'medium', 'low'], task.priority),
    positional_args => array[json_build_object(
      'workspaceId', task.workspace_id,
      'taskId', task.id,
      'attempt', task.attempt,
      'title', task.title,
      'description', task.description,
      'agent', json_build_object(
        'id', agent.id,
        'name', agent.name,
        'provider', agent.provider,
        'model', agent.model,
        'fallback_model', agent.fallback_model,
        'system_prompt', agent.system_prompt,
        'temperature', agent.temperature,
        'max_tokens', agent.max_tokens,
        'tools', agent.tools,
        'config', agent.config))]);
end $$;
revoke execute on function enqueue_run from public;
grant execute on function enqueue_run to muster_app;

-- The wall. Policies first, then what the application role may do at all.
-- They say "is not distinct from" so that they only filter: an "=" would offer every index that
-- begins with workspace_id for a look-up by id, and on a table that was small when the statement
-- was planned PostgreSQL would take one of those and read the whole workspace ever after.
alter table workspaces enable row level security;
create policy tenant on workspaces using (id is not distinct from (select current_workspace_id()));

alter table members enable row level security;
create policy tenant on members using (workspace_id is not distinct from (select current_workspace_id()));

alter table users enable row level security;
create policy tenant on users
  using (exists (select from members m where m.user_id = users.id));

alter table api_keys enable row level security;
create policy tenant on api_keys using (workspace_id is not distinct from (select current_workspace_id()));

alter table provider_keys enable row level security;
create policy tenant on provider_keys using (workspace_id is not distinct from (select current_workspace_id()));

alter table agents enable row level security;
create policy tenant on agents using (workspace_id is not distinct from (select current_workspace_id()));

alter table tasks enable row level security;
create policy tenant on tasks using (workspace_id is not distinct from (select current_workspace_id()));

alter table task_streams enable row level security;
create policy tenant on task_streams using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from tasks t where t.id = task_streams.task_id));

alter table task_events enable row level security;
create policy tenant on task_events using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from task_streams s where s.task_id = task_events.task_id));

alter table usage_records enable row level security;
create policy tenant on usage_records using (workspace_id is not distinct from (select current_workspace_id()));

alter table instance_settings enable row level security;
alter table executors enable row level security;

grant usage on schema public to muster_app;
grant select, update on workspaces to muster_app;
grant select on users, members to muster_app;
grant select, insert, update, delete on api_keys, provider_keys, agents, tasks, task_streams to muster_app;
grant select, insert on task_events to muster_app;
grant select on usage_records to muster_app;
grant select on agent_records, task_records to muster_app;
