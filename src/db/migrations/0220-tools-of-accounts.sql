-- The tools of a server with accounts of persons, as each account shows them: nobody is told of another's. Those of other
-- servers stay in mcp_tools; the view listed_mcp_tools has both. 090-tools.sql changes with this number.
alter table mcp_accounts add constraint mcp_accounts_person_key unique (workspace_id, server_id, user_id);
drop index mcp_accounts_workspace_idx;
create table mcp_account_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid not null,
  name text not null,
  position integer not null,
  title text,
  description text not null,
  input_schema json not null,
  annotations jsonb not null,
  issue text,
  hash text not null,
  primary key (server_id, user_id, name),
  constraint mcp_account_tools_account_fkey foreign key (workspace_id, server_id, user_id)
    references mcp_accounts(workspace_id, server_id, user_id) on delete cascade
);
create index mcp_account_tools_workspace_idx on mcp_account_tools (workspace_id, server_id, user_id);
alter table mcp_account_tools enable row level security;
create policy tenant on mcp_account_tools using (workspace_id is not distinct from (select current_workspace_id()));
create policy person on mcp_account_tools as restrictive
  using (user_id = (select nullif(current_setting('muster.user_id', true), '')::uuid));
grant select on mcp_account_tools to muster_viewer;
grant insert, update, delete on mcp_account_tools to muster_app;

with listed as (
  delete from mcp_tools t using mcp_servers s where s.id = t.server_id and s.oauth->>'account' = 'person' returning t.*
)
insert into mcp_account_tools
  select l.workspace_id, l.server_id, a.user_id, l.name, l.position, l.title, l.description, l.input_schema, l.annotations,
    l.issue, l.hash
  from listed l, lateral (
    select user_id from mcp_accounts where server_id = l.server_id and user_id is not null order by created_at limit 1) a;

-- An admin could not approve what he may not see.
update mcp_servers set on_change = 'use' where on_change = 'hold' and oauth->>'account' = 'person';
alter table mcp_servers add constraint mcp_servers_hold_check
  check (on_change = 'use' or coalesce(oauth->>'account', '') <> 'person') not valid;
