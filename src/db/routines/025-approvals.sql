-- Approvals that a rule asks for.

-- The people whom a rule asks, by id, by role or by a route's list: members who may answer questions at all. Service
-- accounts are none.
create or replace function asked_members(workspace uuid, ask json) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select m.user_id from members m
  where m.workspace_id = workspace and (current_workspace_id() is null or m.workspace_id = current_workspace_id())
    and (m.role <> 'viewer' or m.can_answer)
    and not exists (select from service_accounts s where s.id = m.user_id)
    and ((ask->'people')::jsonb ? m.user_id::text
      or array_position('{viewer,member,admin,owner}'::text[], m.role)
        >= array_position('{viewer,member,admin,owner}'::text[], ask->>'role')
      or exists (select from output_routes o
        where o.id = (ask->>'channel')::uuid and o.workspace_id = workspace and o.kind = 'people'
          and o.members @> jsonb_build_array(jsonb_build_object('member', m.user_id))))
$$;
revoke execute on function asked_members from public;
grant execute on function asked_members to muster_viewer, muster_reach_viewer;

-- Who may vote on a question of a rule in the stages up to this one, without those who started the run. As the owner:
-- a key that is limited to agents sees its own member only.
create or replace function question_voters(asked task_questions, last integer) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp as $$
  select distinct m.id
  from json_array_elements(asked.question->'policy'->'stages') with ordinality s (stage, number)
  cross join lateral asked_members(asked.workspace_id, s.stage->'ask') m (id)
  where s.number <= last + 1
    and not (asked.question->'policy'->'excluded')::jsonb ? m.id::text
$$;
revoke execute on function question_voters from public;
grant execute on function question_voters to muster_viewer, muster_reach_viewer;

-- The name of a member of the workspace, or what replaces it. As the owner, for the same reason.
create or replace function voter_name(voter uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
  return coalesce((select u.name from users u join members m on m.user_id = u.id
    where u.id = voter and m.workspace_id = current_workspace_id()), former_name(voter));
revoke execute on function voter_name from public;
grant execute on function voter_name to muster_viewer, muster_reach_viewer;

-- The votes on a question, in their order.
create or replace function question_votes_of(question uuid) returns json
  language sql stable
  return coalesce((
    select json_agg(json_build_object('by', json_build_object('id', v.user_id, 'name', voter_name(v.user_id)),
      'approved', v.approved, 'via', v.via, 'at', iso(v.at)) order by v.at, v.user_id)
    from question_votes v where v.interaction_id = question), '[]');

-- Who may still vote on an open question, now and after escalations.
create or replace function question_voters_left(asked task_questions, last integer) returns setof uuid
  language sql stable as $$
  select v.id from question_voters(asked, last) v (id)
  where not exists (select from question_votes d where d.interaction_id = asked.interaction_id and d.user_id = v.id)
$$;

-- Who is asked later, by escalation: the time, and those who may vote from then on.
create or replace function question_escalations(asked task_questions) returns json
  language sql stable
  return coalesce((
    select json_agg(json_build_object('at', iso(asked.asked_at + make_interval(
        secs => (asked.question->'policy'->'stages'->(n - 1)->>'seconds')::double precision)),
      'people', coalesce((
        select json_agg(json_build_object('id', v.id, 'name', voter_name(v.id)) order by voter_name(v.id), v.id)
        from (select id from question_voters(asked, n) w (id) except
          select id from question_voters(asked, n - 1) w (id)) v), '[]')) order by n)
    from generate_series(asked.stage + 1, json_array_length(asked.question->'policy'->'stages') - 1) n), '[]');

-- Why a question of a rule cannot get the approvals that it needs, and what follows; null while it can.
create or replace function question_problem(asked task_questions) returns text
  language sql stable as $$
  select format('%s needed, and only %s of those asked may still answer. %s',
    case missing.count when 1 then '1 more approval is' else missing.count || ' more approvals are' end, able.now,
    case when able.later >= missing.count then 'It waits for the next escalation.'
      else case policy->>'ending' when 'fail' then 'The run fails at the deadline.'
        when 'deny' then 'The call is denied at the deadline.' else 'The call is allowed at the deadline.' end end)
  from (select asked.question->'policy' as policy) p
  cross join lateral (
    select (policy->>'need')::integer - (select count(*) from question_votes v
      where v.interaction_id = asked.interaction_id and v.approved) as count) missing
  cross join lateral (
    select (select count(*) from question_voters_left(asked, asked.stage)) as now,
      (select count(*) from question_voters_left(asked, json_array_length(policy->'stages') - 1)) as later) able
  where policy is not null and able.now < missing.count
$$;

-- Whoever leaves a workspace is listed in its channels no more.
create or replace function leave_channels() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_moving() or not exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null) then
    return null;
  end if;
  update output_routes o set members = coalesce((
    select jsonb_agg(m.person order by m.number) from jsonb_array_elements(o.members) with ordinality m (person, number)
    where m.person->>'member' <> old.user_id::text), '[]')
  where o.workspace_id = old.workspace_id
    and o.members @> jsonb_build_array(jsonb_build_object('member', old.user_id));
  return null;
end $$;
revoke execute on function leave_channels from public;
create or replace trigger members_leave_channels after delete on members for each row execute function leave_channels();

-- A config for another workspace: people are named by their e-mail addresses, routes by their names.
create or replace function exported_config(workspace uuid, config jsonb) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  rules text := config->>'approvals';
  person record;
  route record;
begin
  if rules is null then return config; end if;
  for person in
    select u.id, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = workspace and position(u.id::text in rules) > 0
  loop
    rules := replace(rules, to_json(person.id::text)::text, to_json(person.email)::text);
  end loop;
  for route in
    select o.id, o.name from output_routes o where o.workspace_id = workspace and position(o.id::text in rules) > 0
  loop
    rules := replace(rules, to_json(route.id::text)::text, to_json(route.name)::text);
  end loop;
  return jsonb_set(config, '{approvals}', rules::jsonb);
end $$;
revoke execute on function exported_config from public;
grant execute on function exported_config to muster_viewer;
