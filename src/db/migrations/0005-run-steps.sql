-- What each finished step of a run returned. A run that is taken over is executed from its beginning
-- again; steps that stand here are not done again but return what they returned before. They are
-- found by their keys, so that steps side by side may finish in any order.
create table run_steps (
  -- The id under which the run's events stand, too.
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  workspace_id uuid not null,
  -- json, not jsonb: a step returns the very same again.
  result json not null,
  created_at timestamptz not null default now(),
  primary key (run_id, attempt, key)
);
create index run_steps_created_at_idx on run_steps using brin (created_at);

-- They go with the log of events, as its owner.
create or replace function delete_task_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_events where task_id = old.task_id;
  delete from run_steps where run_id = old.task_id;
  return null;
end $$;

-- Usage is written together with the step that used it, and so exactly once.
alter table usage_records drop constraint usage_records_task_id_attempt_step_key;
alter table usage_records drop constraint usage_records_team_run_step_key;
create index usage_records_task_idx on usage_records (task_id, attempt, step);

alter table run_steps enable row level security;
create policy tenant on run_steps using (workspace_id is not distinct from (select current_workspace_id()));

grant select on run_steps to muster_viewer;
