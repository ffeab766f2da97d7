-- Questions to people. An execution that asks one ends at the question. The answer is recorded among
-- the run's steps and enqueues another execution, which goes on from there as one after a crash does.
-- So a task may wait for days and costs a row, but no memory and no place among the runs.

-- segment: how many questions the attempt has asked; only the execution behind the newest one may
-- work on the task. waited: how long it has waited for answers, which is no time of the run.
alter table tasks
  add column segment integer not null default 0,
  add column waited interval not null default '0';

-- The open question of a waiting task. It comes and goes with the state waiting_for_input.
-- question: as the tool put it; answers: of a wizard's steps so far.
-- job: what the engine was given for the attempt, handed on as it is; json keeps its very text.
-- answer_key: the key of the step as whose result the answer is recorded.
create table task_questions (
  task_id uuid primary key,
  workspace_id uuid not null,
  interaction_id uuid not null,
  tool_call_id text not null,
  asked_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null,
  question jsonb not null,
  answers jsonb not null default '{}',
  job json not null,
  answer_key text not null
);
create index task_questions_deadline_idx on task_questions (deadline);

-- As the owner: whoever may end a task's wait closes its question with it.
create function close_task_question() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_questions where task_id = old.id;
  return null;
end $$;
create trigger task_stopped_waiting
  after update of status on tasks for each row
  when (old.status = 'waiting_for_input' and new.status <> 'waiting_for_input')
  execute function close_task_question();
create trigger waiting_task_deleted
  after delete on tasks for each row when (old.status = 'waiting_for_input')
  execute function close_task_question();

-- Records the answer for which a task waits and hands the task to the durable engine again, within the
-- caller's transaction. It has begun already and somebody waits for it: it comes before new runs.
create function enqueue_continuation(task tasks, answer json, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked task_questions;
begin
  if task.workspace_id is distinct from current_workspace_id() then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  select * into strict asked from task_questions q
  where q.task_id = task.id and q.workspace_id = task.workspace_id;
  insert into run_steps (run_id, attempt, key, workspace_id, result)
  values (task.id, task.attempt, asked.answer_key, task.workspace_id, answer);
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => task.id || '.' || task.attempt || '.' || task.segment,
    queue_partition_key => task.workspace_id::text,
    priority => 0,
    positional_args => array[asked.job, to_json(task.segment)]);
end $$;
revoke execute on function enqueue_continuation from public;
grant execute on function enqueue_continuation to muster_app;

alter table task_questions enable row level security;
create policy tenant on task_questions using (workspace_id is not distinct from (select current_workspace_id()));

grant select on task_questions to muster_viewer;
grant update (answers, deadline) on task_questions to muster_app;
