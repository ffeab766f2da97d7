-- Erasures of workspaces and of people: functions.

-- Adds a number of removed rows to the receipt of an erasure, if there is one.
create or replace function add_to_receipt(subject uuid, what text, rows bigint) returns void
  language sql as $$
  update erasures set removed = removed || jsonb_build_object(what, coalesce((removed->>what)::bigint, 0) + rows)
  where subject_id = subject and rows > 0
$$;
revoke execute on function add_to_receipt from public;

-- Removes what routes know of a person: who they are in a channel, and their name at what they wrote there.
create or replace function erase_in_channels(person uuid) returns void language plpgsql as $$
declare
  removed bigint;
begin
  with known as (
    select r.id as route_id, m->>'user_id' as vendor_id from output_routes r, jsonb_array_elements(r.members) m
    where m->>'member' = person::text
  ),
  changed as (
    update channel_messages c set person_name = 'Erased person', person_id = 'erased' from known k
    where c.route_id = k.route_id and c.person_id = k.vendor_id
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'channel_messages', removed);
  with changed as (
    update output_routes r set members = (
      select coalesce(jsonb_agg(m order by n), '[]') from jsonb_array_elements(r.members) with ordinality e (m, n)
      where m->>'member' <> person::text)
    where strpos(r.members::text, person::text) > 0
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'output_routes', removed);
end $$;
revoke execute on function erase_in_channels from public;

-- Ends all access of a person: sessions, passkeys, keys, memberships and what else opens a door. What the log says of
-- their keys loses its names.
create or replace function erase_access(person uuid) returns void language plpgsql as $$
declare
  address text := (select lower(email) from users where id = person);
  keys uuid[] := array(select id from api_keys where created_by = person);
  part record;
  removed bigint;
begin
  perform set_config('muster.erasing', 'on', true);
  update erasures set workspaces = array(select workspace_id from members where user_id = person)
    where subject_id = person and workspaces = '{}';
  update users set password_hash = null, question_mails = '{}' where id = person;
  perform erase_in_channels(person);
  for part in select * from (values
    ('sessions', 'user_id = $1'),
    ('passkeys', 'user_id = $1'),
    ('identities', 'user_id = $1'),
    ('password_resets', 'user_id = $1'),
    ('push_devices', 'user_id = $1'),
    ('oauth_states', 'user_id = $1'),
    ('oauth_records', 'key_id = any($3) or strpos(payload::text, $1::text) > 0'),
    ('answer_links', 'created_by = $1'),
    ('run_links', 'created_by = $1'),
    ('google_connections', 'connected_by = $1 or lower(email) = $2'),
    ('mcp_accounts', 'user_id = $1 or connected_by = $1'),
    ('mcp_sign_ins', 'user_id = $1'),
    ('invitations', 'invited_by = $1 or lower(email) = $2'),
    ('api_keys', 'created_by = $1'),
    ('members', 'user_id = $1')
  ) as parts (name, condition) loop
    execute format('with gone as (delete from %I where %s returning 1) select count(*) from gone', part.name, part.condition)
      into removed using person, address, keys;
    perform add_to_receipt(person, part.name, removed);
  end loop;
  with changed as (
    update audit_log a set key_label = case when a.key_id = any(keys) then null else a.key_label end,
      subject_name = case when a.subject_kind = 'key' and a.subject_id = any(keys) then null else a.subject_name end,
      changes = case when a.subject_kind = 'key' and a.subject_id = any(keys) then a.changes - 'label' else a.changes end
    where a.key_id = any(keys) or a.subject_kind = 'key' and a.subject_id = any(keys)
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'audit_log', removed);
end $$;
revoke execute on function erase_access from public;

-- Removes the name and the address of a person from all that the service has written, and ends the erasure. Their
-- account stays as one without a name, so that what they did still has an author.
create or replace function erase_texts(person uuid) returns void language plpgsql as $$
declare
  known users;
  address text;
  places uuid[];
  is_name_unique boolean;
  removed bigint;
begin
  select workspaces into places from erasures where subject_id = person and ended_at is null for update;
  if not found then return; end if;
  select * into known from users where id = person;
  address := lower(known.email);
  -- A short name is a part of other words.
  is_name_unique := length(known.name) >= 4;
  -- What was in progress when the access ended, such as a sign-in.
  perform erase_access(person);
  with changed as (
    update audit_log a set subject_name = null, changes = '{}'
    where strpos(lower(a.subject_name), address) > 0 or strpos(lower(a.changes::text), address) > 0
      or a.action = 'question.answered' and a.workspace_id = any(places) and is_name_unique
        and strpos(a.changes::text, known.name) > 0
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'audit_log', removed);
  with changed as (
    update deliveries d set target_name = 'Erased person'
    where d.type in ('web_push', 'mail') and (lower(d.target_name) = address
      or d.target_name = known.name and d.workspace_id = any(places))
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'deliveries', removed);
  with changed as (
    update delivery_events v set title = case when strpos(lower(v.title), address) > 0 then '' else v.title end,
      worker = case when v.worker = known.name then '' else v.worker end, result = ''
    where (v.event = 'audit.recorded' or v.event like 'mail.%')
      and (strpos(lower(v.title || ' ' || v.result), address) > 0
        or v.workspace_id = any(places) and (v.worker = known.name or is_name_unique and strpos(v.result, known.name) > 0))
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'delivery_events', removed);
  with changed as (
    update delivery_attempts t set request = '', response = ''
    where t.workspace_id = any(places) and (strpos(lower(t.request || ' ' || t.response), address) > 0
      or is_name_unique and strpos(t.request || ' ' || t.response, known.name) > 0)
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'delivery_attempts', removed);
  with changed as (
    update closed_questions q set answered_name = case when q.answered_by is null then 'Erased person' end,
      answered_vendor_id = null
    where q.answered_by = person and (q.answered_name is not null or q.answered_vendor_id is not null)
      or q.workspace_id = any(places) and q.answered_name = known.name
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'closed_questions', removed);
  with changed as (
    update channel_messages c set person_name = 'Erased person'
    where c.workspace_id = any(places) and c.person_name = known.name
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'channel_messages', removed);
  update users set name = 'Erased person', email = 'erased-' || id || '@erased.invalid', email_proved = false,
    updated_at = now() where id = person;
  perform add_to_receipt(person, 'users', 1);
  update erasures set ended_at = clock_timestamp(), workspaces = '{}' where subject_id = person;
end $$;
revoke execute on function erase_texts from public;
