-- Tasks, their event logs and recorded steps: functions, triggers and views.

-- As the owner, because roles that may delete a task have no right to delete its events otherwise.
create or replace function delete_task_stream() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_streams where log_id = old.id;
  return null;
end $$;

create or replace trigger run_deleted
  after delete on runs for each row execute function delete_task_stream();

-- Notifies all processes of a log's newest sequence number, and of the process that wrote it.
create or replace function announce_events(log_id uuid, seq bigint) returns void
  language sql volatile
  return pg_notify('muster_events', log_id || ' ' || seq || ' ' || current_setting('application_name'));

-- Deletes events, steps and executions together with the event log, as its owner.
create or replace function delete_task_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_events where log_id = old.log_id;
  delete from run_steps where run_id = old.log_id;
  delete from run_executions where run_id = old.log_id;
  return null;
end $$;

create or replace trigger task_stream_deleted
  after delete on task_streams for each row execute function delete_task_events();

-- However a wait ends. As the owner: cancelling needs no right to read questions.
create or replace function add_wait() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.waited := old.waited
    + coalesce((select clock_timestamp() - q.asked_at from task_questions q where q.subject_id = old.id), '0');
  return new;
end $$;
revoke execute on function add_wait from public;
create or replace trigger run_stops_waiting
  before update of status on runs for each row
  when (old.status = 'waiting_for_input' and new.status <> 'waiting_for_input')
  execute function add_wait();

-- As the owner, because roles that may end a task's wait have no other right to close its question.
create or replace function close_task_question() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from task_questions where subject_id = old.id;
    return null;
  end if;
  -- A cancelled run's question is in its steps only. A wait for a client's tools is not a question to a person.
  with deleted as (delete from task_questions where subject_id = old.id returning *),
  unanswered as (
    insert into run_steps (run_id, attempt, key, workspace_id, result, started_at, ended_at, facts, request)
    select subject_id, old.attempt, answer_key, workspace_id, 'null', asked_at, clock_timestamp(),
      json_build_object('label', coalesce(question->'prompt'->>'title', question->>'title'), 'unanswered', true),
      question
    from deleted where new.status in ('failed', 'cancelled')
    on conflict do nothing
  )
  insert into closed_questions (interaction_id, workspace_id, subject_id, state, request, asked_at, deadline)
  select interaction_id, workspace_id, subject_id,
    case new.status when 'running' then 'answered' else 'expired' end, coalesce(old.interaction, '{}'), asked_at, deadline
  from deleted where new.status in ('running', 'failed') and question->'clientCalls' is null
  on conflict do nothing;
  return null;
end $$;

create or replace function delete_closed_questions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from closed_questions where subject_id = old.id;
  delete from answer_links where subject_id = old.id;
  delete from question_votes where subject_id = old.id;
  delete from run_links where run_id = old.id;
  delete from feedback where run_id = old.id;
  return null;
end $$;
revoke execute on function delete_closed_questions from public;
create or replace trigger run_deleted_questions after delete on runs
  for each row execute function delete_closed_questions();

create or replace trigger run_stopped_waiting
  after update of status on runs for each row
  when (old.status = 'waiting_for_input' and new.status <> 'waiting_for_input')
  execute function close_task_question();

create or replace trigger waiting_run_deleted
  after delete on runs for each row when (old.status = 'waiting_for_input')
  execute function close_task_question();

create or replace view table_api.tasks with (security_invoker = true) as
  select
    id, workspace_id, title, description, priority, status, assigned_agent_id as agent_id,
    assigned_team_id, team_run_id, metadata, result, error, interaction::jsonb as interaction, attempt, scheduled_for,
    created_by, created_at, updated_at, dispatched_at, started_at, completed_at, finish_reason
  from public.tasks;
grant select on table_api.tasks to muster_viewer;

create or replace view task_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.title, t.description, t.priority, t.status,
    t.assigned_agent_id, t.assigned_team_id, t.team_run_id, t.metadata,
    t.result, t.error, t.interaction,
    (select to_json(total) from (
        select
          coalesce(sum(u.prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(u.completion_tokens), 0) as completion_tokens,
          coalesce(sum(u.prompt_tokens + u.completion_tokens), 0) as total_tokens,
          coalesce(sum(u.cached_tokens), 0) as cached_tokens,
          coalesce(sum(u.cache_write_tokens), 0) as cache_write_tokens,
          coalesce(sum(u.reasoning_tokens), 0) as reasoning_tokens,
          coalesce(sum(u.estimated_cost_usd), 0)::double precision as cost_usd
        from usage_records u where u.task_id = t.id and u.attempt = t.attempt) total) as usage,
    t.attempt, iso(t.scheduled_for) as scheduled_for, t.created_by,
    iso(t.created_at) as created_at, iso(t.updated_at) as updated_at,
    iso(t.dispatched_at) as dispatched_at, iso(t.started_at) as started_at,
    iso(t.completed_at) as completed_at, t.agent_version,
    (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
      where f.task_id = t.id and (f.attempt is null or f.attempt = t.attempt)) as attachments,
    t.finish_reason, false as result_truncated
  from tasks t;
grant select on task_records to muster_viewer;

create or replace function queue_packing() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unpacked_attempts values (new.log_id, new.attempt) on conflict do nothing;
  return null;
end $$;

create or replace trigger task_stream_closed
  after update of closed on task_streams for each row
  when (new.closed and not old.closed and new.last_seq - new.first_seq >= 32)
  execute function queue_packing();

create or replace function delete_task_event_pages() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_event_pages where log_id = old.log_id;
  delete from unpacked_attempts where log_id = old.log_id;
  return null;
end $$;

create or replace trigger task_stream_deleted_with_pages
  after delete on task_streams for each row execute function delete_task_event_pages();

-- All events, packed or not. A packed event has the time of the newest event of its page, and no key.
create or replace view task_log with (security_invoker = true) as
  select log_id, seq, workspace_id, attempt, key, event, created_at from task_events
  union all
  select p.log_id, p.first_seq + e.n::integer - 1, p.workspace_id, p.attempt, null, e.event, p.created_at
  from task_event_pages p cross join unnest(p.events) with ordinality as e (event, n);
grant select on task_log to muster_viewer;

-- A time in the format of the console's lists and of the event stream.
create or replace function unix_ms(moment timestamptz) returns double precision
  language sql stable parallel safe
  return round(date_part('epoch', moment) * 1000);

-- A run's open request with its deadline. JSON keeps the order of its fields, which people see; JSONB does not.
create or replace function open_request(request text, deadline timestamptz) returns json
  language sql stable
  return (left(request, -1) || ',"expiresAt":' || coalesce(to_json(iso(deadline))::text, 'null') || '}')::json;

-- The facts that lists show about a step that a fork took over. The other run has paid for it.
create or replace function inherited_facts(facts json) returns json
  language sql immutable parallel safe
  return ((coalesce(facts::jsonb, '{}') - 'costUsd' - 'waitMs' - 'tries') || '{"takenOver": true}')::json;

-- The newest `max` listed runs of the current workspace that are before this position in the order of creation and
-- whose titles contain these words. Null when many of the newest have them: a list then finds its rows soon, and the
-- index would give more than it needs. As the owner: row-level security prevents the use of the index, because a search
-- operator could leak rows that it skips.
create or replace function find_titles(words tsquery, max integer, before timestamptz, before_id uuid) returns uuid[]
  language plpgsql stable security definer
  set search_path = public, pg_temp set jit = off set enable_seqscan = off as $$
declare
  workspace constant uuid := current_workspace_id();
  mine constant tsquery := format('%L', workspace)::tsquery;
begin
  if 100 < (
    select count(*) from (
      (select title_search from runs where workspace_id = workspace and kind = 'task' and created_at <= before
       order by created_at desc limit 2000)
      union all
      (select title_search from runs
       where workspace_id = workspace and kind = 'team_run' and parent_id is null and created_at <= before
       order by created_at desc limit 2000)
    ) newest where title_search @@ words
  ) then
    return null;
  end if;
  -- As two conditions, because one with both words would read all rows of the workspace in the index. `offset 0` keeps
  -- the planner from walking the workspace in the order of creation.
  return array(
    select id from (
      select id, created_at from runs
      where parent_id is null and title_search @@ words and title_search @@ mine
        and is_reached(agent_id, team_id) offset 0
    ) found
    where (created_at, id) < (before, before_id)
    order by created_at desc, id desc limit max
  );
end $$;
revoke execute on function find_titles from public;
grant execute on function find_titles to muster_viewer;

-- The listed runs of the current workspace that have ended and cost at least this; null for more than `max`. As the
-- owner, for the same reason.
create or replace function find_costly(min_cost numeric, max integer) returns uuid[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select case when count(*) <= max then coalesce(array_agg(f.id), '{}') end
  from unnest(array['completed', 'failed', 'cancelled']) s (status)
  cross join lateral (
    select id from runs
    where workspace_id = current_workspace_id() and status = s.status and parent_id is null
      and completed_at is not null and cost_usd >= min_cost
      and is_reached(agent_id, team_id)
    order by cost_usd desc limit max + 1
  ) f
$$;
revoke execute on function find_costly from public;
grant execute on function find_costly to muster_viewer;
