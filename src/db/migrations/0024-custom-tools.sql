-- Custom tools: HTTP endpoints of a workspace that its agents call, and the log of these calls.

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
  foreign key (workspace_id, tool_id) references custom_tools (workspace_id, id) on delete cascade
);
create index custom_tool_calls_newest_idx on custom_tool_calls (tool_id, created_at desc, id desc);
create index custom_tool_calls_created_at_idx on custom_tool_calls (created_at);

create view custom_tool_records with (security_invoker = true) as
  select t.id, t.workspace_id, t.name, t.description, t.parameters, t.url, t.method, t.headers_shown as headers,
    t.timeout_ms, t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from custom_tools t;

create view custom_tool_call_records with (security_invoker = true) as
  select c.id, c.tool_id, c.task_id, case when c.error is null then 'success' else 'failed' end as status,
    c.http_status, c.duration_ms, c.error, iso(c.created_at) as created_at
  from custom_tool_calls c;

alter table custom_tools enable row level security;
create policy tenant on custom_tools using (workspace_id is not distinct from (select current_workspace_id()));
alter table custom_tool_calls enable row level security;
create policy tenant on custom_tool_calls using (workspace_id is not distinct from (select current_workspace_id()));

-- Headers are read by the service, which makes the calls, and written by those who manage keys.
grant select (id, workspace_id, name, description, parameters, url, method, headers_shown, timeout_ms, created_by,
  created_at, updated_at) on custom_tools to muster_viewer;
grant select on custom_tools to muster_app;
grant insert, update, delete on custom_tools to muster_admin;
grant select on custom_tool_calls, custom_tool_records, custom_tool_call_records to muster_viewer;
grant insert on custom_tool_calls to muster_app;

-- Which of these tools the workspace has. They stay until the transaction has ended: who writes an agent that lists
-- one may not change it, and could not lock it otherwise.
create function hold_custom_tools(ids uuid[]) returns setof uuid
  language sql security definer set search_path = public, pg_temp as $$
  select t.id from custom_tools t
  where t.id = any(ids) and t.workspace_id is not distinct from current_workspace_id()
  for key share
$$;
revoke execute on function hold_custom_tools from public;
grant execute on function hold_custom_tools to muster_app;
