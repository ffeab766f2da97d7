-- MCP servers to which people sign in by OAuth. The routines change with this number: 010-access.sql, 076-audit.sql,
-- 090-tools.sql.
-- oauth: whose account calls use (`account`: workspace or person), the scope to ask for, and the client's id if an admin
-- gave one; null for a server without OAuth. client_ciphertext: the OAuth client as JSON, encrypted: the given one, or
-- the one that the server's authorization server has registered.
alter table mcp_servers add column oauth jsonb;
alter table mcp_servers add column client_ciphertext text;
grant select (oauth) on mcp_servers to muster_viewer;
grant update (client_ciphertext) on mcp_servers to muster_app;
grant update (oauth) on mcp_servers to muster_admin;

-- Accounts at MCP servers, each a consent of a person. user_id: whose account it is; null for that of the workspace.
-- A consent that is given again is another row, with another id, so that no connection outlives its account.
create table mcp_accounts (
  id uuid primary key,
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid,
  -- The server's name, for the audit log.
  name text not null,
  -- Access and refresh token, client and authorization server as JSON, encrypted.
  tokens_ciphertext text not null,
  -- When the access token expires; null when the server did not say.
  expires_at timestamptz,
  status text not null default 'connected' check (status in ('connected', 'lost')),
  -- Why it is lost.
  error text,
  -- The scope that was granted, or that is missing.
  scope text,
  -- The process that sends the refresh token, and until when. A refresh whose end nobody knows is not repeated.
  refresh_id uuid,
  refreshing_until timestamptz,
  connected_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint mcp_accounts_owner_key unique nulls not distinct (server_id, user_id),
  constraint mcp_accounts_server_fkey foreign key (workspace_id, server_id)
    references mcp_servers(workspace_id, id) on delete cascade,
  constraint mcp_accounts_member_fkey foreign key (workspace_id, user_id)
    references members(workspace_id, user_id) on delete cascade
);
create index mcp_accounts_workspace_idx on mcp_accounts (workspace_id, server_id);
create index mcp_accounts_member_idx on mcp_accounts (user_id, workspace_id) where user_id is not null;
create index mcp_accounts_connected_by_idx on mcp_accounts (connected_by) where connected_by is not null;
alter table mcp_accounts enable row level security;
create policy tenant on mcp_accounts using (workspace_id is not distinct from (select current_workspace_id()));
-- Only the service reads and changes tokens.
grant select (id, workspace_id, server_id, user_id, name, expires_at, status, error, scope, connected_by, created_at,
  updated_at) on mcp_accounts to muster_viewer;
grant insert, delete on mcp_accounts to muster_app;

-- Sign-ins that people have started. Each state is valid once, for ten minutes; only its SHA-256 is stored.
-- flow_ciphertext: what the authorization server's answer is checked against, as JSON, encrypted.
create table mcp_sign_ins (
  id uuid primary key,
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid not null,
  state_hash text not null unique,
  flow_ciphertext text not null,
  expires_at timestamptz not null,
  foreign key (workspace_id, server_id) references mcp_servers(workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references members(workspace_id, user_id) on delete cascade
);
create index mcp_sign_ins_expires_at_idx on mcp_sign_ins (expires_at);
create index mcp_sign_ins_server_idx on mcp_sign_ins (workspace_id, server_id);
create index mcp_sign_ins_member_idx on mcp_sign_ins (workspace_id, user_id);
alter table mcp_sign_ins enable row level security;
create policy tenant on mcp_sign_ins using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, server_id, user_id, expires_at) on mcp_sign_ins to muster_viewer;
grant insert on mcp_sign_ins to muster_app;

-- The key with which the current attempt was started, if it was not the one that created the run.
alter table runs add column started_key uuid;
