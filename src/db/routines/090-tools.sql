-- Custom tools, MCP servers, remote agents and push notifications: functions, triggers and views.

create or replace view custom_tool_records with (security_invoker = true) as
  select t.id, t.workspace_id, t.name, t.description, t.parameters, t.url, t.method, t.headers_shown as headers,
    t.timeout_ms, t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from custom_tools t;
grant select on custom_tool_records to muster_viewer;

create or replace view custom_tool_call_records with (security_invoker = true) as
  select c.id, c.tool_id, c.task_id, case when c.error is null then 'success' else 'failed' end as status,
    c.http_status, c.duration_ms, c.error, iso(c.created_at) as created_at
  from custom_tool_calls c;
grant select on custom_tool_call_records to muster_viewer;

-- The tools of these that the workspace has. They cannot be deleted until the transaction ends. The writer of an agent
-- that lists them has no right to change them, and so could not lock them otherwise.
create or replace function lock_custom_tools(ids uuid[]) returns setof uuid
  language sql security definer set search_path = public, pg_temp as $$
  select t.id from custom_tools t
  where t.id = any(ids) and t.workspace_id is not distinct from current_workspace_id()
  for key share
$$;
revoke execute on function lock_custom_tools from public;
grant execute on function lock_custom_tools to muster_app;

create or replace view remote_agent_records with (security_invoker = true) as
  select r.id, r.workspace_id, r.card->>'name' as name, r.card->>'description' as description, r.base_url,
    r.card->>'version' as version, r.card->>'protocol' as protocol_version, r.card->'skills' as skills,
    r.is_enabled, r.has_token, iso(r.card_fetched_at) as card_fetched_at,
    r.card_error, r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at
  from remote_agents r;
grant select on remote_agent_records to muster_viewer;

create or replace view table_api.remote_agents with (security_invoker = true) as
  select r.id, r.workspace_id, r.card->>'name' as name, r.card->>'description' as description, r.base_url,
    r.card->>'version' as version, r.card->>'protocol' as protocol_version, r.card->'skills' as skills,
    r.is_enabled, r.card_fetched_at, r.card_error, r.created_by, r.created_at, r.updated_at
  from public.remote_agents r;
grant select on table_api.remote_agents to muster_viewer;

-- Writes the deliveries of a task's state to one of its push configurations, or to all when none is given.
create or replace function record_push_deliveries(task runs, config_id uuid)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  new_event uuid := gen_random_uuid();
  event_name text := 'task.' || case task.status when 'running' then 'started' else task.status end;
begin
  insert into delivery_events (id, workspace_id, event, task_id, attempt, title, worker, status, result, error,
    happened_at)
  values (new_event, task.workspace_id, event_name, task.id, task.attempt, task.title,
    coalesce((select name from agents where id = task.agent_id), ''), task.status, coalesce(task.result, ''),
    task.error, coalesce(task.completed_at, task.updated_at));
  insert into deliveries (workspace_id, event_id, event, task_id, subscription_id, target_name, type, host, trace)
  select task.workspace_id, new_event, event_name, task.id, p.id, p.url, 'a2a_push',
    coalesce(substring(p.url from '^[a-z]+://([^/?#]+)'), ''), trace_below(task)
  from push_configs p where p.task_id = task.id and (config_id is null or p.id = config_id);
end $$;
revoke execute on function record_push_deliveries from public;

create or replace function push_task() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from push_configs p where p.task_id = new.id) then
    perform record_push_deliveries(new, null);
  end if;
  return null;
end $$;

create or replace trigger run_push after update of status on runs for each row
  when (new.status <> old.status and new.agent_id is not null
    and new.status in ('running', 'waiting_for_input', 'completed', 'failed', 'cancelled'))
  execute function push_task();

-- A task may change while its client is still storing a configuration; this delivers the state that it has reached. The
-- statement that stores a configuration locks the task's row, so a change comes either before or after it.
create or replace function push_stored_config() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  task runs;
begin
  if is_moving() then return null; end if;
  select * into task from runs where id = new.task_id;
  if task.status in ('running', 'waiting_for_input', 'completed', 'failed', 'cancelled') then
    perform record_push_deliveries(task, new.id);
  end if;
  return null;
end $$;

create or replace trigger push_config_stored after insert or update of url on push_configs for each row
  execute function push_stored_config();

-- The tools of servers: those for everybody, with user_id null, and those that a person's account shows.
create or replace view listed_mcp_tools with (security_invoker = true) as
  select workspace_id, server_id, null::uuid as user_id, name, position, title, description, input_schema, annotations,
    issue, hash, approved_hash from mcp_tools
  union all
  select workspace_id, server_id, user_id, name, position, title, description, input_schema, annotations, issue, hash,
    hash from mcp_account_tools;
grant select on listed_mcp_tools to muster_viewer;

create or replace view mcp_server_records with (security_invoker = true) as
  select s.id, s.workspace_id, s.name, s.url, s.headers_shown as headers, s.timeout_ms, s.is_enabled,
    s.info->>'name' as server_name, s.info->>'version' as server_version,
    s.info->>'protocolVersion' as protocol_version, s.info->>'transport' as transport,
    (select count(*)::integer from listed_mcp_tools t where t.server_id = s.id) as tool_count,
    iso(s.tools_fetched_at) as tools_fetched_at, s.last_error,
    s.created_by, iso(s.created_at) as created_at, iso(s.updated_at) as updated_at, s.on_change,
    s.oauth,
    case when s.oauth is not null then coalesce(a.status, 'missing') end as account_status,
    a.error as account_error
  from mcp_servers s
  left join mcp_accounts a on s.oauth is not null and a.server_id = s.id
    and a.user_id is not distinct from case when s.oauth->>'account' = 'person' then current_user_id() end;
grant select on mcp_server_records to muster_viewer;

-- Accounts at MCP servers as the API shows them.
create or replace view mcp_account_records with (security_invoker = true) as
  select a.id, a.server_id, case when a.user_id is not null then json_build_object('id', a.user_id, 'name',
      coalesce((select u.name from users u where u.id = a.user_id), 'Former member')) end as person,
    a.status, a.error, a.scope, iso(a.expires_at) as expires_at,
    a.connected_by, iso(a.created_at) as connected_at
  from mcp_accounts a;
grant select on mcp_account_records to muster_viewer;

-- Whether a person started something himself: signed in, or by an app that he has connected. Whoever has a key's text
-- can use it, so other keys stand for nobody.
create or replace function acts_himself(person uuid, key uuid) returns boolean
  language sql stable as $$
  select key is null or exists (select from api_keys k where k.id = key and k.created_by = person and k.app is not null)
$$;
revoke execute on function acts_himself from public;

-- The person who started a run's attempt himself; null for runs of schedules, triggers and keys.
create or replace function starter_of(run uuid) returns uuid
  language sql stable as $$
  select case
      when r.started_by is not null then case when acts_himself(r.started_by, r.started_key) then r.started_by end
      when r.source_kind = 'console' then r.created_by
      when r.source_kind = 'mcp' and acts_himself(r.created_by, r.source_id) then r.created_by
    end
  from runs r where r.id = coalesce((select p.parent_id from runs p where p.id = run), run)
$$;
revoke execute on function starter_of from public;

-- The servers of these names that the workspace has. They cannot be deleted until the transaction ends. The writer of
-- an agent that lists their tools has no right to change them, and so could not lock them otherwise.
create or replace function lock_mcp_servers(names text[]) returns setof text
  language sql security definer set search_path = public, pg_temp as $$
  select s.name from mcp_servers s
  where s.name = any(names) and s.workspace_id is not distinct from current_workspace_id()
  for key share
$$;
revoke execute on function lock_mcp_servers from public;
grant execute on function lock_mcp_servers to muster_app;

-- A run that waits for an answer has no execution that could cancel its remote tasks when it ends from outside: a
-- process is notified to do so.
create or replace function announce_abandoned_calls() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from remote_calls c
      where c.subject_id = old.id and c.ended_at is null and c.remote_task_id is not null) then
    perform pg_notify('muster_remote_calls', '');
  end if;
  return null;
end $$;
revoke execute on function announce_abandoned_calls from public;
create or replace trigger run_abandons_calls after update of status on runs for each row
  when (old.status = 'waiting_for_input' and new.status in ('completed', 'failed', 'cancelled'))
  execute function announce_abandoned_calls();
create or replace trigger run_deletion_abandons_calls after delete on runs for each row
  when (old.status = 'waiting_for_input') execute function announce_abandoned_calls();
