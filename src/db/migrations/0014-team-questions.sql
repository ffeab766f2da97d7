-- Questions to people in the runs of teams. As with tasks, the execution ends at the question, and the answer is
-- recorded among the run's steps and enqueues another one. In task_questions a run stands under its own id, as its
-- log does; the task whose work it does waits with it.

-- How many questions the attempt has asked; only the execution behind the newest one may work on the run.
alter table team_runs add column segment integer not null default 0;

create trigger team_run_stopped_waiting
  after update of status on team_runs for each row
  when (old.status = 'waiting_for_input' and new.status <> 'waiting_for_input')
  execute function close_task_question();
create trigger waiting_team_run_deleted
  after delete on team_runs for each row when (old.status = 'waiting_for_input')
  execute function close_task_question();

-- The counterpart of enqueue_continuation.
create function enqueue_team_continuation(run team_runs, answer json, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  asked task_questions;
begin
  if run.workspace_id is distinct from current_workspace_id() then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  select * into strict asked from task_questions q
  where q.task_id = run.id and q.workspace_id = run.workspace_id;
  insert into run_steps (run_id, attempt, key, workspace_id, result)
  values (run.id, run.attempt, asked.answer_key, run.workspace_id, answer);
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => run.id || '.' || run.attempt || '.' || run.segment,
    queue_partition_key => run.workspace_id::text,
    priority => 0,
    positional_args => array[asked.job, to_json(run.segment)]);
end $$;
revoke execute on function enqueue_team_continuation from public;
grant execute on function enqueue_team_continuation to muster_app;
