-- Workspaces, people and keys: functions, triggers and views.

-- What somebody is called who is no member any more. As the owner: others do not see the accounts of former members.
create or replace function former_name(person uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
  return case when exists (select from users u where u.id = person and u.email = 'erased-' || person || '@erased.invalid')
    then 'Erased person' else 'Former member' end;
revoke execute on function former_name from public;
grant execute on function former_name to muster_viewer, muster_reach_viewer;

-- ISO 8601 in UTC with microseconds: the format of all timestamps in the API and in its cursors.
create or replace function iso(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- The generation of the data key that encrypted a secret.
create or replace function data_key_of(encrypted text) returns integer
  language sql immutable parallel safe
  return case when strpos(encrypted, '.') = 0 then 0 else split_part(encrypted, '.', 1)::integer end;

-- Whether a secret's data key is gone. A process that was frozen since before a rotation could still write such a secret.
create or replace function has_retired_key(encrypted text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select data_key_of(encrypted) < (select min(generation) from data_keys)
$$;

create or replace function reject_retired_key() returns trigger language plpgsql as $$
begin
  raise exception 'The encryption key was changed meanwhile; send the request again.' using errcode = 'MQ003';
end $$;

create or replace trigger data_key_is_known before insert or update of ciphertext on provider_keys
  for each row when (has_retired_key(new.ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of secret_ciphertext on webhook_subscriptions
  for each row when (has_retired_key(new.secret_ciphertext)) execute function reject_retired_key();
create or replace trigger previous_key_is_known before insert or update of previous_secret_ciphertext on webhook_subscriptions
  for each row when (has_retired_key(new.previous_secret_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of secret_ciphertext on triggers
  for each row when (has_retired_key(new.secret_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of secrets_ciphertext on output_routes
  for each row when (has_retired_key(new.secrets_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of tokens_ciphertext on google_connections
  for each row when (has_retired_key(new.tokens_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of secret_ciphertext on trello_channels
  for each row when (has_retired_key(new.secret_ciphertext)) execute function reject_retired_key();
create or replace trigger credentials_key_is_known before insert or update of credentials_ciphertext on trello_channels
  for each row when (has_retired_key(new.credentials_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of target_ciphertext on push_devices
  for each row when (has_retired_key(new.target_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of private_ciphertext on vapid_keys
  for each row when (has_retired_key(new.private_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of headers_ciphertext on custom_tools
  for each row when (has_retired_key(new.headers_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of headers_ciphertext on mcp_servers
  for each row when (has_retired_key(new.headers_ciphertext)) execute function reject_retired_key();
create or replace trigger client_key_is_known before insert or update of client_ciphertext on mcp_servers
  for each row when (has_retired_key(new.client_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of tokens_ciphertext on mcp_accounts
  for each row when (has_retired_key(new.tokens_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of flow_ciphertext on mcp_sign_ins
  for each row when (has_retired_key(new.flow_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of token_ciphertext on remote_agents
  for each row when (has_retired_key(new.token_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of secrets_ciphertext on push_configs
  for each row when (has_retired_key(new.secrets_ciphertext)) execute function reject_retired_key();
create or replace trigger data_key_is_known before insert or update of body_ciphertext on idempotent_answers
  for each row when (has_retired_key(new.body_ciphertext)) execute function reject_retired_key();

-- Every process keeps the data keys.
create or replace function announce_data_keys() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_data_keys', '');
  return null;
end $$;

create or replace trigger data_keys_changed
  after insert or update or delete on data_keys for each statement execute function announce_data_keys();

-- Every process caches keys. This channel invalidates the cache after a change.
create or replace function announce_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_keys', old.key_hash);
  return null;
end $$;

create or replace trigger api_keys_changed
  after delete or update of key_hash, scopes, expires_at, kind, surfaces, agents, teams, networks on api_keys
  for each row execute function announce_key_change();

-- When admins are to be told next that a key expires: of two times before its end, the earlier one that is not past. A key
-- that is made for less than that is no news, nor is one that has been replaced, or that a connected app renews.
create or replace function next_key_warning(expires_at timestamptz) returns timestamptz
  language sql stable
  return (select min(expires_at - before) from unnest(array[interval '14 days', interval '3 days']) as before
    where expires_at - before > clock_timestamp());

create or replace function plan_key_warning() returns trigger language plpgsql as $$
begin
  new.warn_at := case when new.replaced_by is null and new.app is null then next_key_warning(new.expires_at) end;
  return new;
end $$;

create or replace trigger key_warning_planned before insert or update of expires_at, replaced_by on api_keys
  for each row execute function plan_key_warning();

-- A key has the rights of its creator. When these change, processes must read the key again.
create or replace function announce_member_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_keys', key_hash) from api_keys
  where workspace_id = old.workspace_id and created_by = old.user_id;
  return null;
end $$;

create or replace trigger members_changed
  after delete or update of role on members for each row execute function announce_member_change();

-- Creates a service account with its role, in the workspace of the caller. As the owner: no other role adds users.
create or replace function create_service_account(account uuid, workspace uuid, name text, role text, client text)
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  workspace := coalesce(current_workspace_id(), workspace);
  insert into users (id, email, name, email_proved)
    values (account, account || '@service-accounts.invalid', create_service_account.name, false);
  insert into service_accounts (id, workspace_id, name, client)
    values (account, workspace, create_service_account.name, create_service_account.client);
  insert into members (workspace_id, user_id, role) values (workspace, account, create_service_account.role);
end $$;
revoke execute on function create_service_account from public;
grant execute on function create_service_account to muster_admin;

create or replace function rename_service_account() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update users set name = new.name, updated_at = now() where id = new.id;
  return null;
end $$;
revoke execute on function rename_service_account from public;

create or replace trigger service_accounts_renamed after update of name on service_accounts
  for each row when (old.name <> new.name) execute function rename_service_account();

-- All its keys count the networks of a service account.
create or replace function announce_account_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_keys', key_hash) from api_keys
  where workspace_id = old.workspace_id and created_by = old.id;
  return null;
end $$;
revoke execute on function announce_account_change from public;

create or replace trigger service_accounts_changed after update of networks on service_accounts
  for each row execute function announce_account_change();

-- Every process caches sessions. This channel announces their end.
create or replace function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_sessions', old.id::text);
  return null;
end $$;

create or replace trigger session_ended
  after delete on sessions for each row execute function announce_session_end();

-- A session has the rights of its person in a workspace.
create or replace function announce_member_sessions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_sessions', id::text) from sessions where user_id = old.user_id;
  return null;
end $$;

create or replace trigger members_changed_sessions
  after delete or update of role, can_answer on members for each row execute function announce_member_sessions();

-- A workspace that requires passkeys is out of reach for a session that a password opened.
create or replace function announce_required_passkeys() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_sessions', s.id::text)
  from members m join sessions s on s.user_id = m.user_id where m.workspace_id = new.id and s.opened_by = 'password';
  return null;
end $$;

create or replace trigger workspaces_require_passkeys after update of require_passkeys on workspaces
  for each row when (old.require_passkeys <> new.require_passkeys) execute function announce_required_passkeys();

-- So is the passkey that raises one.
create or replace trigger session_raised after update of opened_by on sessions
  for each row execute function announce_session_end();

-- Processes hold permits according to the plan's limit that they know.
create or replace function announce_plan_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_plans', new.id::text);
  return null;
end $$;

create or replace trigger workspaces_plan_changed
  after update of plan on workspaces for each row execute function announce_plan_change();

-- The person of the current transaction, or null when the service acts without a person.
create or replace function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.user_id', true), '')::uuid;

create or replace function create_totals() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stored_totals (workspace_id) values (new.id);
  return null;
end $$;

create or replace trigger workspaces_create_totals after insert on workspaces for each row execute function create_totals();

-- The records and bytes that workspaces store, and their limits.
create or replace view workspace_quotas with (security_invoker = true) as
  select w.id as workspace_id, w.plan, t.records + c.records as records, q.records as max_records,
    t.stored_bytes + c.stored_bytes as stored_bytes, q.stored_bytes as max_stored_bytes, q.schedules as max_schedules,
    q.alerts as max_alerts
  from workspaces w
  join stored_totals t on t.workspace_id = w.id
  left join plan_quotas q on q.plan = w.plan
  cross join lateral (
    select coalesce(sum(records), 0)::bigint as records, coalesce(sum(stored_bytes), 0)::bigint as stored_bytes
    from stored_changes where workspace_id = w.id
  ) c;
grant select on workspace_quotas to muster_viewer;

-- Adds to a workspace's stored totals. Additions by requests, schedules and triggers are checked against the quota.
-- Results of runs are counted but never rejected. SQLSTATE MQ001 becomes the error quota_exceeded. Concurrent
-- transactions do not see each other's additions, so they can exceed a quota by that much. Nothing is counted for a
-- workspace that is being deleted.
create or replace function count_stored(workspace uuid, more_records bigint, more_bytes bigint) returns void
  language plpgsql as $$
declare
  quota workspace_quotas;
  is_checked constant boolean not null := coalesce(more_records > 0 and workspace = current_workspace_id(), false);
begin
  if is_checked and exists (select from workspaces w where w.id = workspace and w.held_at is not null) then
    raise exception using errcode = 'MQ002', message =
      'The operator of this instance holds this workspace: it can be read, but nothing new is stored or started in it.';
  end if;
  perform from stored_totals t where t.workspace_id = workspace for update skip locked;
  if found then
    with folded as (
      delete from stored_changes c where c.workspace_id = workspace returning c.records, c.stored_bytes
    )
    update stored_totals t
    set records = t.records + more_records + f.records, stored_bytes = t.stored_bytes + more_bytes + f.stored_bytes
    from (select coalesce(sum(records), 0) as records, coalesce(sum(stored_bytes), 0) as stored_bytes from folded) f,
      workspaces w left join plan_quotas q on q.plan = w.plan
    where t.workspace_id = workspace and w.id = workspace
    returning w.id, w.plan, t.records, q.records, t.stored_bytes, q.stored_bytes, q.schedules,
      q.alerts into quota;
  else
    insert into stored_changes (workspace_id, records, stored_bytes)
    select w.id, more_records, more_bytes from workspaces w where w.id = workspace;
    if is_checked then select * into quota from workspace_quotas q where q.workspace_id = workspace; end if;
  end if;
  if is_checked and quota.records > quota.max_records then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s records (agents, tasks, runs, files and others together), which this would exceed. Delete some, or ask the operator for a larger plan.',
      quota.plan, quota.max_records);
  end if;
  if is_checked and more_bytes > 0 and quota.stored_bytes > quota.max_stored_bytes then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s MiB of files and documents, which this would exceed. Delete some, or ask the operator for a larger plan.',
      quota.plan, quota.max_stored_bytes / 1048576);
  end if;
end $$;
revoke execute on function count_stored from public;

create or replace function count_added() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, part.bytes);
    end loop;
  elsif tg_table_name = 'runs' then
    -- A run of a task is part of the task.
    for part in select workspace_id, count(*) as records from added where parent_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  end if;
  return null;
end $$;

create or replace function count_removed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, -part.bytes);
    end loop;
  elsif tg_table_name = 'runs' then
    for part in select workspace_id, count(*) as records from removed where parent_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  end if;
  return null;
end $$;

-- The number of permits that a process gets for a request. Unspent permits of a block are unavailable to other
-- processes until the window ends. Blocks are so small that 30 processes together hold at most 2 % of the limit,
-- however requests are distributed.
create or replace function permits_granted(allowed integer, used integer, wanted integer) returns integer
  language sql immutable parallel safe
  return case when wanted = 0 then 0
    else greatest(0, least(allowed - used, greatest(wanted, least(allowed / 1500, 64)))) end;

-- The tables that count towards a workspace's quota. Keys and budgets do not count: a full workspace must still be able
-- to replace a key and to limit its spending.
do $$
declare
  counted text;
begin
  foreach counted in array array[
    'agents', 'agent_versions', 'teams', 'runs', 'voice_profiles', 'output_templates',
    'knowledge_bases', 'knowledge_documents', 'files', 'custom_tools', 'remote_agents', 'triggers', 'schedules',
    'webhook_subscriptions', 'output_routes', 'trello_channels', 'invitations'
  ] loop
    execute format('create or replace trigger %1$s_count_added after insert on %1$I referencing new table as added
      for each statement execute function count_added()', counted);
    execute format('create or replace trigger %1$s_count_removed after delete on %1$I referencing old table as removed
      for each statement execute function count_removed()', counted);
  end loop;
end $$;

-- A name as part of a URL: its Latin letters without accents, and its digits. A name that looks like an id gets a
-- prefix, because URLs accept ids in place of slugs.
create or replace function slug_of(name text) returns text language sql immutable parallel safe as $$
  select case when slug ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then 'w-' || slug
    when slug = '' then 'workspace' else slug end
  from (select btrim(left(regexp_replace(lower(regexp_replace(normalize(name, NFKD), U&'[\0300-\036F]', '', 'g')),
    '[^a-z0-9]+', '-', 'g'), 40), '-') as slug) as made
$$;

-- Claims a slug for a workspace with this name. This is the name's slug if no other workspace has or had it. Else
-- random characters are appended, one more at each attempt.
create or replace function claim_slug(workspace uuid, name text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  candidate text := slug_of(name);
  tries integer := 2;
begin
  loop
    insert into workspace_slugs (slug, workspace_id) values (candidate, workspace) on conflict do nothing;
    if exists (select from workspace_slugs s where s.slug = candidate and s.workspace_id = workspace) then
      return candidate;
    end if;
    tries := tries + 1;
    candidate := slug_of(name) || '-' || left(replace(gen_random_uuid()::text, '-', ''), tries);
  end loop;
end $$;
revoke execute on function claim_slug from public;

create or replace function set_workspace_slug() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' or slug_of(new.name) <> slug_of(old.name) then
    new.slug := claim_slug(new.id, case when is_moving() then new.slug else new.name end);
  end if;
  return new;
end $$;
revoke execute on function set_workspace_slug from public;
create or replace trigger workspaces_slug before insert or update of name on workspaces
  for each row execute function set_workspace_slug();
