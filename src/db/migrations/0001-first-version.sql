-- The schema of the first version, ordered by subject. Later changes are separate migrations in this folder. Functions,
-- views and triggers are in ../routines. ../gen/schema.sql shows the resulting schema.
--
-- Tenancy: every table with a workspace_id has a row-level security policy. The policy compares the column with the
-- setting muster.workspace_id. Requests run as one of three roles, which own nothing and cannot bypass row-level
-- security. Migrations, the engine and the lookup of keys run as the role of DATABASE_URL. References between tenants'
-- tables include the workspace's id, so no row can reference another workspace.
--
-- A member's role is a database role. A viewer can only read, a member (muster_app) can also define and run work, an
-- admin can also manage keys and members. Each right is granted once; higher roles inherit it.

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
      -- Another database of the same server created the role concurrently.
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  -- Roles that an administrator created already inherit. Altering them may need rights that this role lacks.
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

-- The table API: one view per table, with the columns, names and types that its clients see.
create schema table_api;
grant usage on schema table_api to muster_viewer;

-- No request needs temporary tables.
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Functions that defaults, generated columns and policies use
-- ===========================================================

-- The workspace of the current transaction. It is null outside of a workspace; no policy matches then.
create function current_workspace_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.workspace_id', true), '')::uuid;

-- The lexeme that restricts a search to one scope. No text yields it, because no word contains a space.
create function scope_lexeme(workspace uuid, scope uuid) returns text
  language sql immutable strict parallel safe return workspace || ' ' || scope;

-- The search vector of a passage. It contains the words in English stems (words of other languages unchanged), with a
-- higher weight for those of the heading. It also contains the scope's lexeme, so that one index serves both
-- conditions.
create function passage_vector(workspace uuid, scope uuid, heading text, content text) returns tsvector
  language sql immutable parallel safe
  return setweight(to_tsvector('pg_catalog.english', coalesce(heading, '')), 'B')
    || to_tsvector('pg_catalog.english', content)
    || array_to_tsvector(array[scope_lexeme(workspace, scope)]);

-- The words of a title without punctuation, which would join several words into one. The workspace's id is a word too,
-- so that the index finds the titles of one workspace.
create function title_search(workspace_id uuid, title text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array[workspace_id::text])
    || to_tsvector('simple'::regconfig, regexp_replace(left(title, 200), '[!-/:-@\[-`{-~]+', ' ', 'g'));

-- Like UUID version 7: later ids are greater, and adjacent in an index.
create function time_ordered_id() returns uuid language sql volatile parallel safe
  return overlay(replace(gen_random_uuid()::text, '-', '')
    placing lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7' from 1 for 13)::uuid;

-- A vector as bits, which PostgreSQL compares a hundred times faster than numbers. Each value has one bit per bound,
-- set when the value exceeds the bound. Two codes differ in one bit for each bound that separates their
-- vectors' values. Bounds are in units of the values' mean size. Longer vectors have fewer bounds, so that codes are
-- short enough for an index.
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

-- Types of arguments and results of functions
-- ===========================================

-- A model call before it is made. targets: the ids whose budgets apply to it. usd: null for a model without a price.
-- usage: its usage record, if it is interrupted.
create type budget_call as (
  id uuid, workspace_id uuid, targets uuid[], run_id uuid, attempt integer, step text, usd numeric, tokens bigint,
  usage json
);

-- The values of a new job, returned by the functions job_of_*. These run as their caller, under the row-level security
-- of its workspace.
create type new_job as (workspace_id uuid, attempt integer, priority integer, input json);


-- Workspaces, people and keys
-- ===========================
-- Sessions, refresh tokens and password resets belong to persons, not to workspaces. Only the service reads and writes
-- them. Only the service can access tables without a policy.

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
  -- A workspace is deleted in stages. First it is marked, which ends all access to it. Then its rows are deleted in
  -- small transactions, its own row last.
  deleted_at timestamptz,
  -- Its newest slug: see workspace_slugs.
  slug text not null,
  -- paused: no queued task or team run starts; running ones continue. enqueue() calls may_start(). It queues the jobs
  -- with the time 'infinity', which keeps them out of the index that processes claim from.
  paused boolean not null default false,
  -- Whether members may create links to answer one question.
  answer_links boolean not null default false,
  -- Templates of links to the operator's own tools, with placeholders such as {run_id}.
  log_url text,
  trace_url text,
  constraint workspaces_slug_key unique (slug)
);
create index workspaces_deleted_idx on workspaces (id) where deleted_at is not null;
alter table workspaces enable row level security;
grant select on workspaces to muster_viewer;
grant select on workspaces to muster_app;
grant update (name, updated_at, paused, answer_links, log_url, trace_url) on workspaces to muster_admin;

-- Every current and former slug of a workspace. A former slug still leads to its workspace, and no other workspace can
-- claim it. The reference is checked at commit, because a workspace claims its slug before its own row exists.
create table workspace_slugs (
  slug text primary key,
  workspace_id uuid not null references workspaces on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now()
);
create index workspace_slugs_workspace_id_idx on workspace_slugs (workspace_id);
alter table workspace_slugs enable row level security;
create policy tenant on workspace_slugs using (workspace_id is not distinct from (select current_workspace_id()));
-- Every URL of a workspace contains its slug.
grant select on workspace_slugs to muster_viewer;

create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether the e-mail address is verified as the person's: the operator vouches for it, or the person gave it at
  -- sign-up. An invitation's creator also has its link, so an account created by an invitation is not verified. It does
  -- not claim the address; several such accounts may have the same one.
  email_proved boolean not null default true
);
create unique index users_email_key on users (lower(email)) where email_proved;
create index users_email_idx on users (lower(email));
alter table users enable row level security;
-- Only the service reads password hashes.
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
  -- The key that replaces it after a rotation. Set once, when the old key's grace period begins.
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
-- An admin may change a key's settings, not its owner. Members join only by invitation. Only the operator sets a plan.
-- Only the owner ends a workspace; the service checks that.
grant select (id, workspace_id, created_by, kind, label, prefix, scopes, last_used_at, expires_at, created_at,
  replaced_by) on api_keys to muster_viewer;
grant select, insert, delete, update (label, expires_at, replaced_by) on api_keys to muster_admin;

-- An open invitation. Its row is deleted when it is accepted or withdrawn, or when its creator leaves. token_hash:
-- SHA-256 of the link's token. failed_attempts: the number of wrong passwords entered with it.
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

-- A session starts with a sign-in. Its row is deleted when it is revoked or has expired.
-- last_workspace_id: the workspace of its newest access token; the next one is for the same workspace.
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

-- Every refresh token of a session, as its SHA-256. A token is valid until a token issued for it is used, because the
-- response with the new token may be lost. spent_at: the time of that use, or of the use of another token issued for
-- the same one. A token that is used long after it was spent has been copied. issued_for: the token that it was issued
-- for.
create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  spent_at timestamptz,
  issued_for text
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);
create index refresh_tokens_spent_at_idx on refresh_tokens (spent_at) where spent_at is not null;
alter table refresh_tokens enable row level security;

-- One per user: a newer link replaces the older one.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);
alter table password_resets enable row level security;

-- subject: SHA-256 of the limited value (an e-mail address or a client's IP address), so that the table does not list
-- these values.
create table sign_in_attempts (
  subject text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index sign_in_attempts_resets_at_idx on sign_in_attempts (resets_at);
alter table sign_in_attempts enable row level security;

-- One row per counted subject, surface and kind of window: for example a workspace's minute at the envelope API, or a
-- key's minute and month at the table API. The next window reuses the row, so the table does not grow. Processes take
-- permits in blocks. used: the permits granted, spent or not. granted: the newest block, which the granting statement
-- returns. Only the service writes here.
create table request_counts (
  workspace_id uuid not null references workspaces on delete cascade,
  subject_id uuid not null,
  period text not null check (period in ('minute', 'month')),
  window_start timestamptz not null,
  allowed integer not null,
  used integer not null,
  granted integer not null,
  -- The table API counts both workspaces and keys. A workspace has separate counts at the envelope API and at the table
  -- API, so the surface is part of the key. All surfaces but the envelope API share one more count (shared). Tests of
  -- provider keys have their own.
  surface text not null default 'envelope' check (surface in ('envelope', 'shared', 'table', 'provider-test')),
  primary key (workspace_id, subject_id, surface, period)
) with (fillfactor = 50);
alter table request_counts enable row level security;
create policy tenant on request_counts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on request_counts to muster_viewer;

-- A row is a finished response. It is written in the transaction of the work that it reports.
create table idempotent_answers (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the request: path, version and body.
  request_hash text not null,
  request_id text not null,
  status smallint not null check (status in (200, 201)),
  -- Encrypted: a response may contain a secret that is shown only once.
  body_ciphertext text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index idempotent_answers_created_at_idx on idempotent_answers (created_at);
alter table idempotent_answers enable row level security;
create policy tenant on idempotent_answers using (workspace_id is not distinct from (select current_workspace_id()));
grant select (workspace_id, key, created_at) on idempotent_answers to muster_viewer;
grant select, insert, update on idempotent_answers to muster_app;

-- The limits from the settings of the process that started last; null: no limit.
create table plan_quotas (
  plan text check (plan in ('free', 'pro', 'team', 'enterprise')) primary key,
  records bigint,
  stored_bytes bigint,
  schedules bigint
);
alter table plan_quotas enable row level security;
grant select on plan_quotas to muster_viewer;

-- The number of records and bytes that a workspace stores: the sum of this row and its rows of stored_changes. A
-- transaction that finds this row locked adds a change instead. The next transaction that locks the row adds these
-- changes to it. So no transaction waits here.
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


-- Agents, provider keys, voices and templates
-- ===========================================
-- A version holds an agent's fields after a change of a field that affects its runs. Triggers write versions, so every
-- way of writing an agent creates them. Each run records the version that it ran.

create table provider_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  provider text not null,
  ciphertext text,
  last4 text,
  base_url text,
  -- What a connection has besides: see src/domain/models/connection-fields.ts.
  resource text,
  region text,
  project text,
  api text check (api in ('responses', 'chat')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- How a workspace pays for its own endpoint: per token, or as part of a subscription.
  billing_model text not null default 'per-token' check (billing_model in ('per-token', 'subscription-quota')),
  primary key (workspace_id, provider)
);
alter table provider_keys enable row level security;
create policy tenant on provider_keys using (workspace_id is not distinct from (select current_workspace_id()));
-- The engine calls providers with a member's rights. A call may find out that an endpoint has only Chat Completions.
grant select (workspace_id, provider, last4, base_url, resource, region, project, api, created_at, updated_at,
  billing_model) on provider_keys to muster_viewer;
grant select, update (api) on provider_keys to muster_app;
grant select, insert, update, delete on provider_keys to muster_admin;

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
  -- A result may be megabytes long, so a template must not repeat it many times.
  constraint output_templates_results_check check (regexp_count(body, '\{\{\s*task_result\s*\}\}') <= 10)
);
create index output_templates_newest_idx on output_templates (workspace_id, created_at desc);
alter table output_templates enable row level security;
create policy tenant on output_templates using (workspace_id is not distinct from (select current_workspace_id()));
grant select on output_templates to muster_viewer;
grant insert, update, delete on output_templates to muster_app;

create table agents (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '',
  model text not null,
  -- The first of fallback_models.
  fallback_model text,
  -- In the order in which they are called.
  fallback_models text[] not null default '{}',
  provider text not null,
  system_prompt text not null default 'You are a helpful AI assistant.',
  -- Null: calls have no temperature.
  temperature double precision default 0.7 check (temperature between 0 and 2),
  max_tokens integer check (max_tokens > 0),
  reasoning jsonb not null default '{"effort": null, "show": false}',
  prompt_caching boolean not null default true,
  -- json, not jsonb: models write the properties of a result in the order of its schema.
  output_schema json,
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
  -- A copy of another workspace's agent starts no work until somebody of this workspace has confirmed it
  -- (reject_unreviewed in routines/030-agents.sql).
  needs_review boolean not null default false,
  is_mcp_published boolean not null default false,
  is_a2a_published boolean not null default false,
  config jsonb not null default '{}',
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version integer not null default 1,
  unique (workspace_id, id),
  constraint agents_fallback_model_check check (fallback_model is not distinct from fallback_models[1]),
  -- An agent uses its own voice or template again when the saved one is deleted.
  constraint agents_voice_profile_fkey foreign key (workspace_id, voice_profile_id)
    references voice_profiles(workspace_id, id) on delete set null (voice_profile_id),
  constraint agents_output_template_fkey foreign key (workspace_id, output_template_id)
    references output_templates(workspace_id, id) on delete set null (output_template_id)
);
create index agents_newest_idx on agents (workspace_id, created_at desc);
create index agents_voice_profile_idx on agents (voice_profile_id) where voice_profile_id is not null;
create index agents_output_template_idx on agents (output_template_id) where output_template_id is not null;
-- The orders of the marketplace: newest first, or most installed first.
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
  -- json, not jsonb: it contains the output schema.
  fields json not null,
  changed_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, version),
  foreign key (workspace_id, agent_id) references agents(workspace_id, id) on delete cascade
);
alter table agent_versions enable row level security;
create policy tenant on agent_versions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_versions to muster_viewer;

-- The agents that a workspace has installed; each workspace counts once. The agent belongs to another workspace, so a
-- trigger replaces the reference.
create table marketplace_installs (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  primary key (workspace_id, agent_id)
);
create index marketplace_installs_agent_idx on marketplace_installs (agent_id);
alter table marketplace_installs enable row level security;
create policy tenant on marketplace_installs using (workspace_id is not distinct from (select current_workspace_id()));
grant select on marketplace_installs to muster_viewer;


-- Teams and their memories
-- ========================
-- A search finds a team's memories as it finds knowledge: each memory is also a passage, whose scope is the team.

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

-- The agents named in a team's config, as rows. They are written together with the config.
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

-- One for each attempt of a run that completed or failed. It is kept when the run is deleted, and deleted with the
-- team.
create table team_memories (
  id uuid primary key,
  workspace_id uuid not null,
  team_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  status text not null check (status in ('completed', 'failed')),
  -- The beginnings of the run's input, and of its output or error.
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


-- Runs, their event logs and recorded steps
-- =========================================
-- An execution that asks a person ends at the question. The answer is recorded as a step of the run and enqueues
-- another execution, which continues as after a crash. So a waiting task uses a row, but no memory and no slot, even
-- for days.

-- A task or a team run. The views `tasks` and `team_runs` (routines/005-runs.sql) contain one kind each. A run is kept
-- when its agent or its team is deleted.
create table runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('task', 'team_run')),
  -- The task that a team run works on, if any; both have the same attempt number. A run with a parent is part of it:
  -- only runs without one are listed.
  parent_id uuid,
  -- Of a team run, its whole task.
  title text not null,
  description text not null default '',
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  status text not null check (status in ('pending', 'dispatched', 'running', 'waiting_for_input', 'completed',
    'failed', 'cancelled')),
  agent_id uuid,
  team_id uuid,
  -- Of a task of a team, the newest run of the team.
  team_run_id uuid,
  -- The step, turn or round that a team run has reached.
  step_idx integer,
  metadata jsonb not null default '{}',
  result text,
  error text,
  -- Of the current attempt, after its end.
  error_code text,
  cost_usd numeric(14, 8) not null default 0,
  -- Why the last reply of a completed run ended: stop, length, content_filter, refusal, other.
  finish_reason text,
  interaction jsonb,
  attempt integer not null default 1,
  scheduled_for timestamptz,
  created_by uuid,
  -- The person who cancelled the newest attempt; null when no person did.
  cancelled_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  dispatched_at timestamptz,
  started_at timestamptz,
  completed_at timestamptz,
  -- For a conversation: the messages of its user and its agent so far, as [{id?, role: user | assistant, content}].
  -- Null for a task that consists of title and description.
  conversation jsonb,
  -- segment: the number of questions that the attempt has asked. Only the execution that follows the newest one may
  -- work on the run. waited: how long it has waited for answers. This does not count as run time.
  segment integer not null default 0,
  waited interval not null default '00:00:00',
  -- The agent version of the current attempt. Null before the attempt starts, and when the agent was changed for one
  -- run.
  agent_version integer,
  -- Tools that the task's client executes itself, for the current attempt.
  client_tools jsonb,
  -- What the request of an OpenAI client says beyond its messages and tools: changes of the agent for this run, the
  -- fields that its response repeats, and whether it may be read again. See `clientRequest` in
  -- src/domain/tasks/client-request.ts. json, not jsonb: models write a result in the order of its schema.
  client_request json,
  -- The surface that created it, and the id of the key, person, schedule, trigger or run.
  source_kind text not null default 'api'
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork')),
  source_id uuid,
  -- Null for a run that started at its beginning. Of a task see `taskFork` in src/domain/tasks/task-fork.ts; of a team
  -- run an object of
  --   run_id, from_step: the run that this is a fork of, and the step at which the fork starts;
  --   given: the messages of each earlier step whose output is given (none: it was skipped);
  --   steps: replacements for fields of the team's steps, by step index;
  --   agents: replacements for fields of its agents, by agent id.
  -- It applies to every attempt of the run, and is kept when the other run is deleted.
  fork jsonb,
  title_search tsvector not null generated always as (title_search(workspace_id, title)) stored,
  unique (workspace_id, id),
  constraint runs_title_check check (kind = 'team_run' or length(title) between 1 and 200),
  constraint runs_parent_fkey foreign key (workspace_id, parent_id)
    references runs(workspace_id, id) on delete cascade,
  constraint runs_agent_fkey foreign key (workspace_id, agent_id)
    references agents(workspace_id, id) on delete set null (agent_id),
  constraint runs_team_fkey foreign key (workspace_id, team_id)
    references teams(workspace_id, id) on delete set null (team_id)
);
create index runs_of_parent_idx on runs (workspace_id, parent_id) where parent_id is not null;
create index runs_active_idx on runs (workspace_id) where status in ('running', 'waiting_for_input');
-- The queries that an agent's status is derived from.
create index runs_open_by_agent_idx on runs (agent_id)
  where status in ('pending', 'dispatched', 'running', 'waiting_for_input') and agent_id is not null;
create index runs_open_by_team_idx on runs (team_id)
  where status in ('pending', 'dispatched', 'running', 'waiting_for_input') and team_id is not null;
create index runs_finished_by_agent_idx on runs (agent_id, completed_at desc) where completed_at is not null;
-- Tasks scheduled for later; the service reads the earliest of them.
create index runs_scheduled_idx on runs (scheduled_for)
  where status = 'pending' and scheduled_for is not null and (agent_id is not null or team_id is not null);
create index runs_forks_idx on runs ((fork->>'run_id')) where fork is not null;
create index runs_task_forks_idx on runs ((fork->>'task_id')) where fork is not null;
-- One for each filter and order of the list of all runs. Lists of tasks by status do not say that no task has a parent,
-- so the index for them does not ask for it.
create index runs_newest_idx on runs (workspace_id, kind, created_at desc, id desc);
create index runs_status_newest_idx on runs (workspace_id, kind, status, created_at desc, id desc);
create index runs_agent_newest_idx on runs (agent_id, created_at desc, id desc) where agent_id is not null;
create index runs_team_newest_idx on runs (team_id, created_at desc, id desc) where team_id is not null;
create index runs_source_newest_idx on runs (workspace_id, source_kind, created_at desc, id desc)
  where parent_id is null;
create index runs_error_newest_idx on runs (workspace_id, error_code, created_at desc, id desc)
  where error_code is not null;
create index runs_title_idx on runs using gin (title_search) where parent_id is null;
-- A run's cost is written when an attempt ends. Until then its position in this order is known without an index.
create index runs_status_cost_idx on runs (workspace_id, status, cost_usd desc, id desc)
  where completed_at is not null and parent_id is null;
create index runs_agent_cost_idx on runs (agent_id, cost_usd desc, id desc)
  where completed_at is not null and parent_id is null and agent_id is not null;
create index runs_status_duration_idx on runs
  (workspace_id, status, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null and parent_id is null;
alter table runs enable row level security;
create policy tenant on runs using (workspace_id is not distinct from (select current_workspace_id()));
grant select on runs to muster_viewer;
grant select, insert, update, delete on runs to muster_app;

create table team_messages (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  -- Not references: a message is kept unchanged when an agent is deleted.
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
  -- A message belongs to an attempt of its run. Its key identifies it there: a resumed execution sends it again, but it
  -- is stored once.
  attempt integer not null default 1,
  key text,
  constraint team_messages_key unique (run_id, attempt, key),
  foreign key (workspace_id, run_id) references runs(workspace_id, id) on delete cascade
);
create index team_messages_run_idx on team_messages (run_id, created_at, id);
alter table team_messages enable row level security;
create policy tenant on team_messages using (workspace_id is not distinct from (select current_workspace_id()));
-- Members may insert messages, because a fork copies those of the steps that it does not execute.
grant select on team_messages to muster_viewer;
grant insert on team_messages to muster_app;

-- key identifies a delegation within its attempt. version counts its changes. An execution that resumes a run makes all
-- changes again; changes older than the row are ignored.
create table team_delegations (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  version integer not null,
  -- Not a reference: a delegation is kept unchanged when an agent is deleted.
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
  foreign key (workspace_id, run_id) references runs(workspace_id, id) on delete cascade
);
alter table team_delegations enable row level security;
create policy tenant on team_delegations using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_delegations to muster_viewer;

-- One row per run that was ever dispatched: the head of its event log. log_id: the run's id.
-- first_seq: the first sequence number of the current attempt.
-- closed: the attempt has ended; nothing can be appended.
-- last_batch: the newest batch of events, so that a repeated batch is not stored twice.
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
create policy tenant on task_streams
  using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from runs r where r.id = task_streams.log_id));
grant select on task_streams to muster_viewer;
grant select, insert, update, delete on task_streams to muster_app;

-- Only statements that hold the lock of the stream's row insert events. So no reference has to be checked for each
-- event. Events are deleted with their stream.
create table task_events (
  log_id uuid not null,
  seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- Identifies an event that a resumed execution may send again. It is appended once per attempt.
  key text,
  -- json, not jsonb: readers get the exact text that was written.
  event json not null,
  created_at timestamptz not null default now(),
  primary key (log_id, seq)
);
create unique index task_events_key_idx on task_events (log_id, attempt, key) where key is not null;
create index task_events_created_at_idx on task_events using brin (created_at);
alter table task_events enable row level security;
create policy tenant on task_events using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from task_streams s where s.log_id = task_events.log_id));
grant select on task_events to muster_viewer;
grant select, insert on task_events to muster_app;

-- Events of closed attempts, many per row. A page is compressed: it needs a twentieth of the space of its events' rows
-- and their index entries. Short attempts remain in task_events, because packing them would write more than it saves.
create table task_event_pages (
  log_id uuid not null,
  -- The sequence numbers of its first and last event, without gaps between them.
  first_seq integer not null,
  last_seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- Ordered by sequence number; json, as in task_events: readers get the exact text that was written.
  events json[] not null,
  -- The time of the newest event.
  created_at timestamptz not null,
  primary key (log_id, last_seq)
);
create index task_event_pages_created_at_idx on task_event_pages using brin (created_at);
-- Stored in the row itself when it fits: a read then needs one table instead of two and an index.
alter table task_event_pages alter column events set storage main;
alter table task_event_pages enable row level security;
create policy tenant on task_event_pages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on task_event_pages to muster_viewer;

-- Closed attempts that are not packed yet. Only long attempts are queued, and only when they close.
create table unpacked_attempts (
  log_id uuid not null,
  attempt integer not null,
  primary key (log_id, attempt)
);
alter table unpacked_attempts enable row level security;

-- The open question of a waiting task or team run. The row exists while the state is waiting_for_input.
-- subject_id: the task or the team run. question: as the tool asked it. answers: those of a wizard's pages so far.
-- answer_key: the key of the step that records the answer as its result.
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

-- Questions that were answered, or have expired.
-- subject_id: the task or team run that waited. request: the question as clients received it, the last page of a
-- wizard.
-- answered_by: the person. answered_via: the channel, as for the source of a task. answered_name: the name entered by a
-- person who answered through a link. answer: as it was given; for a wizard, the answers of all pages.
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
  answered_via text,
  answer jsonb,
  answered_name text
);
create index closed_questions_newest_idx on closed_questions (workspace_id, state, closed_at desc, interaction_id desc);
create index closed_questions_subject_idx on closed_questions (subject_id);
alter table closed_questions enable row level security;
create policy tenant on closed_questions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on closed_questions to muster_viewer;
grant update (answered_by, answered_via, answer, answered_name) on closed_questions to muster_app;

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
grant select (id, workspace_id, interaction_id, subject_id, created_by, created_at, expires_at, revoked_at)
  on answer_links to muster_viewer;

-- What people say of a run, or of one message of it. `run_id` is the task, or the team run without a task: it is no
-- foreign key; a deleted run deletes its feedback by delete_closed_questions(). A person has one piece for each attempt
-- and message, or attempt as a whole.
create table feedback (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  attempt integer not null,
  -- The message in the event log; null for the run as a whole.
  message_id text,
  user_id uuid not null references users on delete cascade,
  via text not null check (via in ('console', 'api', 'ag-ui')),
  rating text check (rating in ('up', 'down')),
  note text not null default '',
  -- What the answer should have been.
  correction text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (run_id, attempt, message_id, user_id)
);
create index feedback_workspace_idx on feedback (workspace_id, run_id);
create index feedback_user_id_idx on feedback (user_id);
alter table feedback enable row level security;
create policy tenant on feedback using (workspace_id is not distinct from (select current_workspace_id()));
grant select on feedback to muster_viewer;
grant insert, delete, update (via, rating, note, correction, updated_at) on feedback to muster_app;

-- The results of the finished steps of a run. A run is executed from its beginning after a takeover. Steps recorded
-- here are not executed again but return their recorded results. They are found by key, so concurrent steps may finish
-- in any order.
create table run_steps (
  -- Also the id of the run's event log.
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  workspace_id uuid not null,
  -- json, not jsonb: a step returns exactly the same result again.
  result json not null,
  created_at timestamptz not null default now(),
  -- Details of the step for people who view the run, written by the statement that stores the step. The process that
  -- executed the step measures its times, so that no duration is negative.
  started_at timestamptz,
  -- When the model's reply started.
  first_token_at timestamptz,
  ended_at timestamptz,
  -- Short facts for lists of steps. See `stepFacts` in src/domain/runs/step-facts.ts.
  facts json,
  -- For a model call, the part of the request that the turn's previous call did not send; for a tool call, its
  -- arguments; or the question to a person.
  request json,
  -- The tries of a model call, if one of them failed.
  tries json,
  -- The requests and responses of failed tries, without secrets.
  exchanges json,
  primary key (run_id, attempt, key)
);
create index run_steps_created_at_idx on run_steps using brin (created_at);
alter table run_steps enable row level security;
create policy tenant on run_steps using (workspace_id is not distinct from (select current_workspace_id()));
-- Members insert steps: a fork's journal starts with the steps that it takes over, and a resumed run's has the answer.
grant select on run_steps to muster_viewer;
grant insert on run_steps to muster_app;

-- Executions. Each starts with the claim of a run's job. It ends with the run, with a question, with the handover by a
-- process that shuts down, or with the death of its process. The statement that ends an execution writes its row; the
-- running execution is in jobs.
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

-- Threads of AG-UI clients whose id differs from the task's: the client's own name for a conversation with an agent.
create table agent_threads (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  thread_id text not null check (length(thread_id) between 1 and 200),
  task_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, thread_id),
  foreign key (workspace_id, agent_id) references agents(workspace_id, id) on delete cascade,
  foreign key (workspace_id, task_id) references runs(workspace_id, id) on delete cascade
);
create index agent_threads_task_idx on agent_threads (workspace_id, task_id);
-- A task is also found by its thread's id. The service assigns task ids, so a thread's id is no longer a task's id.
create index agent_threads_thread_idx on agent_threads (thread_id, created_at);
alter table agent_threads enable row level security;
create policy tenant on agent_threads using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_threads to muster_viewer;
grant insert on agent_threads to muster_app;



-- The queue
-- =========

-- Jobs: the entries of the queue. A job is the durable row behind an attempt of a task or a team run, the ingest of a
-- document, or a delivery. The transaction that creates the work inserts the job; the statement that ends the work
-- deletes it.
--
-- state: queued, until a process claims it; running; suspended, while it waits for a person's answer.
-- (executor_id, fence): identify the owner of the job. Every claim raises the fence, and every write of an execution
--   carries both. Writes of stale executions are rejected.
-- run_at: the time of a later retry. The job is not claimed until the keeper clears run_at; null for all others.
-- crash_count: how many times a process died while the job ran, since its last finished step.
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
  -- json, not jsonb: a handler gets the exact text that was enqueued.
  input json not null,
  -- receiver: for a delivery, the host, the workspace and the id of its route or subscription; for work that one agent
  -- delegated to another, the workspace and the depth; null for all others.
  -- lane: the part of a kind's queue with its own slots, whose jobs are claimed in order. It is the receiver, or the
  -- workspace. So a receiver that does not respond delays no other receiver.
  receiver text collate "C",
  lane text collate "C" generated always as (coalesce(receiver, workspace_id::text)) stored not null,
  -- Finds the job that makes processes die: see docs/durability.md. 0: none. From the second death on, the job runs
  -- only in a quarantine process: 1: with up to 15 others, 2: with up to 3 others, 3 and more: alone. Each death of its
  -- quarantine process adds one, and at 5 the job fails. Deliveries are never suspects.
  suspicion smallint not null default 0,
  -- When the newest execution claimed it, and the host and process id of that execution.
  claimed_at timestamptz,
  claimed_by text,
  unique (subject_id, attempt),
  constraint jobs_one_owner check ((state = 'running') = (executor_id is not null))
) with (fillfactor = 70);
create index jobs_delayed_idx on jobs (run_at) where state = 'queued' and run_at is not null;
create index jobs_executor_idx on jobs (executor_id) where executor_id is not null;
-- Ids are ordered by time: within a workspace's lane urgent jobs come first, then older ones.
create index jobs_queue_idx on jobs (kind, lane, priority, id)
  where state = 'queued' and run_at is null and suspicion = 0;
create index jobs_suspects_idx on jobs (suspicion, id) where state = 'queued' and run_at is null and suspicion > 0;
-- Deliveries that wait for a time are few, so the index costs nothing where no receiver has a limit.
create index jobs_paced_idx on jobs (lane) where kind = 'delivery' and state = 'queued' and run_at is not null;
alter table jobs enable row level security;
create policy tenant on jobs using (workspace_id is not distinct from (select current_workspace_id()));
-- These columns show how a run is executed, and how long a queued one will wait.
grant select (id, workspace_id, kind, subject_id, attempt, priority, state, run_at, fence, lane, suspicion, claimed_at,
  claimed_by) on jobs to muster_viewer;
grant select, insert, update, delete on jobs to muster_app;

-- The processes that execute jobs.
-- machine: the machine and its PID namespace: only there it can be checked whether a process id is alive.
-- parent_id: a quarantine process belongs to the process that started it, which recovers its jobs when it dies.
-- beat_at: when it last beat, the last sign of life of the executions that die with it. Only records show it; whether a
--   process is dead is decided by the numbers of its beats.
create table executors (
  id uuid primary key,
  host text not null,
  machine text not null default '',
  pid integer not null,
  parent_id uuid,
  beat bigint not null default 0,
  started_at timestamptz not null default now(),
  beat_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
alter table executors enable row level security;

-- The keeper: the one process that detects dead processes and finds due work and waiting jobs. Each election raises the
-- epoch.
create table keeper (
  is_only boolean default true check (is_only) primary key,
  executor_id uuid,
  epoch bigint not null default 0
);
alter table keeper enable row level security;
insert into keeper default values;


-- The rate limits of model providers
-- ==================================

-- What is known of the limits of a connection and a model that have had to be respected. A connection far from its
-- limits has no row.
create table model_gates (
  -- A digest of the provider, its base URL, the key and the model: workspaces that share a key share its limits.
  id text primary key,
  provider text not null,
  model text not null,
  -- The limits a minute as the provider named them, and what it would still take until they are full again.
  requests double precision,
  requests_left double precision,
  requests_full_at timestamptz,
  tokens double precision,
  tokens_left double precision,
  tokens_full_at timestamptz,
  -- The limit is a guess after a rejection without numbers; it grows while there are no rejections.
  is_guess boolean not null default false,
  guessed_at timestamptz,
  -- Calls let through, and which of them told the newest limits.
  passed bigint not null default 0,
  told bigint not null default 0,
  -- When the next call is due at an even pace, by requests and by tokens.
  requests_at timestamptz not null default '-infinity',
  tokens_at timestamptz not null default '-infinity',
  -- No call passes before.
  closed_until timestamptz not null default '-infinity',
  -- Fair queueing: the turn of the newest call let through, and where each workspace's next turn begins, if later.
  turn double precision not null default 0,
  turns jsonb not null default '{}',
  -- When a call last had to wait, or a process found the limits near.
  busy_at timestamptz not null default clock_timestamp(),
  announced_at timestamptz not null default '-infinity',
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
alter table model_gates enable row level security;

-- The calls of runs that wait at a gate, in the order of their turns. One that was rejected and let through again keeps
-- its row, for the number of its rejections. A row whose job has ended counts for nothing, and is deleted later: so the
-- end of a job costs no look-up here.
create table model_gate_waits (
  job_id uuid not null,
  -- The key of the step that makes the call.
  step text not null,
  gate_id text not null,
  provider text not null,
  model text not null,
  workspace_id uuid not null references workspaces on delete cascade,
  turn double precision not null,
  since timestamptz not null default clock_timestamp(),
  until timestamptz not null,
  -- Calls before it.
  ahead integer not null,
  reason text not null check (reason in ('limit', 'closed')),
  is_waiting boolean not null default true,
  rejections integer not null default 0,
  primary key (job_id, step)
) with (fillfactor = 50);
create index model_gate_waits_turn_idx on model_gate_waits (gate_id, turn, since) where is_waiting;
alter table model_gate_waits enable row level security;
create policy tenant on model_gate_waits using (workspace_id is not distinct from (select current_workspace_id()));
grant select on model_gate_waits to muster_viewer;


-- Usage and budgets
-- =================
-- Before a model call, its worst case is reserved in every budget that applies to it. After the call, the actual usage
-- replaces the reservation.

-- Usage is kept when its task or agent is deleted. Only the engine writes here, from a task's own row, so no reference
-- has to be checked.
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
  -- Parts of prompt_tokens (read from and written to the provider's cache) and of completion_tokens.
  cached_tokens integer not null default 0,
  cache_write_tokens integer not null default 0,
  reasoning_tokens integer not null default 0,
  estimated_cost_usd numeric(14,8) not null,
  billing_model text not null check (billing_model in ('per-token', 'subscription-quota')),
  created_at timestamptz not null default clock_timestamp(),
  -- Usage of a team run's agents counts for the run.
  team_run_id uuid,
  agent_version integer,
  -- For usage by team: usage is kept when a team's runs are deleted.
  team_id uuid,
  -- The agent turn of a team run that used it, as the key of its recorded steps: step:1:attempt:0, turn:3, brain,
  -- delegation:call_1. Null for tasks.
  turn text,
  -- A call that was interrupted: the record has what its provider had reported until then, and the worst case of what
  -- it had not. Calls whose provider reports no usage at all have a worst case too, if a budget applies to them.
  interrupted boolean not null default false,
  worst_case_tokens integer not null default 0,
  worst_case_cost_usd numeric(14,8) not null default 0
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

-- target_id: the workspace, the agent or the team; for a single run, the task or team run.
-- period: the time over which spending is counted: one attempt of a run, a day or a month in UTC, or all time.
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

-- The use of a budget in one window: an attempt of a run, a day, a month, or all time. The budget's row is the lock of
-- all its windows.
-- extra_*: overrides approved by people, in addition to the cap.
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

-- The worst case of a call in progress; id: that of the usage record that the call will write. Each step of a run has
-- at most one. A row that a repeated step finds here belongs to a call whose process died. Calls without a budget are
-- noted here as well, when they take long. usage: the usage record if the call is interrupted.
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
  usage json,
  created_at timestamptz not null default clock_timestamp(),
  constraint budget_reservations_step_key unique (run_id, attempt, step)
);
alter table budget_reservations enable row level security;
create policy tenant on budget_reservations using (workspace_id is not distinct from (select current_workspace_id()));
grant select on budget_reservations to muster_viewer;

-- Approved overrides, one for each answer.
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

-- Members may set budgets for single runs; only admins may set all others.
create policy capped_runs on budgets as restrictive for insert
  with check (scope = 'run' or pg_has_role(current_user, 'muster_admin', 'member'));


-- Outcomes and usage of runs, by hour and day
-- ===========================================
-- The overview and statistics read counters. Their cost does not depend on the number of runs.

-- The end of each attempt of a task, or of a team run without a task. The transaction that ends the attempt writes it,
-- so runs never wait for each other at a counter. Soon afterwards it is added to the counters and deleted here.
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

-- The ended runs of all workspaces for metrics. Only count_run_ends (routines/075-counters.sql)
-- writes it, with the sums by hour and day. It never shrinks, also when workspaces are deleted.
create table run_totals (
  kind text not null,
  status text not null,
  -- Empty unless the runs failed.
  error_code text not null,
  runs bigint not null,
  primary key (kind, status, error_code)
);
alter table run_totals enable row level security;

-- What ended and was used in an hour and in a day, in UTC: a report reads a row for each of its hours or days, whatever
-- ran in them.
-- subject_id: an agent, a team, or the workspace for all of them. Usage in teams counts for the agent.
-- durations: the number of completed and failed attempts by duration_bucket(). error_codes: of failed attempts by code.
create table period_sums (
  workspace_id uuid not null,
  subject_id uuid not null,
  bucket text not null check (bucket in ('hour', 'day')),
  start timestamptz not null,
  completed integer not null,
  failed integer not null,
  cancelled integer not null,
  durations jsonb not null,
  error_codes jsonb not null,
  tokens bigint not null,
  cost_usd numeric not null,
  primary key (workspace_id, subject_id, bucket, start)
);
alter table period_sums enable row level security;
create policy tenant on period_sums using (workspace_id is not distinct from (select current_workspace_id()));
grant select on period_sums to muster_viewer;

-- Sums of usage_records, by day in UTC.
create table usage_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid,
  team_id uuid,
  provider text not null,
  model text not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_usd numeric not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  interrupted_calls bigint not null,
  worst_case_tokens bigint not null,
  worst_case_cost_usd numeric not null,
  constraint usage_days_key unique nulls not distinct (workspace_id, day, agent_id, team_id, provider, model)
);
alter table usage_days enable row level security;
create policy tenant on usage_days using (workspace_id is not distinct from (select current_workspace_id()));
grant select on usage_days to muster_viewer;

-- The time up to which usage_days and period_sums contain the sums of usage_records; always a full hour.
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
-- Contents are stored outside of the database, by key. unreferenced_blobs lists contents without a row: uploads in
-- progress, and released contents. So the death of a process leaves no content behind.

create table files (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- The task or run that has the file. An upload has neither until a task or a run is created with it; it is deleted
  -- after a day.
  task_id uuid,
  run_id uuid,
  direction text not null check (direction in ('input', 'output')),
  -- The attempt that created it.
  attempt integer,
  name text not null check (length(name) between 1 and 255),
  type text not null,
  size integer not null check (size > 0),
  blob_key text not null unique,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint files_check check (task_id is null or run_id is null),
  constraint files_check1 check ((direction = 'output') = (attempt is not null)),
  constraint files_task_fkey foreign key (workspace_id, task_id) references runs(workspace_id, id) on delete cascade,
  constraint files_run_fkey foreign key (workspace_id, run_id) references runs(workspace_id, id) on delete cascade
);
create index files_newest_idx on files (workspace_id, created_at desc);
create index files_task_idx on files (task_id, workspace_id, created_at desc) where task_id is not null;
create index files_run_idx on files (run_id, workspace_id, created_at desc) where run_id is not null;
create index files_free_idx on files (created_at) where task_id is null and run_id is null;
alter table files enable row level security;
create policy tenant on files using (workspace_id is not distinct from (select current_workspace_id()));
grant select on files to muster_viewer;
grant insert, delete, update (task_id, run_id) on files to muster_app;

create table unreferenced_blobs (
  key text primary key,
  -- Before this time an upload may still be in progress.
  delete_after timestamptz not null,
  -- A process is deleting it; no row can claim it.
  deleting boolean not null default false
);
create index unreferenced_blobs_delete_after_idx on unreferenced_blobs (delete_after);
alter table unreferenced_blobs enable row level security;


-- Knowledge
-- =========
-- A document's text is stored as passages. Full-text search finds them by their words; vector search finds them by
-- their meaning, if a provider has embedded them.

create table knowledge_bases (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  description text not null default '' check (length(description) <= 10000),
  -- `provider/model`, `none`, or null for the instance's setting.
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
  -- The reason for the failure.
  error text,
  -- A problem of a ready document: its passages could not be embedded.
  warning text,
  -- Percent of the current attempt.
  progress smallint not null default 0 check (progress between 0 and 100),
  -- The number of times it was processed, including this one. Writes of earlier attempts are rejected.
  attempt integer not null default 1,
  passages integer not null default 0,
  -- The embedding space, `provider/model/dimensions`; null without embeddings.
  space text,
  -- The original, in the blob store.
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

-- Rows of up to this size are stored uncompressed, because decompressing search vectors would cost more than the rest
-- of the search.
create table passages (
  id uuid not null,
  workspace_id uuid not null,
  -- The knowledge base, or another collection that is searched as one, such as a team's memories.
  scope uuid not null,
  document_id uuid,
  -- Its position in the document, from 0.
  position integer not null,
  -- The heading above it, and the page on which it starts; null if there is none.
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
-- The passages of a scope in an order independent of their texts. The first ones are a sample of the scope. Their range
-- of hashes gives an estimate of the number of passages.
create index passages_sample_idx on passages (scope, uuid_hash(id)) include (id, workspace_id);
alter table passages enable row level security;
create policy tenant on passages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on passages to muster_viewer;
grant insert, update, delete on passages to muster_app;

-- A separate table, so that a scan of all vectors of a scope reads little. code: the vector's binary code, which is
-- enough to find the nearest few hundred. embedding: the vector, of length 1, which then ranks those.
create table passage_embeddings (
  passage_id uuid primary key,
  workspace_id uuid not null,
  scope uuid not null,
  space text not null,
  embedding real[] not null,
  code bit varying generated always as (vector_code(embedding)) stored not null,
  constraint passage_embeddings_passage_fkey foreign key (passage_id, workspace_id)
    references passages(id, workspace_id) on delete cascade
);
-- Vectors hardly compress. PostgreSQL 15 takes no storage in create table.
alter table passage_embeddings alter column embedding set storage external;
create index passage_embeddings_code_idx
  on passage_embeddings (scope, space) include (workspace_id, passage_id, code);
alter table passage_embeddings enable row level security;
create policy tenant on passage_embeddings using (workspace_id is not distinct from (select current_workspace_id()));
grant select on passage_embeddings to muster_viewer;
grant insert, update, delete on passage_embeddings to muster_app;


-- Schedules and triggers
-- ======================
-- Work that starts without a person: schedules create tasks repeatedly, triggers create one for each request of another
-- system.

-- next_times: the times of the next tasks (five, if there are that many); empty while the schedule is paused.
-- missed: how times during a downtime of the service are handled: skip, once (one task for all), all.
-- overlap: whether it creates a task while its last one has not ended.
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
  -- Detects a database clock that was set back: planned_at is then in the future. The next times are then planned
  -- again, so that a schedule planned with a wrong clock does not wait for years.
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

-- The outcomes of a schedule's times, and the tasks that people created from it (manual). The transaction that creates
-- the task writes the row.
-- scheduled_at: the time; of several skipped times, the first. ticks: the number of these times.
create table schedule_fires (
  id uuid primary key,
  workspace_id uuid not null,
  schedule_id uuid not null,
  scheduled_at timestamptz not null,
  outcome text not null check (outcome in ('fired', 'missed', 'overlap', 'quota', 'manual')),
  ticks integer not null,
  -- Not a reference: the log is kept unchanged when a task is deleted.
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

-- token_hash: SHA-256 of the token in its URL. secret_ciphertext: the key that verifies senders' signatures, if they
-- sign.
create table triggers (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash text not null unique,
  token_prefix text not null,
  secret_ciphertext text,
  has_secret boolean generated always as (secret_ciphertext is not null) stored not null,
  -- Whether a body that was accepted within the last five minutes is rejected.
  reject_repeats boolean not null default false,
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
-- Only the service reads a trigger's token hash and secret.
grant select (id, workspace_id, name, token_prefix, has_secret, reject_repeats, is_active, assigned_agent_id,
  assigned_team_id, title, description, priority, metadata, created_by, created_at, updated_at)
  on triggers to muster_viewer;
grant insert, update, delete on triggers to muster_app;

-- delivery_key: the sender's own id of an accepted delivery. A repeated one creates no second task.
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
  -- Not a reference: the log is kept unchanged when a task is deleted.
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


-- Custom tools, MCP servers, remote agents and push notifications
-- ===============================================================

create table custom_tools (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
  description text not null,
  parameters jsonb not null,
  url text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  -- The headers as JSON, encrypted; null when there are none.
  headers_ciphertext text,
  -- The same headers for display: an object with the name and the visible part of each.
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
-- The service reads the headers for its calls. Roles that manage keys write them.
grant select (id, workspace_id, name, description, parameters, url, method, headers_shown, timeout_ms, created_by,
  created_at, updated_at) on custom_tools to muster_viewer;
grant select on custom_tools to muster_app;
grant insert, update, delete on custom_tools to muster_admin;

create table custom_tool_calls (
  id uuid primary key,
  workspace_id uuid not null,
  tool_id uuid not null,
  -- The task or team run that called it; null for a test by a person.
  task_id uuid,
  -- The endpoint's response status; null without a response.
  http_status integer,
  duration_ms integer not null,
  -- The reason for the failure; null for a successful call.
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
  -- The name that agents use: mcp:<name>/<tool>.
  name text not null check (name ~ '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$' and length(name) <= 32),
  url text not null,
  -- The headers as JSON, encrypted; null when there are none.
  headers_ciphertext text,
  -- The same headers for display: an object with the name and the visible part of each.
  headers_shown jsonb not null default '{}',
  timeout_ms integer not null check (timeout_ms between 100 and 600000),
  is_enabled boolean not null default true,
  -- A server decides what its tools say to models. What it changes or adds after its registration is recorded. Whether
  -- such a tool is used at once, or held until an admin has approved it.
  on_change text not null default 'use' check (on_change in ('use', 'hold')),
  -- The server's information about itself, from the last listing of its tools.
  info jsonb not null,
  tools_fetched_at timestamptz not null default clock_timestamp(),
  -- Why the last listing of its tools failed; null if it succeeded.
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
-- The service also refreshes the tools whenever it connects for an agent.
grant select (id, workspace_id, name, url, headers_shown, timeout_ms, is_enabled, on_change, info, tools_fetched_at,
  last_error, created_by, created_at, updated_at) on mcp_servers to muster_viewer;
grant select, update (info, tools_fetched_at, last_error) on mcp_servers to muster_app;
grant insert, delete, update (url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, on_change, updated_at)
  on mcp_servers to muster_admin;

create table mcp_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  name text not null,
  -- Its position in the server's list.
  position integer not null,
  title text,
  description text not null,
  -- A JSON Schema; not jsonb, which would change the order in which the model reads the properties.
  input_schema json not null,
  annotations jsonb not null,
  -- Why agents cannot use it; null if they can.
  issue text,
  -- Differs for each text, schema and set of annotations.
  hash text not null default '',
  -- The hash that an admin has approved, by the registration or later.
  approved_hash text,
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
  -- The used part of the agent's card, as last fetched.
  card jsonb not null,
  card_fetched_at timestamptz not null default clock_timestamp(),
  -- Why the last fetch of the card failed; null if it succeeded.
  card_error text,
  is_enabled boolean not null default true,
  -- The bearer token for requests to it, encrypted; null for none.
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
-- The service also refreshes cards, with the rights of members who run an agent.
grant select (id, workspace_id, base_url, card, card_fetched_at, card_error, is_enabled, has_token, created_by,
  created_at, updated_at) on remote_agents to muster_viewer;
grant select, update (card, card_fetched_at, card_error) on remote_agents to muster_app;
grant insert, delete, update (is_enabled, token_ciphertext, updated_at) on remote_agents to muster_admin;

-- One row per delegation. So an interrupted one queries the remote task instead of sending the message again.
create table remote_calls (
  workspace_id uuid not null,
  -- The same for every execution of the same tool call.
  key text not null,
  remote_agent_id uuid not null,
  -- The task or team run that delegates.
  subject_id uuid not null,
  -- The remote agent's ids for the work; null until it has returned them.
  remote_task_id text,
  remote_context_id text,
  -- The question that a person is asked for the remote agent: the number of its round, and what tells it from others.
  asked_round integer,
  asked_question text,
  -- The last round whose answer was sent, or was about to be when the process died: it is not sent again.
  answered_round integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- When the remote task ended, or was cancelled by this service.
  ended_at timestamptz,
  primary key (workspace_id, key),
  foreign key (workspace_id, remote_agent_id) references remote_agents(workspace_id, id) on delete cascade
);
create index remote_calls_open_idx on remote_calls (created_at) where ended_at is null;
create index remote_calls_subject_idx on remote_calls (subject_id) where ended_at is null;
alter table remote_calls enable row level security;
create policy tenant on remote_calls using (workspace_id is not distinct from (select current_workspace_id()));
grant select on remote_calls to muster_viewer;
grant insert, update on remote_calls to muster_app;

-- The ids of the messages that a context (a task) has accepted from its A2A client. A message that is sent again has no
-- effect. A row is written in the transaction of the message's effect, so it exists if and only if the effect does.
create table a2a_messages (
  workspace_id uuid not null,
  task_id uuid not null,
  -- The client's own id.
  message_id text not null check (length(message_id) between 1 and 200),
  -- What the message did: it created the task, answered its question, or started its next attempt.
  effect text not null check (effect in ('start', 'answer', 'continuation')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (task_id, message_id),
  foreign key (workspace_id, task_id) references runs(workspace_id, id) on delete cascade
);
alter table a2a_messages enable row level security;
create policy tenant on a2a_messages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on a2a_messages to muster_viewer;
grant insert on a2a_messages to muster_app;

-- URLs that clients registered for notifications of a task's progress.
create table push_configs (
  id uuid primary key,
  workspace_id uuid not null,
  task_id uuid not null,
  -- The client's own name for the configuration, unique within the task.
  name text not null check (length(name) between 1 and 255),
  url text not null,
  -- The HTTP authentication scheme that the receiver expects; null for none.
  auth_scheme text,
  -- The notification token and the credentials as JSON, encrypted; null when there are none.
  secrets_ciphertext text,
  created_at timestamptz not null default clock_timestamp(),
  -- The version of A2A that defines the format of the notifications.
  version text not null check (version in ('0.3', '1.0')),
  unique (task_id, name),
  foreign key (workspace_id, task_id) references runs(workspace_id, id) on delete cascade
);
alter table push_configs enable row level security;
create policy tenant on push_configs using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, task_id, name, url, auth_scheme, created_at, version) on push_configs
  to muster_viewer;
grant select, insert, update, delete on push_configs to muster_app;

-- The hosts that a workspace's push configurations name. Until a host has accepted a notification, it is sent one at a
-- time: a client must not be able to make the service call a stranger as often as it likes.
create table push_receivers (
  workspace_id uuid not null references workspaces on delete cascade,
  host text collate "C" not null,
  -- The delivery whose attempts decide.
  prover_id uuid not null,
  tried_at timestamptz not null default clock_timestamp(),
  -- When the host accepted a notification for the first time; null until then.
  proven_at timestamptz,
  primary key (workspace_id, host)
);
alter table push_receivers enable row level security;
create policy tenant on push_receivers using (workspace_id is not distinct from (select current_workspace_id()));
grant select on push_receivers to muster_viewer;


-- Destinations and deliveries
-- ===========================
-- Triggers write deliveries in the transaction that ends the task or the team run. So no statement that ends one can
-- omit them, and no crash can lose one.

create table webhook_subscriptions (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  target_url text not null,
  event text not null check (event in ('task_started', 'task_completed', 'task_failed', 'task_waiting_for_input',
    'team_run_started', 'team_run_completed', 'team_run_failed', 'audit_recorded')),
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

-- config: the type's fields, secrets masked. secrets_ciphertext: those fields as JSON, encrypted.
-- host: limits the number of concurrent deliveries. retry_delays: seconds before the second attempt, the third, …
-- failures_in_row: deliveries that failed permanently since the last success.
create table output_routes (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  type text not null,
  events text[] not null
    check (events <@ '{task.completed,task.failed,team_run.completed,team_run.failed,audit.recorded}'::text[]),
  is_active boolean not null,
  config jsonb not null,
  secrets_ciphertext text,
  host text not null,
  retry_delays integer[] not null,
  failures_in_row integer not null default 0,
  health text generated always as (case when failures_in_row < 20 then 'healthy' else 'unhealthy' end) stored not null,
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
-- Only the service reads a receiver's credentials.
grant select (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row, health,
  last_success_at, last_failure_at, created_by, created_at, updated_at) on output_routes to muster_viewer;
grant select, insert, update, delete on output_routes to muster_admin;

-- An event, shared by all its deliveries, so that a long result is stored once.
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
  -- Why the last reply of a completed run ended; null as well after a complete reply.
  finish_reason text,
  unique (workspace_id, id)
);
create index delivery_events_created_at_idx on delivery_events using brin (created_at);
alter table delivery_events enable row level security;
create policy tenant on delivery_events using (workspace_id is not distinct from (select current_workspace_id()));
grant select on delivery_events to muster_viewer;
grant insert on delivery_events to muster_app;

-- An event to deliver. goes_to_routes: whether to routes as well, not only to subscriptions. route_ids: null for all
-- active routes.
create type new_delivery_event as (
  event delivery_events, agent_id uuid, team_id uuid, goes_to_routes boolean, route_ids uuid[]);

-- One message to one receiver. The receiver is not a reference, because the log outlives it. The workspace is that of
-- the event.
-- next_attempt_at: for a pending delivery, when its next attempt is due.
-- limited_since: when the receiver first rejected it because of its rate limit.
--
-- The end of an attempt changes no indexed column, so it adds no index entries if the page has space.
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
  limited_since timestamptz,
  http_code integer,
  error text,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz,
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

-- No reference to deliveries: each is inserted by the statement that updates its delivery, and deleted with it. The
-- plan of a reference is made while the tables are empty, and would read all deliveries of the workspace.
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
  created_at timestamptz not null
);
create index delivery_attempts_delivery_idx on delivery_attempts (delivery_id, attempt);
create index delivery_attempts_newest_idx on delivery_attempts (workspace_id, created_at desc);
alter table delivery_attempts enable row level security;
create policy tenant on delivery_attempts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on delivery_attempts to muster_viewer;

-- Receivers that have rejected deliveries because of their rate limit. Their deliveries are sent one by one, `gap`
-- apart; next_at is the next free time. See pace_receiver in routines/100-deliveries.sql.
create table receiver_paces (
  receiver text collate "C" primary key,
  gap interval not null,
  next_at timestamptz not null,
  limited_at timestamptz not null
) with (fillfactor = 50);
alter table receiver_paces enable row level security;

-- The Google account of a workspace. tokens_ciphertext: access and refresh token as JSON, encrypted.
-- refreshing_until: until this time one process refreshes the tokens for all. error: why the account is disabled.
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
-- Only the service reads tokens and secrets.
grant select (id, workspace_id, email, expires_at, status, error, connected_by, created_at, updated_at)
  on google_connections to muster_viewer;
grant delete on google_connections to muster_admin;

-- OAuth connections that people have started. Each state is valid once, for ten minutes. Only its SHA-256 is stored.
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
-- secret, which signs its requests. credentials_ciphertext: API key and token that read cards; null: those of the
-- Trello routes.
create table trello_channels (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  list_id text,
  secret_ciphertext text not null,
  credentials_ciphertext text,
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

-- The task created from each card. A card creates one task, and the task's result is written to the card.
create table card_mappings (
  id uuid primary key,
  workspace_id uuid not null,
  channel_id uuid not null,
  card_id text not null,
  -- Not a reference: a card whose task was deleted creates no second task.
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


-- Live changes and the audit log
-- ==============================

-- Workspaces whose changes a page displays live. Each process with viewers writes here every few seconds. Changes are
-- announced only for workspaces with a recent row. The table may be lost: processes fill it again within that time.
create unlogged table live_viewers (
  workspace_id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);
alter table live_viewers enable row level security;
create policy tenant on live_viewers using (workspace_id is not distinct from (select current_workspace_id()));
grant select on live_viewers to muster_viewer;

-- The audit log of changes in a workspace. Triggers write it in the transaction of the change; entries are never
-- changed.
--
-- actor_id: the person; null for the service or its operator. key_id: the key that was used.
-- subject_*: the changed subject, with its name at that time.
-- changes: a pair of old and new value by field; null where the values are secret or long.
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
