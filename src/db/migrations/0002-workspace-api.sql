-- The rest of what a workspace owns: roles of its members, teams with their runs, saved voices and
-- output templates, webhook subscriptions.
--
-- A member's role is a role of the database: a viewer can only read, a member (muster_app) also
-- defines and runs, an admin also manages keys and members. What a role may do is granted once;
-- those above inherit it. Row security is the same for all of them.

do $$
begin
  if not exists (select from pg_roles where rolname = 'muster_viewer') then
    create role muster_viewer nologin nosuperuser nobypassrls nocreatedb nocreaterole inherit;
  end if;
exception
  when duplicate_object or unique_violation then null;
end $$;
do $$
begin
  if not exists (select from pg_roles where rolname = 'muster_admin') then
    create role muster_admin nologin nosuperuser nobypassrls nocreatedb nocreaterole inherit;
  end if;
exception
  when duplicate_object or unique_violation then null;
end $$;

-- Roles that were made by hand beforehand have this already; to change them may need more rights than we were given.
do $$
begin
  if exists (select from pg_roles where rolname = 'muster_app' and not rolinherit) then
    alter role muster_app inherit;
  end if;
  if not pg_has_role('muster_app', 'muster_viewer', 'member') then
    grant muster_viewer to muster_app;
  end if;
  if not pg_has_role('muster_admin', 'muster_app', 'member') then
    grant muster_app to muster_admin;
  end if;
end $$;
grant muster_viewer, muster_admin to current_user;

grant usage on schema public to muster_viewer;
grant select on workspaces, members, agents, tasks, task_streams, task_events, usage_records,
  agent_records, task_records to muster_viewer;
-- A password's hash is for the service alone.
revoke select on users from muster_app;
grant select (id, email, name, created_at, updated_at) on users to muster_viewer;

-- Who manages keys, members and the workspace.
revoke insert, update, delete on api_keys, provider_keys from muster_app;
revoke update on workspaces from muster_app;
revoke select on api_keys from muster_app;
grant select (id, workspace_id, created_by, kind, label, prefix, scopes, last_used_at, expires_at, created_at)
  on api_keys to muster_viewer;
revoke select on provider_keys from muster_app;
grant select (workspace_id, provider, last4, base_url, created_at, updated_at) on provider_keys to muster_viewer;
-- The engine calls vendors as a member would.
grant select on provider_keys to muster_app;
grant select, insert, update, delete on api_keys, provider_keys, members to muster_admin;
grant update, delete on workspaces to muster_admin;

-- A key does what its maker may do: when that changes, processes must look the key up again.
create function announce_member_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_keys', key_hash) from api_keys
  where workspace_id = old.workspace_id and created_by = old.user_id;
  return null;
end $$;
create trigger members_changed
  after delete or update of role on members for each row execute function announce_member_change();

create table teams (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '',
  mode text not null check (mode in ('pipeline', 'orchestrator', 'collaboration')),
  config jsonb not null,
  output_route_ids uuid[],
  is_marketplace boolean not null default false,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index teams_newest_idx on teams (workspace_id, created_at desc);

-- The agents that a team's config names, as rows: written together with the config.
create table team_members (
  id uuid primary key,
  workspace_id uuid not null,
  team_id uuid not null,
  agent_id uuid not null,
  role text not null check (role in ('orchestrator', 'worker', 'reviewer', 'participant')),
  position integer not null,
  config jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade,
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create index team_members_team_idx on team_members (team_id, position);
create index team_members_agent_idx on team_members (agent_id);

-- A run outlives its team: what was done stays on record.
create table team_runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  team_id uuid,
  -- The task whose work this run does, if any.
  task_id uuid,
  status text not null check (status in
    ('pending', 'running', 'waiting_for_input', 'completed', 'failed', 'cancelled')),
  input_task text not null,
  output text,
  error text,
  interaction jsonb,
  current_step_idx integer,
  -- The execution that owns the running attempt: only it may end the run, save for a cancel.
  run_writer uuid,
  attempt integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  unique (workspace_id, id),
  constraint team_runs_team_fkey foreign key (workspace_id, team_id) references teams (workspace_id, id)
    on delete set null (team_id)
);
create index team_runs_newest_idx on team_runs (workspace_id, created_at desc);
create index team_runs_team_newest_idx on team_runs (team_id, created_at desc);

create table team_messages (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  -- Not references: a message stays what it was when an agent goes.
  sender_agent_id uuid,
  receiver_agent_id uuid,
  message_type text not null check (message_type in ('delegation', 'handoff', 'broadcast', 'tool_call', 'result',
    'system', 'rejection', 'revision_request', 'discussion')),
  content text not null,
  metadata jsonb not null default '{}',
  step_idx integer,
  tokens_used integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, run_id) references team_runs (workspace_id, id) on delete cascade
);
create index team_messages_run_idx on team_messages (run_id, created_at, id);

-- What a team run's agents used is counted for the run.
alter table usage_records add column team_run_id uuid;
alter table usage_records add constraint usage_records_team_run_step_key unique (team_run_id, attempt, step);
create index usage_records_team_run_idx on usage_records (team_run_id) where team_run_id is not null;

alter table tasks add constraint tasks_team_fkey foreign key (workspace_id, assigned_team_id)
  references teams (workspace_id, id) on delete set null (assigned_team_id);
create index tasks_team_idx on tasks (assigned_team_id) where assigned_team_id is not null;

create table voice_profiles (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  tone text not null check (tone in ('Formal', 'Casual', 'Technical', 'Creative', 'Empathetic', 'Custom')),
  custom_instructions text not null default '',
  output_format_hints text not null default '',
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index voice_profiles_newest_idx on voice_profiles (workspace_id, created_at desc);

create table output_templates (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null check (type in ('Markdown', 'JSON', 'HTML', 'CSV', 'Custom')),
  body text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index output_templates_newest_idx on output_templates (workspace_id, created_at desc);

-- An agent goes back to its own voice or template when the saved one is deleted.
alter table agents
  add constraint agents_voice_profile_fkey foreign key (workspace_id, voice_profile_id)
    references voice_profiles (workspace_id, id) on delete set null (voice_profile_id),
  add constraint agents_output_template_fkey foreign key (workspace_id, output_template_id)
    references output_templates (workspace_id, id) on delete set null (output_template_id);
create index agents_voice_profile_idx on agents (voice_profile_id) where voice_profile_id is not null;
create index agents_output_template_idx on agents (output_template_id) where output_template_id is not null;

create table webhook_subscriptions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  target_url text not null,
  event text not null check (event in ('task_started', 'task_completed', 'task_failed', 'task_waiting_for_input',
    'team_run_started', 'team_run_completed', 'team_run_failed')),
  agent_id uuid,
  team_id uuid,
  is_active boolean not null default true,
  secret_ciphertext text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint webhook_subscriptions_agent_fkey foreign key (workspace_id, agent_id)
    references agents (workspace_id, id) on delete cascade,
  constraint webhook_subscriptions_team_fkey foreign key (workspace_id, team_id)
    references teams (workspace_id, id) on delete cascade
);
create index webhook_subscriptions_newest_idx on webhook_subscriptions (workspace_id, created_at desc);

alter table teams enable row level security;
create policy tenant on teams using (workspace_id is not distinct from (select current_workspace_id()));
alter table team_members enable row level security;
create policy tenant on team_members using (workspace_id is not distinct from (select current_workspace_id()));
alter table team_runs enable row level security;
create policy tenant on team_runs using (workspace_id is not distinct from (select current_workspace_id()));
alter table team_messages enable row level security;
create policy tenant on team_messages using (workspace_id is not distinct from (select current_workspace_id()));
alter table voice_profiles enable row level security;
create policy tenant on voice_profiles using (workspace_id is not distinct from (select current_workspace_id()));
alter table output_templates enable row level security;
create policy tenant on output_templates using (workspace_id is not distinct from (select current_workspace_id()));
alter table webhook_subscriptions enable row level security;
create policy tenant on webhook_subscriptions
  using (workspace_id is not distinct from (select current_workspace_id()));

grant select on teams, team_members, team_runs, team_messages, voice_profiles, output_templates to muster_viewer;
grant insert, update, delete on teams, team_members, team_runs, voice_profiles, output_templates to muster_app;
grant insert on team_messages to muster_app;
grant select (id, workspace_id, target_url, event, agent_id, team_id, is_active, created_by, created_at)
  on webhook_subscriptions to muster_viewer;
grant insert, delete on webhook_subscriptions to muster_app;
