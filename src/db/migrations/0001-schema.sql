-- The schema of version 1, by subject. Later changes are files of their own beside this one; functions, views and
-- triggers are in ../routines, and ../schema.sql shows what all of it comes to.
--
-- Tenancy: every table with a workspace_id has a row-level-security policy that compares it with the setting
-- muster.workspace_id. Requests run as one of three roles, which own nothing and cannot bypass row-level security;
-- migrations, the engine and the look-up of keys run as the role of DATABASE_URL. References between the tables of
-- tenants carry the workspace's id, so that no row can point into another workspace.
--
-- A member's role is a role of the database: a viewer can only read, a member (muster_app) also defines and runs, an
-- admin also manages keys and members. A right is granted once; the roles above inherit it.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['muster_viewer', 'muster_app', 'muster_admin'] loop
    begin
      if not exists (select from pg_roles where rolname = wanted) then
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole inherit', wanted);
      end if;
    exception
      -- Another database of the same server created the role at the same instant.
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  -- Roles that were made by hand beforehand have this already; to change them may need more rights than we were given.
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
grant muster_viewer, muster_app, muster_admin to current_user;
grant usage on schema public to muster_viewer, muster_app;

-- What the table API shows: one view per table with the columns, the names and the types that its callers see.
create schema table_api;
grant usage on schema table_api to muster_viewer;

-- What no request needs.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Functions that defaults, generated columns and policies use
-- ===========================================================

-- The workspace of the current transaction, or null outside of one: then no policy matches.
create function current_workspace_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.workspace_id', true), '')::uuid;

-- The lexeme that keeps the search of one scope apart from all others. No text contains it: no word has a space.
create function scope_lexeme(workspace uuid, scope uuid) returns text
  language sql immutable strict parallel safe return workspace || ' ' || scope;

-- What a passage is found by: its words in English stems (words of other languages as they are), those of its
-- heading with more weight, and where it belongs, so that one index serves both questions.
create function passage_vector(workspace uuid, scope uuid, heading text, content text) returns tsvector
  language sql immutable parallel safe
  return setweight(to_tsvector('pg_catalog.english', coalesce(heading, '')), 'B')
    || to_tsvector('pg_catalog.english', content)
    || array_to_tsvector(array[scope_lexeme(workspace, scope)]);

-- The words of a title, without the punctuation that would make one word of several; with the workspace as a word of its
-- own, so that the index finds those of one workspace.
create function title_words(workspace_id uuid, title text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array[workspace_id::text])
    || to_tsvector('simple'::regconfig, regexp_replace(left(title, 200), '[!-/:-@\[-`{-~]+', ' ', 'g'));

-- Like UUID version 7: what is created later is greater, and close to it in an index.
create function time_ordered_id() returns uuid language sql volatile parallel safe
  return overlay(replace(gen_random_uuid()::text, '-', '')
    placing lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' from 1 for 13)::uuid;

-- A vector as bits, which PostgreSQL compares a hundred times quicker than numbers: each value as the number of bounds
-- that it is above, one bit for each bound. Two codes differ in as many bits as the vectors have bounds between them.
-- Bounds are in units of the values' mean size; long vectors have fewer, so that codes stay short enough for an index.
create function vector_code(vector real[]) returns bit varying
  language sql immutable strict parallel safe
  return (
    select case
      when max(length) <= 1024
        then string_agg((v > -1.2 / unit)::integer::text, '') || string_agg((v > -0.5 / unit)::integer::text, '')
          || string_agg((v > 0)::integer::text, '')
          || string_agg((v > 0.5 / unit)::integer::text, '') || string_agg((v > 1.2 / unit)::integer::text, '')
      when max(length) <= 2048
        then string_agg((v > -0.5 / unit)::integer::text, '') || string_agg((v > 0)::integer::text, '')
          || string_agg((v > 0.5 / unit)::integer::text, '')
      else string_agg((v > 0)::integer::text, '')
    end::bit varying
    from (select cardinality(vector) as length, sqrt(cardinality(vector)) as unit offset 0) known, unnest(vector) v);

-- Types of what functions take and return
-- =======================================

-- A call of a model that is to be made. targets: whose budgets apply to it; usd is null for a model without a price.
create type budget_call as (
  id uuid, workspace_id uuid, targets uuid[], run_id uuid, attempt integer, step text, usd numeric, tokens bigint
);

-- What a job of each kind is given. They run as their caller, behind the row-level security of its workspace.
create type new_job as (workspace_id uuid, attempt integer, priority integer, input json);


-- Workspaces, people and keys
-- ===========================
-- Sessions, refresh tokens and password resets belong to persons, not to workspaces: only the service itself reads and
-- writes them. Tables without a policy are the service's alone.

create table instance_settings (
  key text primary key,
  value text not null,
  updated_at timestamptz not null default now()
);
alter table instance_settings enable row level security;

create table workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text not null check (plan in ('free', 'pro', 'team', 'enterprise')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A workspace is deleted in stages: it is marked, which ends all access to it; then its rows are deleted in small
  -- transactions, and its own row last.
  deleted_at timestamptz,
  -- The newest of its slugs: see workspace_slugs.
  slug text not null,
  -- paused: no queued task or team run starts; what runs goes on. enqueue() asks the function may_start(), and queues
  -- the jobs for the time 'infinity', which keeps them out of the index that processes claim from.
  paused boolean not null default false,
  -- Whether members may create links that answer one question.
  answer_links boolean not null default false,
  -- Templates of links to an operator's own tools; they name {run_id} and its like.
  log_url text,
  trace_url text,
  constraint workspaces_slug_key unique (slug)
);
create index workspaces_deleted_idx on workspaces (id) where deleted_at is not null;
alter table workspaces enable row level security;
grant select on workspaces to muster_viewer;
grant select on workspaces to muster_app;
grant update (name, updated_at, paused, answer_links, log_url, trace_url) on workspaces to muster_admin;

-- Every slug that a workspace has or had: an old one still leads to it, and no other workspace gets it.
-- The reference is checked at the commit: a workspace claims its slug before its own row exists.
create table workspace_slugs (
  slug text primary key,
  workspace_id uuid not null references workspaces on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now()
);
create index workspace_slugs_workspace_id_idx on workspace_slugs (workspace_id);
alter table workspace_slugs enable row level security;
create policy tenant on workspace_slugs using (workspace_id is not distinct from (select current_workspace_id()));
-- Slugs are in every URL of their workspace.
grant select on workspace_slugs to muster_viewer;

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether it is proved that the person has the e-mail address: the operator vouches for it, or it was given at a
  -- sign-up. Whoever makes an invitation has its link as well, so an account that comes with one proves nothing: it does
  -- not claim the address, of which there may be several such accounts.
  email_proved boolean not null default true
);
create unique index users_email_key on users (lower(email)) where email_proved;
create index users_email_idx on users (lower(email));
alter table users enable row level security;
-- A password's hash is for the service alone.
grant select (id, email, name, created_at, updated_at) on users to muster_viewer;

create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  -- Whether a viewer may answer questions.
  can_answer boolean not null default false,
  primary key (workspace_id, user_id)
);
create index members_user_id_idx on members (user_id);
alter table members enable row level security;
create policy tenant on members using (workspace_id is not distinct from (select current_workspace_id()));
grant select on members to muster_viewer;
grant select on members to muster_app;
grant select, delete, update (role, can_answer) on members to muster_admin;

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
  created_at timestamptz not null default now(),
  -- Where a key was rotated: the key that takes its place. Set once, when the old key's days are counted.
  replaced_by uuid,
  unique (workspace_id, id),
  constraint api_keys_replaced_by_fkey foreign key (workspace_id, replaced_by)
    references api_keys(workspace_id, id) on delete set null (replaced_by),
  constraint api_keys_member_fkey foreign key (workspace_id, created_by)
    references members(workspace_id, user_id) on delete cascade
);
create index api_keys_workspace_id_idx on api_keys (workspace_id, created_at);
create index api_keys_replaced_by_idx on api_keys (replaced_by) where replaced_by is not null;
create index api_keys_member_idx on api_keys (created_by, workspace_id);
alter table api_keys enable row level security;
create policy tenant on api_keys using (workspace_id is not distinct from (select current_workspace_id()));
-- An admin changes what these say, not whose they are. Members come by invitation alone, a plan is the
-- operator's to give, and a workspace ends by its owner's word, which the service checks.
grant select (id, workspace_id, created_by, kind, label, prefix, scopes, last_used_at, expires_at, created_at,
  replaced_by) on api_keys to muster_viewer;
grant select, insert, delete, update (label, expires_at, replaced_by) on api_keys to muster_admin;

-- An open invitation: gone when it is accepted, withdrawn, or its maker leaves. The link's token is
-- stored as its SHA-256. failed_attempts: how often a wrong password came with it.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash text not null unique,
  failed_attempts integer not null default 0,
  invited_by uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint invitations_member_fkey foreign key (workspace_id, invited_by)
    references members(workspace_id, user_id) on delete cascade
);
create unique index invitations_email_key on invitations (workspace_id, lower(email));
create index invitations_newest_idx on invitations (workspace_id, created_at desc);
create index invitations_member_idx on invitations (invited_by, workspace_id);
alter table invitations enable row level security;
create policy tenant on invitations using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, email, role, invited_by, expires_at, created_at) on invitations to muster_viewer;
grant insert, update, delete on invitations to muster_admin;

-- A session begins with a sign-in and ends when it is revoked or runs out: either way its row goes.
-- last_workspace_id: the workspace of its newest access token; the next one is for the same.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  last_workspace_id uuid not null,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id, created_at desc);
create index sessions_expires_at_idx on sessions (expires_at);
alter table sessions enable row level security;

-- Every refresh token that a session has had, as its SHA-256. A token is good until one that was given for it has been
-- used: the answer that brought its successor may have been lost. spent_at: when that use happened, or that of a token
-- given in its stead; one that comes back later has been copied. given_for: the token that it was given for.
create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  spent_at timestamptz,
  given_for text
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);
create index refresh_tokens_spent_at_idx on refresh_tokens (spent_at) where spent_at is not null;
alter table refresh_tokens enable row level security;

-- One per user: a newer link takes the place of an older one.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);
alter table password_resets enable row level security;

-- subject: SHA-256 of what is limited (an e-mail address, a client's address), so that no list of
-- them comes together here.
create table sign_in_attempts (
  subject text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index sign_in_attempts_resets_at_idx on sign_in_attempts (resets_at);
alter table sign_in_attempts enable row level security;

-- One row per counted subject and kind of window: a workspace's minute at the envelope API, a key's
-- minute and month at the table API. The row is used again for the next window, so that nothing
-- piles up. Processes take permits in blocks: `used` counts those granted, spent or not, and
-- `granted` is the newest block, for the statement that took it. Only the service writes here.
create table request_counts (
  workspace_id uuid not null references workspaces on delete cascade,
  subject_id uuid not null,
  period text not null check (period in ('minute', 'month')),
  window_start timestamptz not null,
  allowed integer not null,
  used integer not null,
  granted integer not null,
  -- The table API counts a workspace as well as its keys. A workspace's minute at the envelope API is
  -- another count than its minute at the table API, so the surface is part of what identifies a count.
  -- Tests of providers' keys are counted for themselves.
  surface text not null default 'envelope' check (surface in ('envelope', 'table', 'provider-test')),
  primary key (workspace_id, subject_id, surface, period)
) with (fillfactor = 50);
alter table request_counts enable row level security;
create policy tenant on request_counts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on request_counts to muster_viewer;

-- A row is a finished answer: it is written in the transaction of the work that it tells of.
create table idempotent_answers (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of what was asked: path, version and body.
  request_hash text not null,
  request_id text not null,
  status smallint not null check (status in (200, 201)),
  -- Sealed: an answer may show a secret that is shown only once.
  body_ciphertext text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index idempotent_answers_created_at_idx on idempotent_answers (created_at);
alter table idempotent_answers enable row level security;
create policy tenant on idempotent_answers using (workspace_id is not distinct from (select current_workspace_id()));
grant select (workspace_id, key, created_at) on idempotent_answers to muster_viewer;
grant select, insert, update on idempotent_answers to muster_app;

-- The limits, as the settings of the process that started last say; null: none.
create table plan_quotas (
  plan text check (plan in ('free', 'pro', 'team', 'enterprise')) primary key,
  records bigint,
  stored_bytes bigint,
  schedules bigint
);
alter table plan_quotas enable row level security;
grant select on plan_quotas to muster_viewer;

-- What a workspace keeps: this row and its rows of stored_changes together. A transaction that finds the row locked
-- adds a change instead, and the next one that locks the row folds the changes in. So no transaction waits here.
create table stored_totals (
  workspace_id uuid primary key references workspaces on delete cascade,
  records bigint not null default 0,
  stored_bytes bigint not null default 0
) with (fillfactor = 50);
alter table stored_totals enable row level security;
create policy tenant on stored_totals using (workspace_id is not distinct from (select current_workspace_id()));
grant select on stored_totals to muster_viewer;

create table stored_changes (
  workspace_id uuid not null references workspaces on delete cascade,
  records bigint not null,
  stored_bytes bigint not null
);
create index stored_changes_workspace_idx on stored_changes (workspace_id);
alter table stored_changes enable row level security;
create policy tenant on stored_changes using (workspace_id is not distinct from (select current_workspace_id()));
grant select on stored_changes to muster_viewer;

create policy tenant on workspaces using (id is not distinct from (select current_workspace_id()));
create policy tenant on users
  using (exists (select from members m where m.user_id = users.id));
create policy everyone on plan_quotas for select using (true);


-- Agents and what shapes their answers
-- ====================================
-- Versions keep what an agent was after each change of a field that shapes its runs. Triggers write them, so that they
-- hold for every way in which an agent is written; each run records the version that it ran.

create table provider_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  provider text not null,
  ciphertext text,
  last4 text,
  base_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How a workspace pays for an endpoint of its own: by the token, or as part of a subscription.
  billing_model text not null default 'per-token' check (billing_model in ('per-token', 'subscription-quota')),
  primary key (workspace_id, provider)
);
alter table provider_keys enable row level security;
create policy tenant on provider_keys using (workspace_id is not distinct from (select current_workspace_id()));
-- The engine calls providers as a member would.
grant select (workspace_id, provider, last4, base_url, created_at, updated_at, billing_model) on provider_keys
  to muster_viewer;
grant select on provider_keys to muster_app;
grant select, insert, update, delete on provider_keys to muster_admin;

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
  version integer not null default 1,
  unique (workspace_id, id)
);
create index agents_newest_idx on agents (workspace_id, created_at desc);
create index agents_voice_profile_idx on agents (voice_profile_id) where voice_profile_id is not null;
create index agents_output_template_idx on agents (output_template_id) where output_template_id is not null;
-- The order of the marketplace: newest first, or most installed first.
create index agents_marketplace_newest_idx on agents (created_at desc, id desc) where is_marketplace;
create index agents_marketplace_installs_idx on agents (install_count desc, id desc) where is_marketplace;
create index agents_a2a_published_idx on agents (created_at, id) where is_a2a_published;
alter table agents enable row level security;
create policy tenant on agents using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agents to muster_viewer;
grant select, insert, update, delete on agents to muster_app;

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  version integer not null,
  fields jsonb not null,
  changed_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, version),
  foreign key (workspace_id, agent_id) references agents(workspace_id, id) on delete cascade
);
alter table agent_versions enable row level security;
create policy tenant on agent_versions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_versions to muster_viewer;

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
  unique (workspace_id, id),
  constraint voice_profiles_length_check
    check (length(custom_instructions) <= 10000 and length(output_format_hints) <= 10000)
);
create index voice_profiles_newest_idx on voice_profiles (workspace_id, created_at desc);
alter table voice_profiles enable row level security;
create policy tenant on voice_profiles using (workspace_id is not distinct from (select current_workspace_id()));
grant select on voice_profiles to muster_viewer;
grant insert, update, delete on voice_profiles to muster_app;

create table output_templates (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null check (type in ('Markdown', 'JSON', 'HTML', 'CSV', 'Custom')),
  body text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint output_templates_length_check check (length(body) between 1 and 100000),
  -- A result may be megabytes long: it must not be repeated many times.
  constraint output_templates_results_check check (regexp_count(body, '\{\{\s*task_result\s*\}\}') <= 10)
);
create index output_templates_newest_idx on output_templates (workspace_id, created_at desc);
alter table output_templates enable row level security;
create policy tenant on output_templates using (workspace_id is not distinct from (select current_workspace_id()));
grant select on output_templates to muster_viewer;
grant insert, update, delete on output_templates to muster_app;

-- Which workspace has installed which agent: a workspace counts once. The agent belongs to another
-- workspace, so a trigger does what a reference would.
create table marketplace_installs (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  installed_at timestamptz not null default now(),
  primary key (workspace_id, agent_id)
);
create index marketplace_installs_agent_idx on marketplace_installs (agent_id);
alter table marketplace_installs enable row level security;
create policy tenant on marketplace_installs using (workspace_id is not distinct from (select current_workspace_id()));
grant select on marketplace_installs to muster_viewer;


-- Teams, their runs and what they remember
-- ========================================
-- What a team remembers is found as knowledge is: each memory is a passage too, whose scope is the team.

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
alter table teams enable row level security;
create policy tenant on teams using (workspace_id is not distinct from (select current_workspace_id()));
grant select on teams to muster_viewer;
grant insert, update, delete on teams to muster_app;

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
  foreign key (workspace_id, team_id) references teams(workspace_id, id) on delete cascade,
  foreign key (workspace_id, agent_id) references agents(workspace_id, id) on delete cascade
);
create index team_members_team_idx on team_members (team_id, position);
create index team_members_agent_idx on team_members (agent_id);
alter table team_members enable row level security;
create policy tenant on team_members using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_members to muster_viewer;
grant insert, update, delete on team_members to muster_app;

-- A run outlives its team: what was done stays on record.
create table team_runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  team_id uuid,
  -- The task whose work this run does, if any.
  task_id uuid,
  status text not null check (status in ('pending', 'running', 'waiting_for_input', 'completed', 'failed',
    'cancelled')),
  input_task text not null,
  output text,
  error text,
  interaction jsonb,
  current_step_idx integer,
  attempt integer not null default 1,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  -- How many questions the attempt has asked; only the execution behind the newest one may work on the run.
  segment integer not null default 0,
  -- Null for a run that began at its beginning. An object of
  --   run_id, from_step: which run this is a fork of, and the step at which it begins;
  --   given: for each step from the first on whose output is given, its messages (none: it was skipped);
  --   steps: what replaces fields of the team's steps, by their index;
  --   agents: what replaces fields of its agents, by their id.
  -- It holds for every attempt of the run, and stays when the other run is gone.
  fork jsonb,
  -- How long the attempt has waited for answers: its time does not run meanwhile.
  waited interval not null default '00:00:00',
  -- Through what it was created, and which key, person, schedule, trigger or run that was.
  source_kind text not null default 'api'
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork')),
  source_id uuid,
  -- Of the current attempt, once it has ended.
  error_code text,
  cost_usd numeric(14, 8) not null default 0,
  title_words tsvector not null generated always as (title_words(workspace_id, input_task)) stored,
  -- The person who has cancelled the newest attempt; null when none has.
  cancelled_by uuid,
  unique (workspace_id, id),
  constraint team_runs_team_fkey foreign key (workspace_id, team_id)
    references teams(workspace_id, id) on delete set null (team_id)
);
create index team_runs_newest_idx on team_runs (workspace_id, created_at desc);
create index team_runs_team_newest_idx on team_runs (team_id, created_at desc);
create index team_runs_task_idx on team_runs (workspace_id, task_id) where task_id is not null;
create index team_runs_forks_idx on team_runs ((fork->>'run_id')) where fork is not null;
-- Runs without a task, in the list of all work.
create index team_runs_lone_newest_idx on team_runs (workspace_id, created_at desc, id desc) where task_id is null;
create index team_runs_lone_words_idx on team_runs using gin (title_words) where task_id is null;
create index team_runs_lone_open_idx on team_runs (workspace_id, status, created_at)
  where task_id is null and status not in ('completed', 'failed', 'cancelled');
alter table team_runs enable row level security;
create policy tenant on team_runs using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_runs to muster_viewer;
grant insert, update, delete on team_runs to muster_app;

create table team_messages (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  -- Not references: a message stays what it was when an agent goes.
  sender_agent_id uuid,
  receiver_agent_id uuid,
  message_type text not null
    check (message_type in ('delegation', 'handoff', 'broadcast', 'tool_call', 'result', 'system', 'rejection',
      'revision_request', 'discussion')),
  content text not null,
  metadata jsonb not null default '{}',
  step_idx integer,
  tokens_used integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- A message belongs to an attempt of its run. Its key names it there: a resumed execution sends it again, and it
  -- is stored once.
  attempt integer not null default 1,
  key text,
  constraint team_messages_key unique (run_id, attempt, key),
  foreign key (workspace_id, run_id) references team_runs(workspace_id, id) on delete cascade
);
create index team_messages_run_idx on team_messages (run_id, created_at, id);
alter table team_messages enable row level security;
create policy tenant on team_messages using (workspace_id is not distinct from (select current_workspace_id()));
-- A fork has the messages of the steps that it does not do.
grant select on team_messages to muster_viewer;
grant insert on team_messages to muster_app;

-- key names a delegation in its attempt. version counts its changes: an execution that resumes a run makes them
-- all again, and what is older than the row leaves it as it is.
create table team_delegations (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  version integer not null,
  -- Not a reference: a delegation stays what it was when an agent goes.
  agent_id uuid not null,
  instruction text not null,
  status text not null check (status in ('pending', 'running', 'completed', 'revision_requested', 'accepted',
    'failed')),
  result text,
  error text,
  score double precision check (score between 0 and 1),
  revisions integer not null default 0,
  tokens_used integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint team_delegations_key unique (run_id, attempt, key),
  foreign key (workspace_id, run_id) references team_runs(workspace_id, id) on delete cascade
);
alter table team_delegations enable row level security;
create policy tenant on team_delegations using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_delegations to muster_viewer;

-- One for each attempt of a run that completed or failed. It stays when the run goes, and goes with the team.
create table team_memories (
  id uuid primary key,
  workspace_id uuid not null,
  team_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  status text not null check (status in ('completed', 'failed')),
  -- The heads of the run's input, and of its output or error.
  task text not null,
  outcome text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint team_memories_run unique (run_id, attempt),
  constraint team_memories_tenant_key unique (workspace_id, id),
  foreign key (workspace_id, team_id) references teams(workspace_id, id) on delete cascade
);
create index team_memories_newest_idx on team_memories (team_id, created_at desc, id desc);
alter table team_memories enable row level security;
create policy tenant on team_memories using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_memories to muster_viewer;
grant delete on team_memories to muster_app;


-- Tasks, their event logs and recorded steps
-- ==========================================
-- An execution that asks a person ends at the question. The answer is recorded among the run's steps and enqueues
-- another execution, which continues as one does after a crash. So a task may wait for days and costs a row, but no
-- memory and no slot.

create table tasks (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  title text not null check (length(title) between 1 and 200),
  description text not null default '',
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null check (status in ('pending', 'dispatched', 'running', 'waiting_for_input', 'completed',
    'failed', 'cancelled')),
  assigned_agent_id uuid,
  assigned_team_id uuid,
  team_run_id uuid,
  metadata jsonb not null default '{}',
  result text,
  error text,
  interaction jsonb,
  attempt integer not null default 1,
  scheduled_for timestamptz,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  dispatched_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  -- A task that is a conversation: what its user and its agent have said so far, as
  -- [{id?, role: user | assistant, content}]. Null for a task that consists of title and description.
  conversation jsonb,
  -- segment: how many questions the attempt has asked; only the execution behind the newest one may
  -- work on the task. waited: how long it has waited for answers, which is no time of the run.
  segment integer not null default 0,
  waited interval not null default '00:00:00',
  -- The version that the current attempt runs; null before it begins, and where its agent was changed for one run.
  agent_version integer,
  -- Tools that the client of a task executes itself, for the task's current attempt.
  client_tools jsonb,
  -- Through what it was created, and which key, person, schedule, trigger or run that was.
  source_kind text not null default 'api'
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork')),
  source_id uuid,
  -- Of the current attempt, once it has ended.
  error_code text,
  cost_usd numeric(14, 8) not null default 0,
  title_words tsvector not null generated always as (title_words(workspace_id, title)) stored,
  -- Null for a task that began at its beginning; else as a team run's. See `taskFork` in src/domain/tasks/task-fork.ts.
  fork jsonb,
  -- The person who has cancelled the newest attempt; null when none has.
  cancelled_by uuid,
  unique (workspace_id, id),
  constraint tasks_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents(workspace_id, id) on delete set null (assigned_agent_id),
  constraint tasks_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams(workspace_id, id) on delete set null (assigned_team_id)
);
create index tasks_newest_idx on tasks (workspace_id, created_at desc);
create index tasks_status_newest_idx on tasks (workspace_id, status, created_at desc);
-- The two questions from which an agent's status is derived.
create index tasks_active_by_agent_idx on tasks (assigned_agent_id) where status in ('running', 'waiting_for_input');
create index tasks_finished_by_agent_idx on tasks (assigned_agent_id, completed_at desc)
  where completed_at is not null;
-- Tasks that wait for their time; the service looks for the earliest of them.
create index tasks_scheduled_idx on tasks (scheduled_for)
  where status = 'pending' and scheduled_for is not null and (assigned_agent_id is not null
    or assigned_team_id is not null);
create index tasks_forks_idx on tasks ((fork->>'task_id')) where fork is not null;
-- One for each filter and order of the list of all work.
create index tasks_agent_newest_idx on tasks (assigned_agent_id, created_at desc, id desc)
  where assigned_agent_id is not null;
create index tasks_team_newest_idx on tasks (assigned_team_id, created_at desc, id desc)
  where assigned_team_id is not null;
create index tasks_source_newest_idx on tasks (workspace_id, source_kind, created_at desc, id desc);
create index tasks_error_newest_idx on tasks (workspace_id, error_code, created_at desc, id desc)
  where error_code is not null;
-- What a task has cost is written when it ends: until then its place in this order is known without an index.
create index tasks_cost_idx on tasks (workspace_id, cost_usd desc, id desc) where completed_at is not null;
create index tasks_duration_idx on tasks
  (workspace_id, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null;
create index tasks_active_idx on tasks (workspace_id) where status in ('running', 'waiting_for_input');
create index tasks_words_idx on tasks using gin (title_words);
alter table tasks enable row level security;
create policy tenant on tasks using (workspace_id is not distinct from (select current_workspace_id()));
grant select on tasks to muster_viewer;
grant select, insert, update, delete on tasks to muster_app;

-- One row per task or team run that was ever dispatched: the head of its event log.
-- log_id: the id of the task, or of the team run.
-- first_seq: where the current attempt begins.
-- closed: the attempt has ended; nothing may follow.
-- last_batch: the newest batch of events, so that one that is sent again is not stored twice.
create table task_streams (
  log_id uuid primary key,
  workspace_id uuid not null,
  attempt integer not null,
  last_seq integer not null default 0,
  first_seq integer not null default 1,
  closed boolean not null default false,
  last_batch uuid
) with (fillfactor = 70);
alter table task_streams enable row level security;
grant select on task_streams to muster_viewer;
grant select, insert, update, delete on task_streams to muster_app;

-- Rows come only from statements that hold the lock of their stream's row, so that no reference
-- has to be checked for each of them; they go with their stream.
create table task_events (
  log_id uuid not null,
  seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- Names an event that a resumed execution may send again; it is appended once per attempt.
  key text,
  -- json, not jsonb: readers get the very text that was written.
  event json not null,
  created_at timestamptz not null default now(),
  primary key (log_id, seq)
);
create unique index task_events_key_idx on task_events (log_id, attempt, key) where key is not null;
create index task_events_created_at_idx on task_events using brin (created_at);
alter table task_events enable row level security;
grant select on task_events to muster_viewer;
grant select, insert on task_events to muster_app;

-- Events of closed attempts, many in one row. A page is compressed; it takes a twentieth of the space of its events'
-- rows and their index entries. Short attempts stay in task_events: packing them would write more than it saves.
create table task_event_pages (
  log_id uuid not null,
  -- The numbers of its first and last event; there is no gap between them.
  first_seq integer not null,
  last_seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- In the order of their numbers; json, as in task_events: readers get the very text that was written.
  events json[] not null,
  -- When the newest of them was written.
  created_at timestamptz not null,
  primary key (log_id, last_seq)
);
create index task_event_pages_created_at_idx on task_event_pages using brin (created_at);
-- In the row itself, where it fits: one table to read instead of two and an index.
alter table task_event_pages alter column events set storage main;
alter table task_event_pages enable row level security;
create policy tenant on task_event_pages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on task_event_pages to muster_viewer;

-- Closed attempts that are still to be packed. Only long ones are queued, and none by a row of its own while it is open.
create table unpacked_attempts (
  log_id uuid not null,
  attempt integer not null,
  primary key (log_id, attempt)
);
alter table unpacked_attempts enable row level security;

-- The open question of a waiting task or team run. It comes and goes with the state waiting_for_input.
-- subject_id: the task, or the team run. question: as the tool put it; answers: of a wizard's steps so far.
-- answer_key: the key of the step as whose result the answer is recorded.
create table task_questions (
  subject_id uuid primary key,
  workspace_id uuid not null,
  interaction_id uuid not null,
  tool_call_id text not null,
  asked_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null,
  question jsonb not null,
  answers jsonb not null default '{}',
  answer_key text not null
);
create index task_questions_deadline_idx on task_questions (deadline);
create index task_questions_workspace_idx on task_questions (workspace_id, deadline, interaction_id);
alter table task_questions enable row level security;
create policy tenant on task_questions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on task_questions to muster_viewer;
grant update (deadline, answers) on task_questions to muster_app;

-- Questions that are no longer open: who answered, or that no one did in time.
-- subject_id: the task or team run that waited. request: the question as clients got it, the last page of a wizard.
-- answered_*: by whom, with which key, and through what, as the source of a task; answered_name: what the person who
-- answered through a link has called themselves. answer: as it was given; of a wizard, the answers of all pages.
create table closed_questions (
  interaction_id uuid primary key,
  workspace_id uuid not null,
  subject_id uuid not null,
  state text not null check (state in ('answered', 'expired')),
  request jsonb not null,
  asked_at timestamptz not null,
  deadline timestamptz not null,
  closed_at timestamptz not null default clock_timestamp(),
  answered_by uuid,
  answered_key uuid,
  answered_via text,
  answer jsonb,
  answered_name text
);
create index closed_questions_newest_idx on closed_questions (workspace_id, state, closed_at desc, interaction_id desc);
create index closed_questions_subject_idx on closed_questions (subject_id);
alter table closed_questions enable row level security;
create policy tenant on closed_questions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on closed_questions to muster_viewer;
grant update (answered_by, answered_key, answered_via, answer, answered_name) on closed_questions to muster_app;

-- Links to answer one question without an account. A link is valid while the question is open, its creator may answer
-- the question, and the workspace allows links. Its row is deleted with the work that asked.
create table answer_links (
  token_hash text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  interaction_id uuid not null,
  subject_id uuid not null,
  created_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  id uuid not null default gen_random_uuid(),
  -- A revoked link is kept for the list.
  revoked_at timestamptz
);
create unique index answer_links_id_idx on answer_links (id);
create index answer_links_newest_idx on answer_links (workspace_id, created_at desc, id desc);
create index answer_links_question_idx on answer_links (interaction_id);
create index answer_links_subject_id_idx on answer_links (subject_id);
create index answer_links_created_by_idx on answer_links (created_by);
alter table answer_links enable row level security;
create policy tenant on answer_links using (workspace_id is not distinct from (select current_workspace_id()));
grant insert, update (revoked_at) on answer_links to muster_app;
grant select (id, workspace_id, interaction_id, subject_id, created_by, created_at, expires_at, revoked_at) on answer_links to muster_viewer;

-- What each finished step of a run returned. A run that is taken over is executed from its beginning
-- again; steps that stand here are not done again but return what they returned before. They are
-- found by their keys, so that concurrent steps may finish in any order.
create table run_steps (
  -- The id under which the run's events stand, too.
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  workspace_id uuid not null,
  -- json, not jsonb: a step returns the very same again.
  result json not null,
  created_at timestamptz not null default now(),
  -- What a person who reads a run is told of its finished steps, written by the statement that stores the step. Times
  -- are those of the process that did it, so that a step is never shorter than nothing.
  started_at timestamptz,
  -- When the model began to answer.
  first_token_at timestamptz,
  ended_at timestamptz,
  -- Short: what lists of steps show. See `stepFacts` in src/domain/runs/step-facts.ts.
  facts json,
  -- What a model was sent, as far as it was not sent by the turn's call before; a tool's arguments; the question to a
  -- person.
  request json,
  -- The tries of a model call of which one has failed.
  tries json,
  -- What was exchanged with the provider in tries that failed, without secrets.
  exchanges json,
  primary key (run_id, attempt, key)
);
create index run_steps_created_at_idx on run_steps using brin (created_at);
alter table run_steps enable row level security;
create policy tenant on run_steps using (workspace_id is not distinct from (select current_workspace_id()));
-- The journal of a fork's attempt begins with what the fork takes over; that of a resumed run has the answer.
grant select on run_steps to muster_viewer;
grant insert on run_steps to muster_app;

-- Executions: from the claim of a run's job to its end, to a question, to the hand-over by a process that stops, or to
-- the death of its process. A row is written by the statement that ends it; the one that is running is in jobs.
create table run_executions (
  run_id uuid not null,
  attempt integer not null,
  fence integer not null,
  workspace_id uuid not null,
  -- Host and process id.
  process text,
  began_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  outcome text not null check (outcome in ('finished', 'waiting', 'handed_over', 'lost')),
  primary key (run_id, attempt, fence)
);
create index run_executions_ended_at_idx on run_executions using brin (ended_at);
alter table run_executions enable row level security;
create policy tenant on run_executions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_executions to muster_viewer;
grant insert on run_executions to muster_app;

-- Threads of AG-UI clients whose id is not their task's: the client's own name for a conversation with an agent.
create table agent_threads (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  thread_id text not null check (length(thread_id) between 1 and 200),
  task_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, thread_id),
  foreign key (workspace_id, agent_id) references agents(workspace_id, id) on delete cascade,
  foreign key (workspace_id, task_id) references tasks(workspace_id, id) on delete cascade
);
create index agent_threads_task_idx on agent_threads (workspace_id, task_id);
-- A task is also found by the id of its thread, which no task has any more: the service assigns those.
create index agent_threads_thread_idx on agent_threads (thread_id, created_at);
alter table agent_threads enable row level security;
create policy tenant on agent_threads using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_threads to muster_viewer;
grant insert on agent_threads to muster_app;

-- A run has a log and a journal of steps under its own id, like a task; they go with it.
create policy tenant on task_streams
  using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and (exists (select from tasks t where t.id = task_streams.log_id)
      or exists (select from team_runs r where r.id = task_streams.log_id)));
create policy tenant on task_events using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from task_streams s where s.log_id = task_events.log_id));


-- The queue
-- =========

-- Jobs: what the queue holds. A job is the durable row behind an attempt of a task, of a team run or of the reading of
-- a document. It exists from the transaction that creates the work to the statement that ends it.
--
-- state: queued, until a process claims it; running; suspended, while it waits for a person's answer.
-- (executor_id, fence): the one fact that says who owns the job. Every claim raises the fence, and every write of an
--   execution carries both; a stale execution's writes are rejected.
-- run_at: a job that is to be retried later is not claimed before the keeper has cleared it; null for all others.
-- crash_count: how often a process died while the job ran, since it last passed a step. Such a job is suspected of it
--   and restarted apart from the others.
create table jobs (
  id uuid primary key,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  attempt integer not null,
  priority smallint not null,
  state text not null check (state in ('queued', 'running', 'suspended')),
  run_at timestamptz,
  executor_id uuid,
  fence integer not null default 0,
  crash_count integer not null default 0,
  -- json, not jsonb: a handler gets the very text that was enqueued.
  input json not null,
  -- receiver: of a delivery, the host and the id of its route or subscription; null for all other kinds.
  -- lane: the part of a kind's queue in which jobs are claimed in order, and have slots of their own: the receiver, or
  -- the workspace. So one receiver that does not reply holds up no other.
  receiver text collate "C",
  lane text collate "C" generated always as (coalesce(receiver, workspace_id::text)) stored not null,
  -- Which of the jobs that ran when a process died is to blame.
  --
  -- crash_count: how often a process died while the job ran, since it last passed a step.
  -- suspicion: how much speaks against the job. 0: nothing; 1: a process died while it and others ran; 2: that happened
  --   during its trial together with a few others, or it was the process's only job; from 2 on each trial alone in which
  --   the process dies adds one, and at 4 the job has failed.
  -- trial: whether the job is being tried, and how: the deaths during a trial count against those in it.
  suspicion smallint not null default 0,
  trial text check (trial in ('together', 'alone')),
  -- When the newest execution claimed it, and the host and process id of that.
  claimed_at timestamptz,
  claimed_by text,
  unique (subject_id, attempt),
  constraint jobs_one_owner check ((state = 'running') = (executor_id is not null))
) with (fillfactor = 70);
create index jobs_delayed_idx on jobs (run_at) where state = 'queued' and run_at is not null;
create index jobs_executor_idx on jobs (executor_id) where executor_id is not null;
-- Ids are ordered by time: in a workspace's part of the queue the urgent ones come first, then the older ones.
create index jobs_queue_idx on jobs (kind, lane, priority, id)
  where state = 'queued' and run_at is null and suspicion = 0;
create index jobs_suspects_idx on jobs (kind, suspicion, id)
  where state = 'queued' and run_at is null and suspicion > 0;
alter table jobs enable row level security;
create policy tenant on jobs using (workspace_id is not distinct from (select current_workspace_id()));
-- What tells a person how a run is executed, and how long a queued one still waits.
grant select (id, workspace_id, kind, subject_id, attempt, priority, state, run_at, fence, lane, suspicion, claimed_at,
  claimed_by) on jobs to muster_viewer;
grant select, insert, update, delete on jobs to muster_app;

create table executors (
  id uuid primary key,
  host text not null,
  pid integer not null,
  beat bigint not null default 0,
  started_at timestamptz not null default now()
) with (fillfactor = 50);
alter table executors enable row level security;

-- The process that looks after all others: it finds the dead, what is due, and what waits. The epoch grows with every
-- election.
create table keeper (
  is_only boolean default true check (is_only) primary key,
  executor_id uuid,
  epoch bigint not null default 0
);
alter table keeper enable row level security;


-- Usage and budgets
-- =================
-- Before a call of a model its worst case is reserved in every budget that applies to it; when the call is over, the
-- reservation is replaced by what was used.

-- What was spent stays on record, whatever becomes of the task and the agent. Only the engine writes here,
-- from a task's own row: no reference has to be checked.
create table usage_records (
  id uuid primary key,
  workspace_id uuid not null,
  task_id uuid,
  agent_id uuid,
  attempt integer not null,
  step integer,
  provider text not null,
  model text not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  estimated_cost_usd numeric(14,8) not null,
  billing_model text not null check (billing_model in ('per-token', 'subscription-quota')),
  created_at timestamptz not null default clock_timestamp(),
  -- What a team run's agents used is counted for the run.
  team_run_id uuid,
  agent_version integer,
  -- Usage by team: a team's runs may be deleted, and what was spent stays on record.
  team_id uuid,
  -- The turn in a team's run in which it was used, by the key under which its steps are recorded: step:1:attempt:0,
  -- turn:3, brain, delegation:call_1. Null for tasks.
  turn text
);
create index usage_records_newest_idx on usage_records (workspace_id, created_at desc);
create index usage_records_agent_idx on usage_records (agent_id);
create index usage_records_team_run_idx on usage_records (team_run_id) where team_run_id is not null;
create index usage_records_task_idx on usage_records (task_id, attempt, step);
create index usage_records_created_at_idx on usage_records using brin (created_at);
alter table usage_records enable row level security;
create policy tenant on usage_records using (workspace_id is not distinct from (select current_workspace_id()));
grant select on usage_records to muster_viewer;
grant select on usage_records to muster_app;

-- target_id: the workspace, the agent, the team, or the task or team run of a single run.
-- period: over what spending is counted: one run's attempt, a day or a month in UTC, or for good.
create table budgets (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  scope text not null check (scope in ('workspace', 'agent', 'team', 'run')),
  target_id uuid not null,
  period text not null check (period in ('run', 'day', 'month', 'total')),
  max_usd numeric(14,8) check (max_usd >= 0::numeric),
  max_tokens bigint check (max_tokens >= 0),
  on_breach text not null check (on_breach in ('stop', 'ask')),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint budgets_target_key unique (target_id, period),
  constraint budgets_check check (num_nonnulls(max_usd, max_tokens) > 0),
  constraint budgets_check1 check (scope <> 'run' or period = 'run')
);
create index budgets_newest_idx on budgets (workspace_id, created_at desc);
create index budgets_standing_idx on budgets (workspace_id) where scope <> 'run';
alter table budgets enable row level security;
create policy tenant on budgets using (workspace_id is not distinct from (select current_workspace_id()));
grant select on budgets to muster_viewer;
grant insert on budgets to muster_app;
grant delete, update (max_usd, max_tokens, on_breach, updated_at) on budgets to muster_admin;

-- What of a budget is used in one run's attempt, day or month. Its budget's row is the lock of all its windows.
-- extra_*: what people have approved on top of the cap.
create table budget_windows (
  budget_id uuid not null,
  key text not null,
  workspace_id uuid not null,
  used_usd numeric(16,8) not null default 0,
  used_tokens bigint not null default 0,
  reserved_usd numeric(16,8) not null default 0,
  reserved_tokens bigint not null default 0,
  extra_usd numeric(16,8) not null default 0,
  extra_tokens bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (budget_id, key),
  foreign key (workspace_id, budget_id) references budgets(workspace_id, id) on delete cascade
) with (fillfactor = 70);
alter table budget_windows enable row level security;
create policy tenant on budget_windows using (workspace_id is not distinct from (select current_workspace_id()));
grant select on budget_windows to muster_viewer;
grant insert on budget_windows to muster_admin;

-- The worst case of a call that is in progress, by the id of the usage record that it will write. A run's
-- step has one at most: what stands here when the step is done again is of a call whose process died.
create table budget_reservations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  attempt integer not null,
  step text not null,
  budget_ids uuid[] not null,
  keys text[] not null,
  usd numeric(14,8) not null,
  tokens bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint budget_reservations_step_key unique (run_id, attempt, step)
);
alter table budget_reservations enable row level security;
create policy tenant on budget_reservations using (workspace_id is not distinct from (select current_workspace_id()));
grant select on budget_reservations to muster_viewer;

-- What a person has approved, once for each answer.
create table budget_extensions (
  budget_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  answer text not null,
  workspace_id uuid not null,
  key text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (budget_id, run_id, attempt, answer),
  foreign key (workspace_id, budget_id) references budgets(workspace_id, id) on delete cascade
);
alter table budget_extensions enable row level security;
create policy tenant on budget_extensions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on budget_extensions to muster_viewer;

-- Members cap runs that they start; the rest is for admins.
create policy capped_runs on budgets as restrictive for insert
  with check (scope = 'run' or pg_has_role(current_user, 'muster_admin', 'member'));


-- What runs came to and what they used, by hour
-- =============================================
-- The overview and statistics read counters, however many runs there are.

-- The end of each attempt of a task or of a team run without one, written in the transaction of that end, so that runs
-- never wait for each other at a counter. Soon after it is added to the counters, and deleted here.
create table run_ends (
  run_id uuid not null,
  attempt integer not null,
  workspace_id uuid not null,
  agent_id uuid,
  team_id uuid,
  hour timestamptz not null,
  status text not null,
  error_code text not null,
  duration_bucket smallint not null,
  primary key (run_id, attempt)
);
alter table run_ends enable row level security;
create policy tenant on run_ends using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_ends to muster_viewer;

-- Attempts that ended, by hour in UTC.
-- subject_id: the agent or team that did them, or the workspace, for all of them.
-- error_code: of those that failed; else empty.
-- duration_bucket: of logarithmic size, see duration_bucket(); -1 for attempts that never started.
create table run_hours (
  workspace_id uuid not null,
  subject_id uuid not null,
  hour timestamptz not null,
  status text not null check (status in ('completed', 'failed', 'cancelled')),
  error_code text not null,
  duration_bucket smallint not null,
  runs integer not null,
  primary key (workspace_id, subject_id, hour, status, error_code, duration_bucket)
);
alter table run_hours enable row level security;
create policy tenant on run_hours using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_hours to muster_viewer;

-- Sums of usage_records, by hour in UTC.
create table usage_hours (
  workspace_id uuid not null,
  hour timestamptz not null,
  agent_id uuid,
  team_id uuid,
  provider text not null,
  model text not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_usd numeric not null,
  constraint usage_hours_key unique nulls not distinct (workspace_id, hour, agent_id, team_id, provider, model)
);
create index usage_hours_agent_idx on usage_hours (agent_id, hour) where agent_id is not null;
alter table usage_hours enable row level security;
create policy tenant on usage_hours using (workspace_id is not distinct from (select current_workspace_id()));
grant select on usage_hours to muster_viewer;

-- Up to when usage_records are summed up in usage_hours; always a full hour.
create table usage_sums (
  is_only boolean primary key default true check (is_only),
  until timestamptz not null
);
insert into usage_sums (until) values (date_trunc('hour', clock_timestamp(), 'UTC'));
alter table usage_sums enable row level security;
create policy everybody on usage_sums for select using (true);
grant select on usage_sums to muster_viewer;


-- Files
-- =====
-- Contents are kept outside of the database, by key. stray_blobs lists those that no row holds: being uploaded, or
-- released. So nothing is left over there, whenever a process dies.

create table files (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- Whose file it is; an upload has neither until a task or a run is made with it, and goes after a day.
  task_id uuid,
  run_id uuid,
  direction text not null check (direction in ('input', 'output')),
  -- Which attempt gave it out.
  attempt integer,
  name text not null check (length(name) between 1 and 255),
  type text not null,
  size integer not null check (size > 0),
  blob_key text not null unique,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint files_check check (task_id is null or run_id is null),
  constraint files_check1 check ((direction = 'output') = (attempt is not null)),
  constraint files_task_fkey foreign key (workspace_id, task_id) references tasks(workspace_id, id) on delete cascade,
  constraint files_run_fkey foreign key (workspace_id, run_id)
    references team_runs(workspace_id, id) on delete cascade
);
create index files_newest_idx on files (workspace_id, created_at desc);
create index files_task_idx on files (task_id, workspace_id, created_at desc) where task_id is not null;
create index files_run_idx on files (run_id, workspace_id, created_at desc) where run_id is not null;
create index files_free_idx on files (created_at) where task_id is null and run_id is null;
alter table files enable row level security;
create policy tenant on files using (workspace_id is not distinct from (select current_workspace_id()));
grant select on files to muster_viewer;
grant insert, delete, update (task_id, run_id) on files to muster_app;

create table stray_blobs (
  key text primary key,
  -- Until then an upload may still be in progress.
  delete_after timestamptz not null,
  -- A process is deleting it: no row can take it any more.
  doomed boolean not null default false
);
create index stray_blobs_delete_after_idx on stray_blobs (delete_after);
alter table stray_blobs enable row level security;


-- Knowledge
-- =========
-- A document's text is kept as passages, which are found by their words (full-text search) and, where a provider has
-- embedded them, by their meaning.

create table knowledge_bases (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 10000),
  -- `provider/model`, `none`, or null for what the instance's setting says.
  embedding_model text check (length(embedding_model) between 1 and 300),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index knowledge_bases_newest_idx on knowledge_bases (workspace_id, created_at desc);
alter table knowledge_bases enable row level security;
create policy tenant on knowledge_bases using (workspace_id is not distinct from (select current_workspace_id()));
grant select on knowledge_bases to muster_viewer;
grant insert, update, delete on knowledge_bases to muster_app;

create table knowledge_documents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  knowledge_base_id uuid not null,
  name text not null check (length(name) between 1 and 300),
  format text not null check (format in ('text', 'markdown', 'html', 'csv', 'json', 'pdf', 'docx')),
  media_type text not null,
  size bigint not null check (size >= 0),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  status text not null default 'pending' check (status in ('pending', 'processing', 'ready', 'failed')),
  -- Why it failed.
  error text,
  -- What is not as it could be, although it is ready: its passages could not be embedded.
  warning text,
  -- Percent of the current attempt.
  progress smallint not null default 0 check (progress between 0 and 100),
  -- How often it was processed, this time included; what an earlier attempt still writes is not taken.
  attempt integer not null default 1,
  passages integer not null default 0,
  -- The space of its embeddings, `provider/model/dimensions`; null: it has none.
  space text,
  -- The original, in the store of blobs.
  blob_key text not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint knowledge_documents_base_fkey foreign key (workspace_id, knowledge_base_id)
    references knowledge_bases(workspace_id, id) on delete cascade
);
create index knowledge_documents_newest_idx on knowledge_documents (workspace_id, created_at desc);
create index knowledge_documents_base_idx on knowledge_documents (knowledge_base_id, created_at desc);
alter table knowledge_documents enable row level security;
create policy tenant on knowledge_documents using (workspace_id is not distinct from (select current_workspace_id()));
grant select on knowledge_documents to muster_viewer;
grant insert, update, delete on knowledge_documents to muster_app;

-- What a search weighs is read as it is stored: unpacking it would cost more than the rest of the search.
create table passages (
  id uuid not null,
  workspace_id uuid not null,
  -- The knowledge base, or whatever else is searched as one.
  scope uuid not null,
  document_id uuid,
  -- Its place in the document, from 0.
  position integer not null,
  -- The heading under which it stands, and the page on which it begins; null where there are none.
  heading text,
  page integer,
  content text not null,
  search tsvector generated always as (passage_vector(workspace_id, scope, heading, content)) stored not null,
  memory_id uuid,
  primary key (id, workspace_id),
  unique (document_id, "position"),
  constraint passages_document_fkey foreign key (workspace_id, document_id)
    references knowledge_documents(workspace_id, id) on delete cascade,
  constraint passages_memory_fkey foreign key (workspace_id, memory_id)
    references team_memories(workspace_id, id) on delete cascade
) with (toast_tuple_target = 8160);
create index passages_search_idx on passages using gin (search)
  with (fastupdate = on, gin_pending_list_limit = 16384);
create unique index passages_memory_idx on passages (memory_id) where memory_id is not null;
-- Passages of a scope in an order that has nothing to do with their texts: its beginning is a sample of the scope, and
-- how far the beginning reaches says how many there are.
create index passages_sample_idx on passages (scope, uuid_hash(id)) include (id, workspace_id);
alter table passages enable row level security;
create policy tenant on passages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on passages to muster_viewer;
grant insert, update, delete on passages to muster_app;

-- Apart from the passages, so that a look at all of a scope's vectors reads little: `signs` is a vector's
-- signs, one bit each, and enough to find the nearest few hundred; `embedding` (of length 1) then ranks those.
create table passage_embeddings (
  passage_id uuid primary key,
  workspace_id uuid not null,
  scope uuid not null,
  space text not null,
  embedding real[] storage external not null,
  code bit varying generated always as (vector_code(embedding)) stored not null,
  constraint passage_embeddings_passage_fkey foreign key (passage_id, workspace_id)
    references passages(id, workspace_id) on delete cascade
);
create index passage_embeddings_code_idx
  on passage_embeddings (scope, space) include (workspace_id, passage_id, code);
alter table passage_embeddings enable row level security;
create policy tenant on passage_embeddings using (workspace_id is not distinct from (select current_workspace_id()));
grant select on passage_embeddings to muster_viewer;
grant insert, update, delete on passage_embeddings to muster_app;


-- Schedules and triggers
-- ======================
-- Work that begins by itself: schedules make tasks repeatedly, triggers make one for each request of another
-- system.

-- next_times: when it will make tasks, as far as known (five, while there are as many); empty while it is paused.
-- missed: what becomes of times at which the service was away: skip, once (one task for all), all.
-- overlap: whether it makes a task while its last one has not ended.
create table schedules (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  cron text not null,
  time_zone text not null,
  missed text not null check (missed in ('skip', 'once', 'all')),
  overlap text not null check (overlap in ('allow', 'skip')),
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null check (length(title) between 1 and 200),
  description text not null,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  metadata jsonb not null,
  next_times timestamptz[] not null,
  next_at timestamptz generated always as (next_times[1]) stored,
  last_fired_at timestamptz,
  last_task_id uuid,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  -- Schedules find out that the database's clock was set back: their next times were planned at a time that is still to
  -- come. They are planned again then, so that one planned by a wrong clock does not wait for years.
  planned_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint schedules_assignee_check check (num_nonnulls(assigned_agent_id, assigned_team_id) = 1),
  constraint schedules_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents(workspace_id, id) on delete cascade,
  constraint schedules_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams(workspace_id, id) on delete cascade
);
create index schedules_newest_idx on schedules (workspace_id, created_at desc);
create index schedules_next_idx on schedules (next_at) where next_at is not null;
create index schedules_agent_idx on schedules (assigned_agent_id) where assigned_agent_id is not null;
create index schedules_team_idx on schedules (assigned_team_id) where assigned_team_id is not null;
create index schedules_planned_idx on schedules (planned_at) where next_at is not null;
alter table schedules enable row level security;
create policy tenant on schedules using (workspace_id is not distinct from (select current_workspace_id()));
grant select on schedules to muster_viewer;
grant insert, update, delete on schedules to muster_app;

-- What became of the times of a schedule, and the tasks that people made of it between them (manual). It is written
-- with the task that it tells of.
-- scheduled_at: the time; of several that were skipped together the first, and ticks says how many they were.
create table schedule_fires (
  id uuid primary key,
  workspace_id uuid not null,
  schedule_id uuid not null,
  scheduled_at timestamptz not null,
  outcome text not null check (outcome in ('fired', 'missed', 'overlap', 'quota', 'manual')),
  ticks integer not null,
  -- Not a reference: the log stays what it was when a task goes.
  task_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint schedule_fires_once unique (schedule_id, scheduled_at),
  foreign key (workspace_id, schedule_id) references schedules(workspace_id, id) on delete cascade
);
create index schedule_fires_newest_idx on schedule_fires (schedule_id, created_at desc);
create index schedule_fires_created_at_idx on schedule_fires using brin (created_at);
alter table schedule_fires enable row level security;
create policy tenant on schedule_fires using (workspace_id is not distinct from (select current_workspace_id()));
grant select on schedule_fires to muster_viewer;
grant insert on schedule_fires to muster_app;

-- token_hash: SHA-256 of the token in its address. secret_ciphertext: the key of senders' signatures, if they sign.
create table triggers (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash text not null unique,
  token_prefix text not null,
  secret_ciphertext text,
  has_secret boolean generated always as (secret_ciphertext is not null) stored not null,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null check (length(title) between 1 and 200),
  description text not null,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  metadata jsonb not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint triggers_assignee_check check (num_nonnulls(assigned_agent_id, assigned_team_id) = 1),
  constraint triggers_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents(workspace_id, id) on delete cascade,
  constraint triggers_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams(workspace_id, id) on delete cascade
);
create index triggers_newest_idx on triggers (workspace_id, created_at desc);
create index triggers_agent_idx on triggers (assigned_agent_id) where assigned_agent_id is not null;
create index triggers_team_idx on triggers (assigned_team_id) where assigned_team_id is not null;
alter table triggers enable row level security;
create policy tenant on triggers using (workspace_id is not distinct from (select current_workspace_id()));
-- What opens a trigger is for the service alone.
grant select (id, workspace_id, name, token_prefix, has_secret, is_active, assigned_agent_id, assigned_team_id,
  title, description, priority, metadata, created_by, created_at, updated_at) on triggers to muster_viewer;
grant insert, update, delete on triggers to muster_app;

-- delivery_key: the sender's own name for an accepted delivery; the same one again makes no other task.
create table trigger_deliveries (
  id uuid primary key,
  workspace_id uuid not null,
  trigger_id uuid not null,
  delivery_key text check (length(delivery_key) between 1 and 255),
  -- SHA-256 of the body.
  body_hash text not null,
  bytes integer not null,
  outcome text not null check (outcome in ('accepted', 'refused')),
  reason text,
  -- Not a reference: the log stays what it was when a task goes.
  task_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint trigger_deliveries_once unique (trigger_id, delivery_key),
  foreign key (workspace_id, trigger_id) references triggers(workspace_id, id) on delete cascade
);
create index trigger_deliveries_newest_idx on trigger_deliveries (trigger_id, created_at desc);
create index trigger_deliveries_created_at_idx on trigger_deliveries using brin (created_at);
alter table trigger_deliveries enable row level security;
create policy tenant on trigger_deliveries using (workspace_id is not distinct from (select current_workspace_id()));
grant select on trigger_deliveries to muster_viewer;
grant insert on trigger_deliveries to muster_app;


-- Tools of workspaces, and agents elsewhere
-- =========================================

create table custom_tools (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  description text not null,
  parameters jsonb not null,
  url text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  -- The headers as JSON, sealed; null when there are none.
  headers_ciphertext text,
  -- The same headers as they are shown: an object of their names and what may be seen of each.
  headers_shown jsonb not null default '{}',
  timeout_ms integer not null check (timeout_ms between 100 and 120000),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint custom_tools_name_key unique (workspace_id, name),
  unique (workspace_id, id)
);
create index custom_tools_newest_idx on custom_tools (workspace_id, created_at desc, id desc);
alter table custom_tools enable row level security;
create policy tenant on custom_tools using (workspace_id is not distinct from (select current_workspace_id()));
-- Headers are read by the service, which makes the calls, and written by those who manage keys.
grant select (id, workspace_id, name, description, parameters, url, method, headers_shown, timeout_ms, created_by,
  created_at, updated_at) on custom_tools to muster_viewer;
grant select on custom_tools to muster_app;
grant insert, update, delete on custom_tools to muster_admin;

create table custom_tool_calls (
  id uuid primary key,
  workspace_id uuid not null,
  tool_id uuid not null,
  -- The task or team run for which it was called; null for a test by a person.
  task_id uuid,
  -- What the endpoint answered; null when it gave no answer.
  http_status integer,
  duration_ms integer not null,
  -- Why the call failed; null when it did not.
  error text,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, tool_id) references custom_tools(workspace_id, id) on delete cascade
);
create index custom_tool_calls_newest_idx on custom_tool_calls (tool_id, created_at desc, id desc);
create index custom_tool_calls_created_at_idx on custom_tool_calls (created_at);
alter table custom_tool_calls enable row level security;
create policy tenant on custom_tool_calls using (workspace_id is not distinct from (select current_workspace_id()));
grant select on custom_tool_calls to muster_viewer;
grant insert on custom_tool_calls to muster_app;

create table mcp_servers (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- How agents name it: mcp:<name>/<tool>.
  name text not null check (name ~ '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$' and length(name) <= 32),
  url text not null,
  -- The headers as JSON, encrypted; null when there are none.
  headers_ciphertext text,
  -- The same headers as they are shown: an object of their names and what may be seen of each.
  headers_shown jsonb not null default '{}',
  timeout_ms integer not null check (timeout_ms between 100 and 600000),
  is_enabled boolean not null default true,
  -- What the server said of itself when its tools were listed last.
  info jsonb not null,
  tools_fetched_at timestamptz not null default clock_timestamp(),
  -- Why the tools could not be listed again; null when they could.
  last_error text,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint mcp_servers_name_key unique (workspace_id, name),
  unique (workspace_id, id)
);
create index mcp_servers_newest_idx on mcp_servers (workspace_id, created_at desc, id desc);
alter table mcp_servers enable row level security;
create policy tenant on mcp_servers using (workspace_id is not distinct from (select current_workspace_id()));
-- Tools are also listed again by the service, whenever it connects for an agent.
grant select (id, workspace_id, name, url, headers_shown, timeout_ms, is_enabled, info, tools_fetched_at, last_error,
  created_by, created_at, updated_at) on mcp_servers to muster_viewer;
grant select, update (info, tools_fetched_at, last_error) on mcp_servers to muster_app;
grant insert, delete, update (url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, updated_at)
  on mcp_servers to muster_admin;

create table mcp_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  name text not null,
  -- Its place in the server's list.
  position integer not null,
  title text,
  description text not null,
  -- A JSON Schema; not jsonb, which would put its properties in another order than the model is to read them.
  input_schema json not null,
  annotations jsonb not null,
  -- Why agents cannot use it; null when they can.
  issue text,
  primary key (server_id, name),
  foreign key (workspace_id, server_id) references mcp_servers(workspace_id, id) on delete cascade
);
create index mcp_tools_workspace_idx on mcp_tools (workspace_id, server_id);
alter table mcp_tools enable row level security;
create policy tenant on mcp_tools using (workspace_id is not distinct from (select current_workspace_id()));
grant select on mcp_tools to muster_viewer;
grant insert, update, delete on mcp_tools to muster_app;

create table remote_agents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  base_url text not null,
  -- What is used of the agent's card, as it was fetched last.
  card jsonb not null,
  card_fetched_at timestamptz not null default clock_timestamp(),
  -- Why the card could not be fetched again; null when it could.
  card_error text,
  is_enabled boolean not null default true,
  -- The bearer token of requests to it, encrypted; null for none.
  token_ciphertext text,
  has_token boolean generated always as (token_ciphertext is not null) stored not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint remote_agents_base_url_key unique (workspace_id, base_url),
  unique (workspace_id, id)
);
create index remote_agents_newest_idx on remote_agents (workspace_id, created_at desc, id desc);
alter table remote_agents enable row level security;
create policy tenant on remote_agents using (workspace_id is not distinct from (select current_workspace_id()));
-- The service also refreshes cards, on behalf of members who run an agent.
grant select (id, workspace_id, base_url, card, card_fetched_at, card_error, is_enabled, has_token, created_by,
  created_at, updated_at) on remote_agents to muster_viewer;
grant select, update (card, card_fetched_at, card_error) on remote_agents to muster_app;
grant insert, delete, update (is_enabled, token_ciphertext, updated_at) on remote_agents to muster_admin;

-- One row per delegation, so that one that was interrupted asks for the remote task instead of sending again.
create table remote_calls (
  workspace_id uuid not null,
  -- The same for every execution of the same tool call.
  key text not null,
  remote_agent_id uuid not null,
  -- The task or team run that delegates.
  subject_id uuid not null,
  -- The remote agent's names for the work; null until it has told them.
  remote_task_id text,
  remote_context_id text,
  created_at timestamptz not null default clock_timestamp(),
  -- When the remote task ended, or was cancelled for us.
  ended_at timestamptz,
  primary key (workspace_id, key),
  foreign key (workspace_id, remote_agent_id) references remote_agents(workspace_id, id) on delete cascade
);
create index remote_calls_open_idx on remote_calls (created_at) where ended_at is null;
alter table remote_calls enable row level security;
create policy tenant on remote_calls using (workspace_id is not distinct from (select current_workspace_id()));
grant select on remote_calls to muster_viewer;
grant insert, update on remote_calls to muster_app;

-- Where a client wants to be notified of a task's progress.
create table push_configs (
  id uuid primary key,
  workspace_id uuid not null,
  task_id uuid not null,
  -- The client's own name for it, unique within the task.
  name text not null check (length(name) between 1 and 255),
  url text not null,
  -- The HTTP authentication scheme that the receiver expects; null for none.
  auth_scheme text,
  -- The notification token and the credentials as JSON, encrypted; null when there are none.
  secrets_ciphertext text,
  created_at timestamptz not null default clock_timestamp(),
  -- version: of A2A, in whose shapes the configuration's notifications are.
  version text not null check (version in ('0.3', '1.0')),
  unique (task_id, name),
  foreign key (workspace_id, task_id) references tasks(workspace_id, id) on delete cascade
);
alter table push_configs enable row level security;
create policy tenant on push_configs using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, task_id, name, url, auth_scheme, created_at, version) on push_configs
  to muster_viewer;
grant select, insert, update, delete on push_configs to muster_app;


-- Where results go
-- ================
-- Deliveries are written by triggers, in the transaction that ends the task or the team run: no statement that ends one
-- can omit them, and no crash can lose one.

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
  -- previous_secret_ciphertext: the secret before the last rotation, until previous_secret_until.
  previous_secret_ciphertext text,
  previous_secret_until timestamptz,
  unique (workspace_id, id),
  constraint webhook_subscriptions_agent_fkey foreign key (workspace_id, agent_id)
    references agents(workspace_id, id) on delete cascade,
  constraint webhook_subscriptions_team_fkey foreign key (workspace_id, team_id)
    references teams(workspace_id, id) on delete cascade
);
create index webhook_subscriptions_newest_idx on webhook_subscriptions (workspace_id, created_at desc);
create index webhook_subscriptions_event_idx on webhook_subscriptions (workspace_id, event) where is_active;
alter table webhook_subscriptions enable row level security;
create policy tenant on webhook_subscriptions using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, target_url, event, agent_id, team_id, is_active, created_by, created_at)
  on webhook_subscriptions to muster_viewer;
grant insert, delete, select (secret_ciphertext), update (is_active, secret_ciphertext,
  previous_secret_ciphertext, previous_secret_until) on webhook_subscriptions to muster_app;

-- config: the fields of the type, secrets masked. secrets_ciphertext: those fields as JSON, encrypted.
-- host: what limits how many deliveries run at a time. retry_delays: seconds before the second attempt, the third, …
-- failures_in_row: deliveries that were given up since the last success.
create table output_routes (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null,
  events text[] not null check (events <@ '{task.completed,task.failed,team_run.completed,team_run.failed}'::text[]),
  is_active boolean not null,
  config jsonb not null,
  secrets_ciphertext text,
  host text not null,
  retry_delays integer[] not null,
  failures_in_row integer not null default 0,
  health text generated always as (
case
    when failures_in_row < 20 then 'healthy'
    else 'unhealthy'
end) stored not null,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create index output_routes_newest_idx on output_routes (workspace_id, created_at desc);
alter table output_routes enable row level security;
create policy tenant on output_routes using (workspace_id is not distinct from (select current_workspace_id()));
-- What opens a receiver is for the service alone.
grant select (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row, health,
  last_success_at, last_failure_at, created_by, created_at, updated_at) on output_routes to muster_viewer;
grant select, insert, update, delete on output_routes to muster_admin;

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
alter table delivery_events enable row level security;
create policy tenant on delivery_events using (workspace_id is not distinct from (select current_workspace_id()));
grant select on delivery_events to muster_viewer;
grant insert on delivery_events to muster_app;

-- One message to one receiver. The receiver is no reference: the log outlives it. The workspace is that of the event.
-- next_attempt_at: of a pending delivery, when its next attempt is due.
--
-- The end of an attempt changes no indexed column: where its page has space, it adds no index entries.
create table deliveries (
  id uuid default time_ordered_id() primary key,
  workspace_id uuid not null,
  event_id uuid not null,
  event text not null,
  task_id uuid,
  team_run_id uuid,
  route_id uuid,
  subscription_id uuid,
  target_id uuid generated always as (coalesce(route_id, subscription_id)) stored not null,
  target_name text not null,
  type text not null,
  host text not null,
  is_test boolean not null default false,
  redelivery_of uuid,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  http_code integer,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
  unique (workspace_id, id),
  check (num_nonnulls(route_id, subscription_id) = 1),
  foreign key (workspace_id, event_id) references delivery_events(workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index deliveries_newest_idx on deliveries (workspace_id, created_at desc);
create index deliveries_target_idx on deliveries (target_id, created_at desc);
create index deliveries_redelivery_idx on deliveries (redelivery_of) where redelivery_of is not null;
create index deliveries_event_idx on deliveries (event_id);
create index deliveries_task_idx on deliveries (task_id) where task_id is not null;
create index deliveries_created_at_idx on deliveries using brin (created_at);
alter table deliveries enable row level security;
create policy tenant on deliveries using (workspace_id is not distinct from (select current_workspace_id()));
grant select on deliveries to muster_viewer;
grant insert on deliveries to muster_app;

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
  foreign key (workspace_id, delivery_id) references deliveries(workspace_id, id) on delete cascade
);
create index delivery_attempts_delivery_idx on delivery_attempts (delivery_id, attempt);
create index delivery_attempts_newest_idx on delivery_attempts (workspace_id, created_at desc);
alter table delivery_attempts enable row level security;
create policy tenant on delivery_attempts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on delivery_attempts to muster_viewer;

-- The Google account of a workspace. tokens_ciphertext: access and refresh token as JSON, encrypted.
-- refreshing_until: one process refreshes the tokens for all, until then. error: why the account is disabled.
create table google_connections (
  id uuid primary key,
  workspace_id uuid not null unique references workspaces on delete cascade,
  email text not null,
  tokens_ciphertext text not null,
  expires_at timestamptz not null,
  status text not null check (status in ('active', 'disabled')),
  error text,
  refreshing_until timestamptz,
  connected_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
alter table google_connections enable row level security;
create policy tenant on google_connections using (workspace_id is not distinct from (select current_workspace_id()));
-- Tokens and secrets are for the service alone.
grant select (id, workspace_id, email, expires_at, status, error, connected_by, created_at, updated_at)
  on google_connections to muster_viewer;
grant delete on google_connections to muster_admin;

-- Connections that people have begun: each state is good once, for ten minutes. Only its SHA-256 is kept.
create table oauth_states (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  state_hash text not null unique,
  user_id uuid not null references users on delete cascade,
  redirect_uri text not null,
  expires_at timestamptz not null
);
create index oauth_states_expires_at_idx on oauth_states (expires_at);
alter table oauth_states enable row level security;
create policy tenant on oauth_states using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, user_id, expires_at) on oauth_states to muster_viewer;
grant insert on oauth_states to muster_admin;

-- Boards whose cards become tasks. list_id: only cards in this list; null for all. secret_ciphertext: the Trello app's
-- secret, with which its calls are signed.
create table trello_channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  list_id text,
  secret_ciphertext text not null,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint trello_channels_assignee_check check (num_nonnulls(assigned_agent_id, assigned_team_id) = 1),
  constraint trello_channels_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents(workspace_id, id) on delete cascade,
  constraint trello_channels_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams(workspace_id, id) on delete cascade
);
create index trello_channels_newest_idx on trello_channels (workspace_id, created_at desc);
create index trello_channels_agent_idx on trello_channels (assigned_agent_id) where assigned_agent_id is not null;
create index trello_channels_team_idx on trello_channels (assigned_team_id) where assigned_team_id is not null;
alter table trello_channels enable row level security;
create policy tenant on trello_channels using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, name, list_id, is_active, assigned_agent_id, assigned_team_id, priority, created_by,
  created_at) on trello_channels to muster_viewer;
grant insert, delete on trello_channels to muster_admin;

-- Which task came from which card: a card makes one task, and its result goes back to the card.
create table card_mappings (
  id uuid primary key,
  workspace_id uuid not null,
  channel_id uuid not null,
  card_id text not null,
  -- Not a reference: the card is not taken again when its task is deleted.
  task_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint card_mappings_once unique (channel_id, card_id),
  foreign key (workspace_id, channel_id) references trello_channels(workspace_id, id) on delete cascade
);
create index card_mappings_task_idx on card_mappings (task_id);
alter table card_mappings enable row level security;
create policy tenant on card_mappings using (workspace_id is not distinct from (select current_workspace_id()));
grant select on card_mappings to muster_viewer;
grant insert on card_mappings to muster_app;


-- What people see of changes
-- ==========================

-- Workspaces whose changes somebody watches in a page. Each process with viewers says so every few seconds; changes are
-- announced only while one has. Nothing is lost with the table: it is filled again within that time.
create unlogged table live_viewers (
  workspace_id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);
alter table live_viewers enable row level security;
create policy tenant on live_viewers using (workspace_id is not distinct from (select current_workspace_id()));
grant select on live_viewers to muster_viewer;

-- Who changed what in a workspace: written by triggers in the transaction of the change, and never changed itself.
--
-- actor_id: the person; null for the service or its operator. key_id: the key that was used.
-- subject_*: what was changed, by the name that it had.
-- changes: by field a pair of before and after; null where the values are secret or long.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  key_id uuid,
  key_label text,
  action text not null,
  subject_kind text not null,
  subject_id uuid,
  subject_name text,
  changes jsonb not null default '{}'
);
create index audit_log_newest_idx on audit_log (workspace_id, at desc, id desc);
create index audit_log_actor_idx on audit_log (workspace_id, actor_id, at desc, id desc);
create index audit_log_kind_idx on audit_log (workspace_id, subject_kind, at desc, id desc);
alter table audit_log enable row level security;
create policy tenant on audit_log using (workspace_id is not distinct from (select current_workspace_id()));
grant select on audit_log to muster_admin;


-- References between subjects that name a table that comes later

-- An agent goes back to its own voice or template when the saved one is deleted.
alter table agents add constraint agents_voice_profile_fkey foreign key (workspace_id, voice_profile_id)
  references voice_profiles(workspace_id, id) on delete set null (voice_profile_id);
alter table agents add constraint agents_output_template_fkey foreign key (workspace_id,
  output_template_id) references output_templates(workspace_id, id) on delete set null (output_template_id);
-- A run that does a task's work goes with it.
alter table team_runs add constraint team_runs_task_fkey foreign key (workspace_id, task_id)
  references tasks(workspace_id, id) on delete cascade;

-- The one row of the keeper.
insert into keeper default values;
