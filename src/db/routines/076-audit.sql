-- The audit log: functions and triggers.

-- The key of the current transaction, or null.
create or replace function current_key_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.key_id', true), '')::uuid;

-- Writes one entry, unless the workspace is deleted or being deleted. `actor`: the person, when the service acts for
-- one. As the owner, because no other role may write to the log.
create or replace function write_audit(
  workspace uuid, action text, subject_kind text, subject_id uuid, subject_name text, changes jsonb,
  actor uuid default null
) returns void language sql as $$
  insert into audit_log (workspace_id, actor_id, key_id, key_label, action, subject_kind, subject_id, subject_name, changes)
  select w.id, coalesce(current_user_id(), actor), current_key_id(), (select k.label from api_keys k where k.id = current_key_id()),
    write_audit.action, write_audit.subject_kind, write_audit.subject_id, left(write_audit.subject_name, 200),
    write_audit.changes
  from workspaces w where w.id = workspace and w.deleted_at is null
$$;
revoke execute on function write_audit from public;

-- What a budget applies to is called; null for the workspace, and for what is deleted with the budget.
create or replace function budget_target_name(target uuid) returns text
  language sql stable as $$
  select name from agents where id = target
  union all select name from teams where id = target
  union all select title_of(r) from runs r where r.id = target
  union all select title from agent_pages where id = target
$$;
revoke execute on function budget_target_name from public;

-- A value as the log shows it: of a URL only what comes before a query, which may hold a secret.
create or replace function shown_value(key text, value jsonb) returns jsonb
  language sql immutable
  return case when key in ('url', 'base_url', 'target_url') and jsonb_typeof(value) = 'string'
    then to_jsonb(regexp_replace(regexp_replace(value#>>'{}', '[?#].*$', ''), '//[^/@]*@', '//')) else value end;
revoke execute on function shown_value from public;

-- Records that a row was created, changed or deleted. Arguments: its kind; the columns of its id and its name ('' for
-- no id); the columns whose values are shown.
create or replace function audit_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  subject jsonb := case when tg_op = 'DELETE' then before else after end;
  shown text[] := string_to_array(tg_argv[3], ' ');
  changes jsonb;
  kind text := tg_argv[0];
  subject_name text := shown_value(tg_argv[2], subject->tg_argv[2])#>>'{}';
begin
  if is_moving() then return null; end if;
  select coalesce(jsonb_object_agg(regexp_replace(key, '_(ciphertext|hash)$', ''),
      case when key = any(shown) then jsonb_build_array(shown_value(key, before->key), shown_value(key, after->key)) end), '{}')
    into changes
    from jsonb_object_keys(before || after) as key
    where coalesce(before->key, 'null') <> coalesce(after->key, 'null')
      -- When a rotated key's replacement is deleted, replaced_by becomes null; the log has only the deletion.
      and not (tg_op = 'UPDATE' and key = 'replaced_by' and after->>key is null)
      and case tg_op when 'UPDATE' then
        key = any(shown) or key not in ('created_at', 'updated_at', 'version', 'install_count', 'fallback_model',
          'last4', 'host', 'last_used_at', 'failed_attempts', 'headers_shown', 'has_token', 'has_secret', 'has_code', 'token_prefix',
          'next_times', 'next_at', 'planned_at', 'warn_at', 'refresh_id', 'refreshing_until', 'state', 'since', 'last_value', 'last_checked_at', 'check_at')
        else key = any(shown) end
      -- The rotation of the encryption key changes no secret.
      and not (tg_op = 'UPDATE' and current_user_id() is null and key like '%ciphertext'
        and data_key_of(before->>key) <> data_key_of(after->>key));
  if tg_op = 'UPDATE' and changes = '{}' then return null; end if;
  if kind = 'member' then
    select case when s.id is null then 'member' else 'service_account' end, coalesce(s.name, u.email)
      into kind, subject_name
      from users u left join service_accounts s on s.id = u.id where u.id = (subject->>'user_id')::uuid;
  elsif kind = 'golden_gate' then
    subject_name := (select a.name from agents a where a.id = (subject->>'agent_id')::uuid);
  elsif kind = 'budget' then
    subject_name := coalesce(budget_target_name((subject->>'target_id')::uuid), subject_name);
  end if;
  -- An erasure writes no names.
  if current_setting('muster.erasing', true) = 'on' then
    subject_name := null;
    changes := '{}';
  end if;
  perform write_audit(
    coalesce(subject->>'workspace_id', subject->>'id')::uuid,
    kind || case
      when tg_op = 'INSERT' then '.created'
      when tg_op = 'DELETE' and current_setting('muster.leaked', true) = 'on' then '.leaked'
      when tg_op = 'DELETE' then '.deleted'
      when changes ? 'replaced_by' then '.rotated'
      else '.changed' end,
    kind, (subject->>nullif(tg_argv[1], ''))::uuid, subject_name, changes,
    -- A person who accepts an invitation joins without a role to act with.
    case when tg_argv[0] = 'member' and tg_op = 'INSERT' then (subject->>'user_id')::uuid end);
  return null;
end $$;
revoke execute on function audit_change from public;

create or replace trigger audit_keys
  after insert or delete or update of label, scopes, expires_at, replaced_by, surfaces, agents, teams, networks
  on api_keys for each row
  execute function audit_change('key', 'id', 'label', 'label kind prefix scopes expires_at surfaces agents teams networks');

-- Deletes keys that others have found, of any workspace; the log says why.
create or replace function revoke_leaked_keys(hashes text[]) returns setof text
  language plpgsql as $$
begin
  perform set_config('muster.leaked', 'on', true);
  return query delete from api_keys where key_hash = any (hashes) returning key_hash;
end $$;
revoke execute on function revoke_leaked_keys from public;

-- Records that keys expire soon, once for each key and time; returns their number. What has expired meanwhile is no news.
create or replace function warn_of_expiring_keys(most integer) returns integer
  language plpgsql as $$
declare
  expiring api_keys;
  warned integer := 0;
begin
  for expiring in
    update api_keys set warn_at = next_key_warning(expires_at)
    where id in (select k.id from api_keys k where k.warn_at <= clock_timestamp()
      order by k.warn_at limit most for update skip locked)
    returning *
  loop
    warned := warned + 1;
    continue when expiring.expires_at <= clock_timestamp();
    perform write_audit(expiring.workspace_id, 'key.expiring', 'key', expiring.id, expiring.label,
      jsonb_build_object('expires_at', jsonb_build_array(null, iso(expiring.expires_at))));
  end loop;
  return warned;
end $$;
revoke execute on function warn_of_expiring_keys from public;

create or replace trigger audit_provider_keys after insert or delete or update on provider_keys
  for each row execute function audit_change('provider_key', '', 'provider', 'base_url billing_model resource region project api');
create or replace trigger audit_members after insert or delete or update on members
  for each row execute function audit_change('member', 'user_id', '', 'role can_answer');
create or replace trigger audit_service_accounts after update of name, networks on service_accounts
  for each row execute function audit_change('service_account', 'id', 'name', 'name networks');
create or replace trigger audit_invitations after insert or delete on invitations
  for each row execute function audit_change('invitation', 'id', 'email', 'role');
create or replace trigger audit_budgets after insert or delete or update of max_usd, max_tokens, on_breach on budgets
  for each row execute function audit_change('budget', 'id', 'scope', 'scope period max_usd max_tokens on_breach');
create or replace trigger audit_routes after insert or delete
  or update of name, events, is_active, config, secrets_ciphertext, allowed_user_ids, members, agent_id,
    messages_per_minute, retry_delays on output_routes
  for each row execute function audit_change('route', 'id', 'name', 'name kind type events is_active host allowed_user_ids members agent_id messages_per_minute');
create or replace trigger audit_webhooks after insert or delete
  or update of target_url, event, agent_id, team_id, is_active, secret_ciphertext on webhook_subscriptions
  for each row execute function audit_change('webhook', 'id', 'target_url', 'target_url event is_active');
create or replace trigger audit_agents after insert or delete or update on agents
  for each row execute function audit_change('agent', 'id', 'name',
    'name model fallback_models provider temperature max_tokens reasoning prompt_caching is_marketplace is_mcp_published is_a2a_published needs_review');
-- Cases of a deleted agent are no entries of their own.
create or replace trigger audit_golden_cases after insert or delete or update of name, expected, checks on golden_cases
  for each row when (pg_trigger_depth() = 0)
  execute function audit_change('golden_case', 'id', 'name', 'name source_run_id');
create or replace trigger audit_golden_gates after insert or update of required on golden_gates
  for each row when (pg_trigger_depth() = 0)
  execute function audit_change('golden_gate', 'agent_id', '', 'required');
create or replace trigger audit_workspace after update of name, plan, paused, answer_links, run_links, require_passkeys, log_url, trace_url,
    retention_tasks_days, approvals on workspaces for each row
  execute function audit_change('workspace', 'id', 'name', 'name plan paused answer_links run_links require_passkeys log_url trace_url retention_tasks_days approvals');

create or replace trigger audit_mcp_servers after insert or delete
  or update of name, url, headers_ciphertext, timeout_ms, is_enabled, on_change, oauth on mcp_servers
  for each row execute function audit_change('mcp_server', 'id', 'name', 'name url is_enabled on_change oauth');
create or replace trigger audit_mcp_accounts after insert or delete or update of status on mcp_accounts
  for each row execute function audit_change('mcp_account', 'id', 'name', 'name user_id status error scope');
create or replace trigger audit_custom_tools after insert or delete or update on custom_tools
  for each row execute function audit_change('custom_tool', 'id', 'name', 'name url method');
create or replace trigger audit_remote_agents after insert or delete
  or update of base_url, token_ciphertext, is_enabled on remote_agents
  for each row execute function audit_change('remote_agent', 'id', 'base_url', 'base_url is_enabled');
create or replace trigger audit_triggers after insert or delete or update on triggers
  for each row execute function audit_change('trigger', 'id', 'name',
    'name is_active reject_repeats assigned_agent_id assigned_team_id');
create or replace trigger audit_pages after insert or delete
  or update of slug, is_on, title, greeting, prompts, takes_files, origins, code_hash, limits, generation on agent_pages
  for each row execute function audit_change('page', 'id', 'title',
    'slug is_on title greeting prompts takes_files origins limits generation agent_id');
create or replace trigger audit_trello_channels after insert or delete or update on trello_channels
  for each row execute function audit_change('trello_channel', 'id', 'name',
    'name list_id is_active assigned_agent_id assigned_team_id');
-- Its deletion with the task is no change of its own.
create or replace trigger audit_push_configs after insert or update of url, auth_scheme, secrets_ciphertext on push_configs
  for each row execute function audit_change('push_config', 'id', 'name', 'url task_id');
create or replace trigger audit_teams after insert or delete
  or update of name, description, mode, config, output_route_ids, is_marketplace on teams
  for each row execute function audit_change('team', 'id', 'name', 'name mode output_route_ids is_marketplace');
create or replace trigger audit_knowledge_bases after insert or delete or update of name, description on knowledge_bases
  for each row execute function audit_change('knowledge_base', 'id', 'name', 'name');
create or replace trigger audit_documents after insert or delete on knowledge_documents
  for each row execute function audit_change('document', 'id', 'name', 'name knowledge_base_id');
create or replace trigger audit_schedules after insert or delete or update of name, cron, time_zone, missed, overlap,
    is_active, assigned_agent_id, assigned_team_id, title, description, priority, metadata on schedules
  for each row execute function audit_change('schedule', 'id', 'name',
    'name cron time_zone is_active assigned_agent_id assigned_team_id');
create or replace trigger audit_alerts after insert or delete or update of name, threshold, window_minutes, min_runs,
    agent_id, team_id, watched_route_id, route_id, is_enabled on alerts
  for each row execute function audit_change('alert', 'id', 'name',
    'name kind threshold window_minutes min_runs agent_id team_id watched_route_id route_id is_enabled');
create or replace trigger audit_google_connections after insert or delete or update of email on google_connections
  for each row execute function audit_change('google_account', 'id', 'email', 'email');

-- Records who signed in, in the workspace that opens.
create or replace function audit_sign_in() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit(new.last_workspace_id, 'session.created', 'session', new.id,
    (select email from users where id = new.user_id), '{}', new.user_id);
  return null;
end $$;
revoke execute on function audit_sign_in from public;
create or replace trigger audit_sessions after insert on sessions for each row
  when (new.last_workspace_id is not null) execute function audit_sign_in();

-- Records a wrong password, in the workspaces of those who have this e-mail address. The caller is unknown.
create or replace function audit_failed_sign_in(address text) returns void
  language sql as $$
  select write_audit(m.workspace_id, 'session.rejected', 'session', null, u.email, '{}')
  from users u join members m on m.user_id = u.id where lower(u.email) = lower(address)
$$;
revoke execute on function audit_failed_sign_in from public;

-- Records a change of a person's passkey, in all their workspaces. `actor`: the person; null for the operator.
create or replace function audit_passkey(owner uuid, action text, passkey uuid, name text, actor uuid) returns void
  language sql as $$
  select write_audit(m.workspace_id, audit_passkey.action, 'passkey', passkey, audit_passkey.name || ' of ' || u.email,
    '{}', actor)
  from users u join members m on m.user_id = u.id where u.id = owner
$$;
revoke execute on function audit_passkey from public;

-- Records who answered a question: a member, or a person in a channel by name, channel and id there.
create or replace function audit_answer() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit(new.workspace_id, 'question.answered', 'run',
    coalesce((select r.parent_id from runs r where r.id = new.subject_id), new.subject_id),
    (select title_of(r) from runs r where r.id = new.subject_id),
    jsonb_strip_nulls(jsonb_build_object('question', jsonb_build_array(null, new.request->'title'),
      'answered_by', case when new.answered_vendor_id is not null then jsonb_build_array(null,
        coalesce(new.answered_name, (select u.name from users u where u.id = new.answered_by)) || ' (' || new.answered_via || ' ' || new.answered_vendor_id || ')') end)));
  return null;
end $$;
revoke execute on function audit_answer from public;
create or replace trigger audit_answers after update of answered_by on closed_questions
  for each row when (old.answered_via is null and (new.answered_by is not null or new.answered_vendor_id is not null))
  execute function audit_answer();

-- Records who created a link to a question, and who revoked it.
create or replace function audit_answer_link() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_moving() then return null; end if;
  perform write_audit(new.workspace_id,
    case tg_op when 'INSERT' then 'question.link_created' else 'question.link_revoked' end, 'run',
    coalesce((select r.parent_id from runs r where r.id = new.subject_id), new.subject_id),
    (select title_of(r) from runs r where r.id = new.subject_id),
    '{}');
  return null;
end $$;
revoke execute on function audit_answer_link from public;
create or replace trigger audit_answer_link_created after insert on answer_links
  for each row when (new.route_id is null) execute function audit_answer_link();
create or replace trigger audit_answer_link_revoked after update of revoked_at on answer_links
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function audit_answer_link();

-- Records who created a link to a run, and who revoked it.
create or replace function audit_run_link() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_moving() then return null; end if;
  perform write_audit(new.workspace_id, case tg_op when 'INSERT' then 'run.link_created' else 'run.link_revoked' end, 'run',
    new.run_id, (select title_of(r) from runs r where r.id = new.run_id),
    jsonb_build_object('expires_at', jsonb_build_array(null, iso(new.expires_at))));
  return null;
end $$;
revoke execute on function audit_run_link from public;
create or replace trigger audit_run_link_created after insert on run_links
  for each row execute function audit_run_link();
create or replace trigger audit_run_link_revoked after update of revoked_at on run_links
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function audit_run_link();

-- Records who cancelled a run. A run of a task's team is part of the task.
create or replace function audit_cancel() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit(new.workspace_id, 'run.cancelled', 'run', new.id, title_of(new), '{}');
  return null;
end $$;
revoke execute on function audit_cancel from public;
create or replace trigger audit_run_cancelled after update of status on runs for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled' and new.parent_id is null
    and new.cancelled_by is not null)
  execute function audit_cancel();

-- Records who deleted a run.
create or replace function audit_run_deletion() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- One entry says how many expired.
  if current_setting('muster.expires', true) = 'on' then return null; end if;
  perform write_audit(old.workspace_id, 'run.deleted', 'run', old.id, title_of(old),
    jsonb_build_object('status', jsonb_build_array(old.status, null)));
  return null;
end $$;
revoke execute on function audit_run_deletion from public;
create or replace trigger audit_run_deleted after delete on runs
  for each row when (old.parent_id is null) execute function audit_run_deletion();

-- The log outlives its workspace, for the operator; what a deletion deletes is no entry of its own.
drop trigger if exists workspace_deleted_audit on workspaces;
drop function if exists delete_workspace_audit;
create or replace function audit_workspace_deletion() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit(old.id, 'workspace.deleted', 'workspace', old.id, old.name, '{}');
  return new;
end $$;
revoke execute on function audit_workspace_deletion from public;
create or replace trigger audit_workspace_deletion before update of deleted_at on workspaces for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function audit_workspace_deletion();

-- Records that a caller has downloaded a record with all that it says.
create or replace function audit_export(kind text, id uuid, name text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform write_audit(current_workspace_id(), audit_export.kind || '.exported', audit_export.kind, audit_export.id,
    audit_export.name, '{}');
end $$;
revoke execute on function audit_export from public;
grant execute on function audit_export to muster_viewer;

-- Records what a server does to its tools after its registration, with the difference, and what an admin approves.
create or replace function audit_mcp_tool() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  server mcp_servers;
  changes jsonb;
begin
  if is_moving() then return null; end if;
  select * into server from mcp_servers where id = coalesce(after->>'server_id', before->>'server_id')::uuid;
  -- Tools that come or go with their server are part of its registration or deletion.
  if server.id is null or server.created_at >= transaction_timestamp() then return null; end if;
  -- Tools of before this was recorded have no hash.
  if tg_op = 'UPDATE' and old.hash in (new.hash, '')
      and (server.on_change = 'use' or new.approved_hash is not distinct from old.approved_hash) then
    return null;
  end if;
  -- A server that changes its tools all the time does not fill the log.
  if (select count(*) from (select from audit_log a where a.workspace_id = server.workspace_id
      and a.subject_kind = 'mcp_tool' and a.at > clock_timestamp() - interval '1 hour' limit 200) recent) >= 200 then
    return null;
  end if;
  select coalesce(jsonb_object_agg(key, jsonb_build_array(before->key, after->key)), '{}') into changes
    from unnest(array['title', 'description', 'input_schema', 'annotations', 'hash', 'approved_hash']) as key
    where coalesce(before->key, 'null') <> coalesce(after->key, 'null') and tg_op <> 'DELETE';
  perform write_audit(server.workspace_id,
    'mcp_tool.' || case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.hash <> new.hash then 'changed'
      else 'approved' end,
    'mcp_tool', server.id, server.name || '/' || coalesce(after->>'name', before->>'name'), changes);
  return null;
end $$;
revoke execute on function audit_mcp_tool from public;
create or replace trigger audit_mcp_tools after insert or delete or update on mcp_tools
  for each row execute function audit_mcp_tool();

-- An entry as the API shows it.
create or replace function audit_entry(a audit_log) returns json
  language sql stable
  return json_build_object(
    'id', a.id, 'at', iso(a.at),
    'actor', case when a.actor_id is not null then json_build_object('id', a.actor_id, 'name',
      coalesce((select u.name from users u where u.id = a.actor_id),
        case when a.changes ? 'plan' then 'Operator of the instance' else former_name(a.actor_id) end)) end,
    'key', case when a.key_id is not null then json_build_object('id', a.key_id, 'label', a.key_label) end,
    'action', a.action,
    'subject', json_build_object('kind', a.subject_kind, 'id', a.subject_id, 'name', a.subject_name),
    'changes', a.changes);

-- Ends all sessions of a member, for an admin of the workspace, and records it.
create or replace function end_member_sessions(member uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from members where workspace_id = current_workspace_id() and user_id = member) then return; end if;
  delete from sessions where user_id = member;
  perform write_audit(current_workspace_id(), 'session.deleted', 'member', member,
    (select email from users where id = member), '{}');
end $$;
revoke execute on function end_member_sessions from public;
grant execute on function end_member_sessions to muster_admin;
