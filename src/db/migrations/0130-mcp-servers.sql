-- MCP servers: servers of others whose tools a workspace's agents may call, with the list of their tools.

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
  foreign key (workspace_id, server_id) references mcp_servers (workspace_id, id) on delete cascade
);
create index mcp_tools_workspace_idx on mcp_tools (workspace_id, server_id);

create view mcp_server_records with (security_invoker = true) as
  select s.id, s.workspace_id, s.name, s.url, s.headers_shown as headers, s.timeout_ms, s.is_enabled,
    s.info->>'name' as server_name, s.info->>'version' as server_version,
    s.info->>'protocolVersion' as protocol_version, s.info->>'transport' as transport,
    (select count(*)::integer from mcp_tools t where t.server_id = s.id) as tool_count,
    iso(s.tools_fetched_at) as tools_fetched_at, s.last_error,
    s.created_by, iso(s.created_at) as created_at, iso(s.updated_at) as updated_at
  from mcp_servers s;

alter table mcp_servers enable row level security;
create policy tenant on mcp_servers using (workspace_id is not distinct from (select current_workspace_id()));
alter table mcp_tools enable row level security;
create policy tenant on mcp_tools using (workspace_id is not distinct from (select current_workspace_id()));

grant select on mcp_servers to muster_app;
grant select (id, workspace_id, name, url, headers_shown, timeout_ms, is_enabled, info, tools_fetched_at, last_error,
  created_by, created_at, updated_at) on mcp_servers to muster_viewer;
-- Tools are also listed again by the service, whenever it connects for an agent.
grant update (info, tools_fetched_at, last_error) on mcp_servers to muster_app;
grant insert, delete, update (url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, updated_at)
  on mcp_servers to muster_admin;
grant select on mcp_tools, mcp_server_records to muster_viewer;
grant insert, update, delete on mcp_tools to muster_app;

-- The names of those of these servers that the workspace has. They stay until the transaction has ended: the writer
-- of an agent that lists their tools may not change them, and could not lock them otherwise.
create function hold_mcp_servers(names text[]) returns setof text
  language sql security definer set search_path = public, pg_temp as $$
  select s.name from mcp_servers s
  where s.name = any(names) and s.workspace_id is not distinct from current_workspace_id()
  for key share
$$;
revoke execute on function hold_mcp_servers from public;
grant execute on function hold_mcp_servers to muster_app;
