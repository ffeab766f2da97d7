-- The queue: functions, triggers and views.

-- Notifies all processes of a due time, in milliseconds since 1970. It may be earlier than the times that they know.
create or replace function announce_due() returns trigger language plpgsql as $$
declare
  due timestamptz;
begin
  if is_moving() then return null; end if;
  case tg_table_name
    when 'runs' then due := new.scheduled_for;
    when 'schedules' then due := new.next_at;
    when 'alerts' then due := new.check_at;
    else due := new.deadline;
  end case;
  perform pg_notify('muster_due', floor(extract(epoch from due) * 1000)::bigint::text);
  return null;
end $$;

create or replace trigger question_due
  after insert or update of deadline on task_questions for each row
  when (isfinite(new.deadline)) execute function announce_due();

create or replace trigger run_due
  after insert or update of scheduled_for on runs for each row
  when (new.status = 'pending' and new.scheduled_for is not null) execute function announce_due();

create or replace trigger new_schedule_due
  after insert on schedules for each row when (new.next_at is not null) execute function announce_due();

-- A fire advances the schedule; only an earlier next time is announced.
create or replace trigger schedule_due
  after update of next_times on schedules for each row
  when (new.next_at < coalesce(old.next_at, 'infinity')) execute function announce_due();

create or replace trigger new_alert_due
  after insert on alerts for each row when (new.check_at is not null) execute function announce_due();

-- A check sets a later time; only an earlier one is announced, after a change of the rule.
create or replace trigger alert_due
  after update of check_at on alerts for each row
  when (new.check_at < coalesce(old.check_at, 'infinity')) execute function announce_due();

create or replace function priority_number(priority text) returns integer
  language sql immutable parallel safe
  return array_position(array['urgent', 'high', 'medium', 'low'], priority);

-- A run's job contains the team's and the agents' current configuration, with the changes of a fork.
create or replace function team_config_of_run(run runs, team teams) returns jsonb
  language sql stable
  return case when run.fork is null or team.mode <> 'pipeline' then team.config else
    jsonb_set(team.config, '{steps}', (
      select coalesce(jsonb_agg(s.step || coalesce(run.fork->'steps'->(s.place - 1)::text, '{}') order by s.place), '[]')
      from jsonb_array_elements(team.config->'steps') with ordinality as s (step, place))) end;

-- The agents of a team, with the changes of a fork, for a key that is limited to the team: it does not see the agents.
-- As the owner, for the same reason.
create or replace function agents_of_reached_team(team uuid, fork jsonb) returns json
  language sql stable security definer set search_path = public, pg_temp
  return (
    select json_agg(changed_agent_snapshot(a, coalesce(fork->'agents'->a.id::text, '{}')) order by m.position)
    from team_members m join agents a on a.id = m.agent_id
    where m.team_id = team and m.workspace_id = current_workspace_id() and m.team_id = any(current_reach()));
revoke execute on function agents_of_reached_team from public;
grant execute on function agents_of_reached_team to muster_viewer, muster_reach_viewer;

create or replace function job_of_team_run(run_id uuid) returns setof new_job
  language sql stable
begin atomic
  select r.workspace_id, r.attempt,
    priority_number(coalesce((select k.priority from runs k where k.id = r.parent_id), 'medium')), json_build_object(
      'workspaceId', r.workspace_id,
      'runId', r.id,
      'attempt', r.attempt,
      'taskId', r.parent_id,
      'inputTask', r.title,
      'trace', trace_of(r),
      'given', coalesce(r.fork->'given', '[]'),
      'asides', case when t.mode = 'pipeline' then '{}' else coalesce(r.fork->'steps', '{}') end,
      'hasJournal', jsonb_array_length(coalesce(r.fork->'journal', '[]')) > 0,
      'hasBudgets', (select true from budgets b where b.workspace_id = r.workspace_id limit 1) is not null,
      'team', json_build_object('id', t.id, 'name', t.name, 'mode', t.mode, 'config', team_config_of_run(r, t)),
      'agents', coalesce(case when current_reach() is not null then agents_of_reached_team(t.id, r.fork) else (
        select json_agg(changed_agent_snapshot(a, coalesce(r.fork->'agents'->a.id::text, '{}')) order by m.position)
        from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id) end, '[]'))
  from runs r join teams t on t.id = r.team_id
  where r.id = job_of_team_run.run_id and r.kind = 'team_run' and r.status = 'pending';
end;

create or replace function job_of_ingest(document_id uuid) returns setof new_job
  language sql stable
begin atomic
  select d.workspace_id, d.attempt, 1,
    json_build_object('workspaceId', d.workspace_id, 'documentId', d.id, 'attempt', d.attempt)
  from knowledge_documents d where d.id = job_of_ingest.document_id and d.status = 'pending';
end;

-- As the owner, because roles that may delete a document or a run have no other right to delete its job.
create or replace function delete_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from jobs where subject_id = old.id;
  return null;
end $$;

create or replace trigger run_jobs after delete on runs for each row
  when (old.status not in ('completed', 'failed', 'cancelled')) execute function delete_jobs();

create or replace trigger document_jobs after delete on knowledge_documents for each row
  when (old.status in ('pending', 'processing')) execute function delete_jobs();

create or replace trigger delivery_jobs_end after delete on deliveries for each row when (old.status = 'pending')
  execute function delete_jobs();

-- An execution begins before its start is written. So the job states whether the task has input files, and whether
-- budgets may apply to it.
create or replace function job_of_task(task_id uuid) returns setof new_job
  language sql stable
begin atomic
  select t.workspace_id, t.attempt, priority_number(t.priority), json_build_object(
    'workspaceId', t.workspace_id,
    'taskId', t.id,
    'attempt', t.attempt,
    'trace', t.trace,
    'title', t.title,
    'description', t.description,
    'conversation', t.conversation,
    'clientTools', t.client_tools,
    'agent', case when t.client_request->'agent' is null then agent.forked
      else changed_fields(agent.forked, t.client_request->'agent') end,
    'pageId', case when t.source_kind = 'page' then t.source_id end,
    'hasFiles', (select true from files f where f.task_id = t.id and f.direction = 'input' limit 1) is not null,
    'hasBudgets', (select true from budgets b where b.workspace_id = t.workspace_id limit 1) is not null,
    'hasJournal', fork.made is not null,
    'asides', coalesce(fork.made->'asides', '{}'),
    'golden', case t.source_kind when 'golden' then golden_input(t) end)
  from runs t join agents a on a.id = t.agent_id
  -- A conversation that continues in a later attempt keeps the agent of the fork, but has another message to answer.
  cross join lateral (select case when t.attempt = 1 or t.conversation is null then t.fork end as made) fork
  cross join lateral (select case when t.source_kind = 'golden' then coalesce(golden_agent(t, a), agent_snapshot(a))
    when t.fork is null then agent_snapshot(a)
    else changed_agent_snapshot(a, coalesce(t.fork->'agent', '{}')) end as forked) agent
  where t.id = job_of_task.task_id and t.status in ('dispatched', 'running');
end;

-- The host and process id of a process. As the owner: processes belong to no workspace.
create or replace function process_name(executor_id uuid) returns text
  language sql stable security definer set search_path = public, pg_temp
  return (select host || ':' || pid from executors where id = process_name.executor_id);

-- The number of live processes, without those of the quarantine. As the owner, like process_name.
create or replace function live_processes() returns integer
  language sql stable security definer set search_path = public, pg_temp
  return (select count(*)::integer from executors where parent_id is null);

-- Whether the operator lets the workspace work. Transactions that create or resume jobs share the lock until they commit;
-- a change of `paused` or `held_at` holds it exclusively. So either the change sees a job, or the job's transaction sees
-- the change. Volatile, so that the second statement sees what was committed while the first one waited.
create or replace function may_work(workspace_id uuid) returns boolean
  language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('muster.start ' || may_work.workspace_id, 0));
  return (select w.held_at is null from workspaces w where w.id = may_work.workspace_id);
end $$;

-- Whether a run of the workspace may start now: it is neither held nor paused, as above.
create or replace function may_start(workspace_id uuid) returns boolean
  language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('muster.start ' || may_start.workspace_id, 0));
  return not (select w.paused or w.held_at is not null from workspaces w where w.id = may_start.workspace_id);
end $$;
