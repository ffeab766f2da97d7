-- Jobs: what the queue holds. A job is the durable row behind an attempt of a task, of a team run or of the reading of
-- a document. It exists from the transaction that creates the work to the statement that ends it.
--
-- state: queued, until a process claims it; running; suspended, while it waits for a person's answer.
-- (executor_id, fence): the one fact that says who owns the job. Every claim raises the fence, and every write of an
--   execution carries both; a stale execution's writes are rejected.
-- run_at: a job that is to be retried later is not claimed before the keeper has cleared it; null for all others.
-- crash_count: how often a process died while the job ran, since it last passed a step. Such a job is suspected of it
--   and restarted apart from the others.
create table jobs (
  id uuid primary key,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  attempt integer not null,
  priority smallint not null,
  state text not null check (state in ('queued', 'running', 'suspended')),
  run_at timestamptz,
  executor_id uuid,
  fence integer not null default 0,
  crash_count integer not null default 0,
  -- json, not jsonb: a handler gets the very text that was enqueued.
  input json not null,
  unique (subject_id, attempt),
  constraint jobs_one_owner check ((state = 'running') = (executor_id is not null))
) with (fillfactor = 70);
-- Ids are ordered by time: in a workspace's part of the queue the urgent ones come first, then the older ones.
create index jobs_queue_idx on jobs (kind, workspace_id, priority, id)
  where state = 'queued' and run_at is null and crash_count = 0;
create index jobs_suspects_idx on jobs (kind, crash_count, id)
  where state = 'queued' and run_at is null and crash_count > 0;
create index jobs_delayed_idx on jobs (run_at) where state = 'queued' and run_at is not null;
create index jobs_executor_idx on jobs (executor_id) where executor_id is not null;

alter table jobs enable row level security;
create policy tenant on jobs using (workspace_id is not distinct from (select current_workspace_id()));
grant select, insert, update, delete on jobs to muster_app;

-- Processes that run jobs. Each raises its beat every second; the others judge it by the number alone, and by their
-- own monotonic time: no clock of the database or of a host takes part.
drop table executors;
create table executors (
  id uuid primary key,
  host text not null,
  pid integer not null,
  beat bigint not null default 0,
  started_at timestamptz not null default now()
) with (fillfactor = 50);
alter table executors enable row level security;

-- The process that looks after all others: it finds the dead, what is due, and what waits. The epoch grows with every
-- election.
create table keeper (
  is_only boolean primary key default true check (is_only),
  executor_id uuid,
  epoch bigint not null default 0
);
alter table keeper enable row level security;
insert into keeper default values;

drop function enqueue_run;
drop function enqueue_team_run;
drop function enqueue_continuation;
drop function enqueue_team_continuation;
drop function enqueue_ingest;
alter table tasks drop column run_writer;
alter table team_runs drop column run_writer;
alter table task_streams drop column writer, drop column crash_step, drop column crash_count;
alter table task_questions drop column job;
alter table knowledge_documents drop column executions;

-- What a job of each kind is given. They run as their caller, behind the row-level security of its workspace.
create type new_job as (workspace_id uuid, attempt integer, priority integer, input json);

create function priority_number(priority text) returns integer
  language sql immutable parallel safe
  return array_position(array['urgent', 'high', 'medium', 'low'], priority);

create function job_of_task(task_id uuid) returns setof new_job
  language sql stable
begin atomic
  select t.workspace_id, t.attempt, priority_number(t.priority), json_build_object(
    'workspaceId', t.workspace_id,
    'taskId', t.id,
    'attempt', t.attempt,
    'title', t.title,
    'description', t.description,
    'conversation', t.conversation,
    'agent', agent_snapshot(a))
  from tasks t join agents a on a.id = t.assigned_agent_id
  where t.id = job_of_task.task_id and t.status = 'dispatched';
end;

-- The team goes with its run as it is now, and so do its agents, with the changes of a fork.
create function team_config_of_run(run team_runs, team teams) returns jsonb
  language sql stable
  return case when run.fork is null or team.mode <> 'pipeline' then team.config else
    jsonb_set(team.config, '{steps}', (
      select coalesce(jsonb_agg(s.step || coalesce(run.fork->'steps'->(s.place - 1)::text, '{}') order by s.place), '[]')
      from jsonb_array_elements(team.config->'steps') with ordinality as s (step, place))) end;

create function job_of_team_run(run_id uuid) returns setof new_job
  language sql stable
begin atomic
  select r.workspace_id, r.attempt,
    priority_number(coalesce((select k.priority from tasks k where k.id = r.task_id), 'medium')), json_build_object(
      'workspaceId', r.workspace_id,
      'runId', r.id,
      'attempt', r.attempt,
      'taskId', r.task_id,
      'inputTask', r.input_task,
      'given', coalesce(r.fork->'given', '[]'),
      'asides', case when t.mode = 'pipeline' then '{}' else coalesce(r.fork->'steps', '{}') end,
      'hasJournal', jsonb_array_length(coalesce(r.fork->'journal', '[]')) > 0,
      'team', json_build_object('id', t.id, 'name', t.name, 'mode', t.mode, 'config', team_config_of_run(r, t)),
      'agents', (
        select coalesce(json_agg(
            agent_snapshot(a)::jsonb || coalesce(r.fork->'agents'->a.id::text, '{}') order by m.position), '[]')
        from team_members m join agents a on a.id = m.agent_id where m.team_id = t.id))
  from team_runs r join teams t on t.id = r.team_id
  where r.id = job_of_team_run.run_id and r.status = 'pending';
end;

create function job_of_ingest(document_id uuid) returns setof new_job
  language sql stable
begin atomic
  select d.workspace_id, d.attempt, 1,
    json_build_object('workspaceId', d.workspace_id, 'documentId', d.id, 'attempt', d.attempt)
  from knowledge_documents d where d.id = job_of_ingest.document_id and d.status = 'pending';
end;

-- The journal of a fork's attempt begins with what the fork takes over; that of a resumed run has the answer.
grant insert on run_steps to muster_app;

-- As the owner: whoever may delete a document or a run ends its job with it.
create function delete_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from jobs where subject_id = old.id;
  return null;
end $$;
create trigger task_jobs after delete on tasks for each row
  when (old.status not in ('completed', 'failed', 'cancelled')) execute function delete_jobs();
create trigger team_run_jobs after delete on team_runs for each row
  when (old.status not in ('completed', 'failed', 'cancelled')) execute function delete_jobs();
create trigger document_jobs after delete on knowledge_documents for each row
  when (old.status in ('pending', 'processing')) execute function delete_jobs();
