-- Remote agents: agents of others that a workspace's agents may delegate to over A2A, and the calls made to them.

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
  has_token boolean not null generated always as (token_ciphertext is not null) stored,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint remote_agents_base_url_key unique (workspace_id, base_url),
  unique (workspace_id, id)
);
create index remote_agents_newest_idx on remote_agents (workspace_id, created_at desc, id desc);

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
  foreign key (workspace_id, remote_agent_id) references remote_agents (workspace_id, id) on delete cascade
);
create index remote_calls_open_idx on remote_calls (created_at) where ended_at is null;

create view remote_agent_records with (security_invoker = true) as
  select r.id, r.workspace_id, r.card->>'name' as name, r.card->>'description' as description, r.base_url,
    r.card->>'version' as version, r.card->>'protocol' as protocol_version, r.card->'skills' as skills,
    r.is_enabled, r.has_token, iso(r.card_fetched_at) as card_fetched_at,
    r.card_error, r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at
  from remote_agents r;

create view table_api.remote_agents with (security_invoker = true) as
  select r.id, r.workspace_id, r.card->>'name' as name, r.card->>'description' as description, r.base_url,
    r.card->>'version' as version, r.card->>'protocol' as protocol_version, r.card->'skills' as skills,
    r.is_enabled, r.card_fetched_at, r.card_error, r.created_by, r.created_at, r.updated_at
  from public.remote_agents r;

alter table remote_agents enable row level security;
create policy tenant on remote_agents using (workspace_id is not distinct from (select current_workspace_id()));
alter table remote_calls enable row level security;
create policy tenant on remote_calls using (workspace_id is not distinct from (select current_workspace_id()));

grant select on remote_agents to muster_app;
grant select (id, workspace_id, base_url, card, card_fetched_at, card_error, is_enabled, has_token, created_by,
  created_at, updated_at) on remote_agents to muster_viewer;
-- Cards are also fetched again by the service, for whoever runs an agent.
grant update (card, card_fetched_at, card_error) on remote_agents to muster_app;
grant insert, delete, update (is_enabled, token_ciphertext, updated_at) on remote_agents to muster_admin;
grant select on remote_calls to muster_viewer;
grant insert, update on remote_calls to muster_app;
grant select on remote_agent_records, table_api.remote_agents to muster_viewer;
