-- Accounts at other services, and boards on which tasks begin.

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
    references agents (workspace_id, id) on delete cascade,
  constraint trello_channels_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams (workspace_id, id) on delete cascade
);
create index trello_channels_newest_idx on trello_channels (workspace_id, created_at desc);
create index trello_channels_agent_idx on trello_channels (assigned_agent_id) where assigned_agent_id is not null;
create index trello_channels_team_idx on trello_channels (assigned_team_id) where assigned_team_id is not null;

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
  foreign key (workspace_id, channel_id) references trello_channels (workspace_id, id) on delete cascade
);
create index card_mappings_task_idx on card_mappings (task_id);

create view google_connection_records with (security_invoker = true) as
  select g.id, g.workspace_id, g.email, g.status, g.error, iso(g.expires_at) as expires_at,
    iso(g.created_at) as created_at, iso(g.updated_at) as updated_at
  from google_connections g;

create view trello_channel_records with (security_invoker = true) as
  select c.id, c.workspace_id, c.name, c.list_id, c.is_active, c.assigned_agent_id, c.assigned_team_id, c.priority,
    c.created_by, iso(c.created_at) as created_at
  from trello_channels c;

alter table google_connections enable row level security;
create policy tenant on google_connections using (workspace_id is not distinct from (select current_workspace_id()));
alter table oauth_states enable row level security;
create policy tenant on oauth_states using (workspace_id is not distinct from (select current_workspace_id()));
alter table trello_channels enable row level security;
create policy tenant on trello_channels using (workspace_id is not distinct from (select current_workspace_id()));
alter table card_mappings enable row level security;
create policy tenant on card_mappings using (workspace_id is not distinct from (select current_workspace_id()));

-- Tokens and secrets are for the service alone.
grant select (id, workspace_id, email, expires_at, status, error, connected_by, created_at, updated_at)
  on google_connections to muster_viewer;
grant select (id, workspace_id, name, list_id, is_active, assigned_agent_id, assigned_team_id, priority, created_by,
  created_at) on trello_channels to muster_viewer;
grant select (id, workspace_id, user_id, expires_at) on oauth_states to muster_viewer;
grant select on google_connection_records, trello_channel_records, card_mappings to muster_viewer;
grant delete on google_connections to muster_admin;
grant insert on oauth_states to muster_admin;
grant insert, delete on trello_channels to muster_admin;
grant insert on card_mappings to muster_app;
