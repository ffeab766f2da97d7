-- Destinations and deliveries: functions, triggers and views.

create or replace view webhook_subscription_records with (security_invoker = true) as
  select s.id, s.target_url, s.event, s.agent_id, s.team_id, s.is_active, iso(s.created_at) as created_at
  from webhook_subscriptions s;
grant select on webhook_subscription_records to muster_viewer;

create or replace view table_api.webhook_subscriptions with (security_invoker = true) as
  select id, workspace_id, target_url, event, agent_id, team_id, is_active, created_by, created_at
  from public.webhook_subscriptions;
grant select on table_api.webhook_subscriptions to muster_viewer;

create or replace view output_route_records with (security_invoker = true) as
  select
    r.id, r.workspace_id, r.name, r.kind, r.type, r.events, r.is_active, r.config, r.allowed_user_ids, r.members,
    r.agent_id, r.messages_per_minute, r.retry_delays, r.health, r.failures_in_row,
    iso(r.last_success_at) as last_success_at, iso(r.last_failure_at) as last_failure_at,
    r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at
  from output_routes r;
grant select on output_route_records to muster_viewer;

create or replace view delivery_records with (security_invoker = true) as
  select
    d.id, d.workspace_id, d.event, d.route_id, d.subscription_id, d.target_name, d.type, d.task_id, d.team_run_id,
    d.is_test, d.redelivery_of, d.status, d.attempt_count, d.http_code, d.error,
    case when d.status = 'pending' then iso(d.next_attempt_at) end as next_attempt_at,
    iso(d.created_at) as created_at, iso(d.completed_at) as completed_at
  from deliveries d
  -- That a person has forgotten their password is nobody else's business.
  where d.event <> 'mail.password_reset';
grant select on delivery_records to muster_viewer;

-- A single delivery includes its attempts; what they say of the audit log, only for those who may read it.
create or replace view delivery_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', a.id, 'attempt', a.attempt, 'status', a.status,
        'http_code', a.http_code, 'error', a.error,
        'request', case when r.event <> 'audit.recorded' or has_table_privilege('audit_log', 'select') then a.request else '' end,
        'response', case when r.event <> 'audit.recorded' or has_table_privilege('audit_log', 'select') then a.response else '' end,
        'duration_ms', a.duration_ms, 'created_at', iso(a.created_at)) order by a.created_at), '[]')
      from delivery_attempts a where a.delivery_id = r.id) as attempts
  from delivery_records r;
grant select on delivery_details to muster_viewer;

create or replace view table_api.output_routes with (security_invoker = true) as
  select id, workspace_id, name, kind, type, events, is_active, config, allowed_user_ids, members, agent_id,
    messages_per_minute, retry_delays, health, failures_in_row, last_success_at, last_failure_at, created_by, created_at,
    updated_at
  from public.output_routes;
grant select on table_api.output_routes to muster_viewer;

create or replace view table_api.delivery_logs with (security_invoker = true) as
  select a.id, a.workspace_id, a.delivery_id, d.route_id, d.subscription_id, d.task_id, d.team_run_id, d.event,
    a.attempt, a.status, a.http_code, a.error as error_message, a.duration_ms, a.created_at
  from public.delivery_attempts a join public.deliveries d on d.id = a.delivery_id
  where d.event <> 'mail.password_reset';
grant select on table_api.delivery_logs to muster_viewer;

create or replace view google_connection_records with (security_invoker = true) as
  select g.id, g.workspace_id, g.email, g.status, g.error, iso(g.expires_at) as expires_at,
    iso(g.created_at) as created_at, iso(g.updated_at) as updated_at
  from google_connections g;
grant select on google_connection_records to muster_viewer;

create or replace view trello_channel_records with (security_invoker = true) as
  select c.id, c.workspace_id, c.name, c.list_id, c.is_active, c.assigned_agent_id, c.assigned_team_id, c.priority,
    c.created_by, iso(c.created_at) as created_at
  from trello_channels c;
grant select on trello_channel_records to muster_viewer;

-- Whether a receiver is still paced: for ten minutes after its last 429, and while deliveries wait for their times.
create or replace function is_paced(p receiver_paces) returns boolean
  language sql volatile
  return greatest(p.next_at, p.limited_at + interval '10 minutes') > clock_timestamp();

-- Gives deliveries of a paced receiver their times, in the order of the queue.
create or replace function assign_times(of_receiver text, first_at timestamptz, gap interval) returns void
  language sql security definer set search_path = public, pg_temp
begin atomic
  with queued as (
    select id, priority from jobs where lane = of_receiver and kind = 'delivery' and state = 'queued' and run_at is null
    union all
    select id, priority from jobs
    where lane = of_receiver and kind = 'delivery' and state = 'queued' and run_at is not null
  ),
  times as (select id, first_at + (row_number() over (order by priority, id) - 1) * gap as run_at from queued),
  moved as (
    update jobs j set run_at = t.run_at from times t where j.id = t.id and j.state = 'queued'
    returning j.subject_id, j.run_at
  ),
  shown as (
    update deliveries d set next_attempt_at = m.run_at from moved m where d.id = m.subject_id returning d.id
  )
  update receiver_paces p set next_at = first_at + (select count(*) from shown) * gap where p.receiver = of_receiver;
end;
revoke execute on function assign_times from public;

-- A receiver answered 429 to attempts, the last claimed at `claimed_at`, and asked to wait. From now on its deliveries are
-- sent one by one. The gap between them doubles when the receiver rejects one nonetheless; attempts that were in flight
-- at the first 429 do not count.
create or replace function pace_receiver(of_receiver text, wait interval, claimed_at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paced receiver_paces;
begin
  insert into receiver_paces as p (receiver, gap, next_at, limited_at)
  values (of_receiver, '1 second', clock_timestamp() + wait, clock_timestamp())
  on conflict (receiver) do update set
    gap = case when is_paced(p) then least(p.gap * 2, interval '1 minute') else excluded.gap end,
    next_at = excluded.next_at, limited_at = excluded.limited_at
    where p.limited_at < pace_receiver.claimed_at
  returning * into paced;
  if not found then select * into paced from receiver_paces where receiver = of_receiver; end if;
  perform assign_times(of_receiver, greatest(paced.limited_at + wait, clock_timestamp()), paced.gap);
end $$;
revoke execute on function pace_receiver from public;

-- As the owner of the tables: roles that end a task need no rights on them. The process that creates deliveries is
-- notified of their lanes. Without a free slot it notifies the other processes. Deliveries to a paced receiver get times.
create or replace function enqueue_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  lanes text;
begin
  if is_moving() then return null; end if;
  with created as (
    select d.*, d.host || '/' || d.workspace_id || '/' || d.target_id as receiver from inserted d where d.status = 'pending'
  ),
  locked as (
    select p.receiver from receiver_paces p
    where p.receiver in (select receiver from created) and is_paced(p) order by p.receiver for update
  ),
  paced as (
    update receiver_paces p set next_at = greatest(p.next_at, clock_timestamp()) + n.deliveries * p.gap
    from locked join (select receiver, count(*) as deliveries from created group by receiver) n using (receiver)
    where p.receiver = locked.receiver
    returning p.receiver, p.gap, p.next_at - n.deliveries * p.gap as first_at
  ),
  timed as (
    select c.*, p.first_at + (row_number() over (partition by c.receiver order by c.id) - 1) * p.gap as slot
    from created c left join paced p using (receiver)
  ),
  queued as (
    insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, receiver, input, run_at)
    select t.id, t.workspace_id, 'delivery', t.id, 1, priority_number('medium'), 'queued', t.receiver, '{}',
      case when t.slot > clock_timestamp() then t.slot end
    from timed t
    returning subject_id, lane, run_at
  ),
  shown as (
    update deliveries d set next_attempt_at = q.run_at from queued q where d.id = q.subject_id and q.run_at is not null
  )
  select string_agg(distinct lane, ' ') into lanes from queued where run_at is null;
  -- The trigger also fires for an event without a receiver.
  if lanes is null then return null; end if;
  -- A longer notification is an error. The keeper's poll finds lanes that are not announced.
  perform pg_notify('muster_deliveries', current_setting('application_name') || ' ' || left(lanes, 7000));
  return null;
end $$;

create or replace trigger delivery_jobs after insert on deliveries referencing new table as inserted
  for each statement execute function enqueue_deliveries();

-- An agent or a team lists its routes. This trigger replaces references for the ids that a write adds. The id of a
-- route deleted later may remain in the list; nothing is delivered to it.
create or replace function check_output_routes() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
begin
  if is_moving() then return new; end if;
  if exists (
    select from unnest(new.output_route_ids) as named (id)
    where (tg_op = 'INSERT' or named.id <> all (coalesce(old.output_route_ids, '{}')))
      and not exists (
        select from output_routes r where r.id = named.id and r.workspace_id is not distinct from new.workspace_id)
  ) then
    raise foreign_key_violation using constraint = tg_table_name || '_output_route_ids_fkey', table = tg_table_name,
      message = 'A list names an output route that its workspace does not have.';
  end if;
  return new;
end $$;

create or replace trigger agents_check_output_routes before insert or update of output_route_ids on agents
  for each row when (new.output_route_ids <> '{}') execute function check_output_routes();

create or replace trigger teams_check_output_routes before insert or update of output_route_ids on teams
  for each row when (new.output_route_ids <> '{}') execute function check_output_routes();

-- Writes the deliveries of events of tasks or team runs. As the owner of the tables: roles that end a task need no rights
-- on them.
create or replace function record_deliveries(happened new_delivery_event[])
  returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with events as (select (n.event).*, n.agent_id, n.team_id, n.goes_to_routes, n.route_ids from unnest(happened) n),
  targets as (
    select e.id as event_id, r.* from events e
    cross join lateral (
      select r.id as route_id, null::uuid as subscription_id, r.name, r.type, r.host
      from output_routes r
      where e.goes_to_routes and r.workspace_id = e.workspace_id and r.is_active and e.event = any (r.events)
        and (e.route_ids is null or r.id = any (e.route_ids))
      union all
      select null, s.id, s.target_url, 'webhook', coalesce(substring(s.target_url from '^[a-z]+://([^/?#]+)'), '')
      from webhook_subscriptions s
      where s.workspace_id = e.workspace_id and s.is_active and s.event = replace(e.event, '.', '_')
        and (s.agent_id is null or s.agent_id = e.agent_id) and (s.team_id is null or s.team_id = e.team_id)) r
  ),
  stored as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      error, happened_at, finish_reason)
    select id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result, error, happened_at,
      nullif(finish_reason, 'stop')
    from events where id in (select event_id from targets)
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name,
    type, host, trace)
  select e.workspace_id, e.id, e.event, e.task_id, e.team_run_id, t.route_id, t.subscription_id, t.name, t.type, t.host,
    (select trace_below(r) from runs r where r.id = coalesce(e.task_id, e.team_run_id))
  from targets t join events e on e.id = t.event_id;
end $$;
revoke execute on function record_deliveries from public;

-- Once for all runs that a statement changes: concurrent runs end in one statement. To plan the query for the ids of
-- each call costs more than the query.
create or replace function deliver_runs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  changed uuid[];
begin
  if is_moving() then return null; end if;
  -- Usually there is nothing to deliver, so this case must be cheap. Routes receive only ends, nobody golden runs.
  if tg_op = 'INSERT' then
    changed := array(
      select n.id from after n
      where n.status = 'running' and n.source_kind <> 'golden'
        and exists (select from webhook_subscriptions s where s.workspace_id = n.workspace_id));
  else
    changed := array(
      select n.id from before o join after n on n.id = o.id
      where n.status <> o.status and n.source_kind <> 'golden'
        and (n.status in ('completed', 'failed') or n.status = 'waiting_for_input' and n.kind = 'task'
          or n.status = 'running' and o.status in ('pending', 'dispatched'))
        and (exists (select from webhook_subscriptions s where s.workspace_id = n.workspace_id)
          or n.status in ('completed', 'failed')
            and exists (select from output_routes r where r.workspace_id = n.workspace_id)));
  end if;
  if changed = '{}' then return null; end if;
  perform record_deliveries(array_agg(row(
    row(gen_random_uuid(), r.workspace_id,
      r.kind || '.' || case r.status when 'running' then 'started' else r.status end,
      case r.kind when 'task' then r.id end, case r.kind when 'team_run' then r.id end, r.attempt,
      coalesce((select p.title from runs p where p.id = r.parent_id), title_of(r)), coalesce(a.name, m.name, ''),
      r.status, coalesce(r.result, ''), r.error, coalesce(r.completed_at, clock_timestamp()), clock_timestamp(),
      r.finish_reason)::delivery_events,
    -- The run of a team's task has events of its own; routes receive those.
    r.agent_id, r.team_id, r.agent_id is not null or r.kind = 'team_run',
    coalesce(a.output_route_ids, m.output_route_ids))::new_delivery_event))
  from runs r
  left join agents a on a.id = r.agent_id
  left join teams m on m.id = r.team_id
  where r.id = any (changed);
  return null;
end $$;

create or replace trigger run_deliveries after update on runs referencing old table as before new table as after
  for each statement execute function deliver_runs();

create or replace trigger run_started_deliveries after insert on runs referencing new table as after
  for each statement execute function deliver_runs();

-- Delivers an entry of the audit log to the routes and subscriptions that chose it.
create or replace function deliver_audit() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  happened delivery_events;
  entry jsonb;
begin
  if is_moving() then return null; end if;
  if not exists (select from output_routes r
      where r.workspace_id = new.workspace_id and r.is_active and 'audit.recorded' = any (r.events))
    and not exists (select from webhook_subscriptions s
      where s.workspace_id = new.workspace_id and s.is_active and s.event = 'audit_recorded') then
    return null;
  end if;
  entry := audit_entry(new);
  happened.id := gen_random_uuid();
  happened.workspace_id := new.workspace_id;
  happened.event := 'audit.recorded';
  happened.attempt := 1;
  happened.title := new.action || coalesce(': ' || new.subject_name, '');
  happened.worker := coalesce(entry->'actor'->>'name', '');
  happened.status := 'completed';
  happened.result := jsonb_pretty(entry);
  happened.happened_at := new.at;
  perform record_deliveries(array[row(happened, null, null, true, null)::new_delivery_event]);
  return null;
end $$;
revoke execute on function deliver_audit from public;

create or replace trigger audit_deliveries after insert on audit_log
  for each row execute function deliver_audit();

-- Delivers an asked question to the routes of its agent or team: to people with buttons, to others as an event. A rule
-- that names routes asks people there alone, and those of an escalation when it begins.
create or replace function deliver_question(asked uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with question as (
    select v.*, coalesce(a.output_route_ids, m.output_route_ids) as route_ids, r.parent_id, trace_below(r) as trace,
      coalesce((select p.title from runs p where p.id = r.parent_id), title_of(r)) as subject,
      concat_ws(E'\n\n', v.title, nullif(r.interaction->>'description', '')) as text
    from delivery_events v
    join runs r on r.id = coalesce(v.task_id, v.team_run_id)
    left join agents a on a.id = r.agent_id
    left join teams m on m.id = r.team_id
    where v.id = asked
  ),
  named as (
    select (s.stage->'ask'->>'channel')::uuid as id, s.number <= t.stage + 1 as is_due
    from task_questions t
    cross join lateral json_array_elements(t.question->'policy'->'stages') with ordinality s (stage, number)
    where t.interaction_id = asked and s.stage->'ask'->>'channel' is not null
  ),
  routes as (
    select o.id, o.kind, o.name, o.type, o.host from question q
    join output_routes o on o.workspace_id = q.workspace_id and o.is_active and 'task.waiting_for_input' = any (o.events)
    where case when o.kind = 'people' and exists (select from named)
        then exists (select from named n where n.id = o.id and n.is_due)
        else (q.route_ids is null or o.id = any (q.route_ids)) and not exists (
          select from task_questions t where t.interaction_id = asked and t.stage > 0) end
      and not exists (select from deliveries d where d.event_id = asked and d.route_id = o.id)
    union all
    -- The conversation in a channel that the run answers.
    (select o.id, 'people', o.name, o.type, o.host from question q
    join channel_messages m on m.workspace_id = q.workspace_id and m.task_id = q.task_id and m.attempt = q.attempt
    join output_routes o on o.id = m.route_id and o.is_active
    where not exists (select from deliveries d where d.event_id = asked and d.route_id = o.id)
    order by m.id desc limit 1)
  ),
  told as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      happened_at)
    select gen_random_uuid(), q.workspace_id, 'task.waiting_for_input', coalesce(q.parent_id, q.task_id),
      case when q.parent_id is null then q.team_run_id end, q.attempt, q.subject, q.worker, q.status, q.text, q.happened_at
    from question q where exists (select from routes where kind = 'results')
    returning id, event, task_id, team_run_id, 'results' as kind
  ),
  events as (
    select id, event, task_id, team_run_id, 'people' as kind from question
    union all
    select id, event, task_id, team_run_id, kind from told
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, target_name, type, host, trace)
  select q.workspace_id, e.id, e.event, e.task_id, e.team_run_id, o.id, o.name, o.type, o.host, q.trace
  from question q cross join routes o join events e on e.kind = o.kind
$$;
revoke execute on function deliver_question from public;

-- Edits the messages that ask an open question: it has a new vote, or more people are asked. A message that is being
-- sent counts, as in push_closed_question.
create or replace function edit_posted_question(asked uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with posted as (
    select d.* from deliveries d
    where d.event_id = asked and d.status <> 'failed' and d.type in ('slack', 'discord', 'telegram')
      and (d.posted is not null or d.status = 'pending')
      and (current_workspace_id() is null or d.workspace_id = current_workspace_id())
  ),
  changed as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      happened_at)
    select gen_random_uuid(), workspace_id, 'question.changed', task_id, team_run_id, attempt, title, worker, status,
      result, clock_timestamp()
    from delivery_events where id = asked and exists (select from posted)
    returning id
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, target_name, type, host, closes)
  select p.workspace_id, c.id, 'question.changed', p.task_id, p.team_run_id, p.route_id, p.target_name, p.type, p.host,
    p.id
  from posted p cross join changed c
$$;
revoke execute on function edit_posted_question from public;
grant execute on function edit_posted_question to muster_app, muster_reach_app;

-- Who gets a question by mail: those who may answer it now, and have chosen its kind.
create or replace function mailed_members(asked task_questions) returns setof users
  language sql stable security definer set search_path = public, pg_temp as $$
  select u.* from members m join users u on u.id = m.user_id
  where m.workspace_id = asked.workspace_id and (m.role <> 'viewer' or m.can_answer)
    and case when coalesce(asked.question->'policy', asked.question->'approvers') is null then 'questions'
      else 'approvals' end = any (u.question_mails)
    and (asked.question->'policy' is null or u.id in (select question_voters_left(asked, asked.stage)))
$$;
revoke execute on function mailed_members from public;

-- Delivers a question to the devices and by mail to all who may answer it, and to routes. The event has the question's
-- id, so that it is pushed to a device once. When a rule's question escalates, it is pushed to those who may answer from
-- then on.
create or replace function push_question() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_moving() then return null; end if;
  if not exists (
    select from members m join push_devices p on p.user_id = m.user_id
    where m.workspace_id = new.workspace_id and (m.role <> 'viewer' or m.can_answer)
  ) and not exists (
    select from output_routes o
    where o.workspace_id = new.workspace_id and o.is_active and 'task.waiting_for_input' = any (o.events)
  ) and not exists (
    select from channel_messages m where m.workspace_id = new.workspace_id and m.task_id = new.subject_id
  ) and not exists (select from mailed_members(new)) then
    return null;
  end if;
  insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
    happened_at)
  select new.interaction_id, new.workspace_id, 'question.asked', case r.kind when 'task' then r.id end,
    case r.kind when 'team_run' then r.id end, r.attempt, coalesce(r.interaction->>'title', title_of(r)),
    coalesce(a.name, e.name, ''), 'waiting_for_input', new.interaction_id::text, new.asked_at
  from runs r left join agents a on a.id = r.agent_id left join teams e on e.id = r.team_id
  where r.id = new.subject_id
  on conflict do nothing;
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, subscription_id, target_name, type, host)
  select v.workspace_id, v.id, v.event, v.task_id, v.team_run_id, p.id, u.name, 'web_push', p.host
  from delivery_events v
  join members m on m.workspace_id = v.workspace_id and (m.role <> 'viewer' or m.can_answer)
  join users u on u.id = m.user_id
  join push_devices p on p.user_id = u.id
  where v.id = new.interaction_id
    and (new.question->'policy' is null or m.user_id in (select question_voters(new, new.stage)))
    and not exists (select from deliveries d where d.event_id = v.id and d.subscription_id = p.id);
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, subscription_id, target_name, type, host)
  select v.workspace_id, v.id, v.event, v.task_id, v.team_run_id, u.id, u.name, 'mail', 'mail'
  from delivery_events v cross join mailed_members(new) u
  where v.id = new.interaction_id
    and not exists (select from deliveries d where d.event_id = v.id and d.subscription_id = u.id);
  if tg_op = 'UPDATE' then perform edit_posted_question(new.interaction_id); end if;
  perform deliver_question(new.interaction_id);
  return null;
end $$;
revoke execute on function push_question from public;
create or replace trigger question_pushed after insert or update of stage on task_questions for each row
  when (new.question->'clientCalls' is null) execute function push_question();

-- Closes the notifications of a question that is no longer open, and edits the messages that asked it. Apple's push
-- service does not get this: a push that shows nothing ends the subscription there. A message that is being sent counts:
-- its vendor may have it already.
create or replace function push_closed_question() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  closed uuid := gen_random_uuid();
  shown uuid[] := array(
    select d.id from deliveries d where d.event_id = old.interaction_id and d.status <> 'failed'
      and (d.type = 'web_push' and d.host not like '%push.apple.com'
        or d.type in ('slack', 'discord', 'telegram') and (d.posted is not null or d.status = 'pending')));
begin
  if shown = '{}'
    or not exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null) then
    return null;
  end if;
  insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
    happened_at)
  select closed, workspace_id, 'question.closed', task_id, team_run_id, attempt, title, worker, status, result,
    clock_timestamp()
  from delivery_events where id = old.interaction_id;
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name,
    type, host, closes)
  select d.workspace_id, closed, 'question.closed', d.task_id, d.team_run_id, d.route_id, d.subscription_id,
    d.target_name, d.type, d.host, d.id
  from deliveries d where d.id = any (shown);
  return null;
end $$;
revoke execute on function push_closed_question from public;
create or replace trigger question_push_closed after delete on task_questions for each row
  execute function push_closed_question();

-- A question in a conversation of a channel is closed: the answer goes on in a message below it.
create or replace function continue_channel_reply() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into deliveries (workspace_id, event_id, event, task_id, route_id, target_name, type, host)
  select m.workspace_id, e.id, e.event, m.task_id, o.id, o.name, o.type, o.host
  from runs r
  join channel_messages m on m.workspace_id = r.workspace_id and m.task_id = r.id and m.attempt = r.attempt
  join delivery_events e on e.id = m.id
  join output_routes o on o.id = m.route_id
  join workspaces w on w.id = m.workspace_id and w.deleted_at is null
  where r.id = old.subject_id
  order by m.id desc limit 1;
  return null;
end $$;
revoke execute on function continue_channel_reply from public;
create or replace trigger question_continues_reply after delete on task_questions for each row
  when (old.question->'clientCalls' is null) execute function continue_channel_reply();

-- The agent has a message of a channel: its run and the attempt that answers it are noted, and what was written is no
-- longer kept twice. As the owner: roles that start runs need no right to change deliveries.
create or replace function note_taken_up(message uuid, task uuid, of_attempt integer) returns void
  language sql security definer set search_path = public, pg_temp
begin atomic
  update channel_messages m set task_id = task, attempt = of_attempt, text = '', files = '[]'
  where m.id = message and m.workspace_id = current_workspace_id();
  update delivery_events e set task_id = task, attempt = of_attempt
  where e.id = message and e.workspace_id = current_workspace_id();
  -- What was said while the message waited stays: the answer comes below it.
  update deliveries d set task_id = task, posted = null
  where d.event_id = message and d.workspace_id = current_workspace_id();
end;
revoke execute on function note_taken_up from public;
grant execute on function note_taken_up to muster_app;

-- A message was the answer to the question of its conversation. As the owner, like note_taken_up.
create or replace function note_answered(message uuid) returns void
  language sql security definer set search_path = public, pg_temp
begin atomic
  update channel_messages m set outcome = 'answered', text = '', files = '[]'
  where m.id = message and m.workspace_id = current_workspace_id();
end;
revoke execute on function note_answered from public;
grant execute on function note_answered to muster_app;
