-- A task and a team run are one thing: a run. `tasks` and `team_runs` become views of it, in 005-runs.sql.

drop view if exists table_api.tasks, task_records, table_api.team_runs, team_run_details, team_run_records,
  table_api.agents, agent_records cascade;
drop function if exists record_push_deliveries(tasks, uuid);
drop function if exists team_config_of_run(team_runs, teams) cascade;

alter table tasks rename to runs;
alter table runs rename column assigned_agent_id to agent_id;
alter table runs rename column assigned_team_id to team_id;
alter table runs rename constraint tasks_pkey to runs_pkey;
alter table runs rename constraint tasks_workspace_id_id_key to runs_workspace_id_id_key;
alter table runs rename constraint tasks_workspace_id_fkey to runs_workspace_id_fkey;
alter table runs rename constraint tasks_agent_fkey to runs_agent_fkey;
alter table runs rename constraint tasks_team_fkey to runs_team_fkey;
alter table runs rename constraint tasks_status_check to runs_status_check;
alter table runs rename constraint tasks_priority_check to runs_priority_check;
alter table runs rename constraint tasks_source_kind_check to runs_source_kind_check;
alter table runs drop constraint tasks_title_check;
alter table runs
  add column kind text not null default 'task' check (kind in ('task', 'team_run')),
  -- The task that a team run works on, if any; both have the same attempt number.
  add column parent_id uuid,
  -- The step, turn or round that a team run has reached.
  add column step_idx integer,
  add constraint runs_parent_fkey foreign key (workspace_id, parent_id)
    references runs(workspace_id, id) on delete cascade,
  add constraint runs_title_check check (kind = 'team_run' or length(title) between 1 and 200);
alter table runs alter column kind drop default;

insert into runs (id, workspace_id, kind, parent_id, team_id, status, title, result, error, interaction, step_idx,
  attempt, created_by, created_at, updated_at, started_at, completed_at, segment, fork, waited, source_kind, source_id,
  error_code, cost_usd, cancelled_by, finish_reason)
select id, workspace_id, 'team_run', task_id, team_id, status, input_task, output, error, interaction, current_step_idx,
  attempt, created_by, created_at, updated_at, started_at, completed_at, segment, fork, waited, source_kind, source_id,
  error_code, cost_usd, cancelled_by, finish_reason
from team_runs;

drop policy tenant on task_streams;
create policy tenant on task_streams
  using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from runs r where r.id = task_streams.log_id));

alter table files drop constraint files_run_fkey;
alter table files add constraint files_run_fkey foreign key (workspace_id, run_id)
  references runs(workspace_id, id) on delete cascade;
drop table team_runs cascade;
alter table team_messages add foreign key (workspace_id, run_id) references runs(workspace_id, id) on delete cascade;
alter table team_delegations add foreign key (workspace_id, run_id) references runs(workspace_id, id) on delete cascade;

-- A run with a parent is part of it: only runs without one are listed.
drop index tasks_newest_idx, tasks_active_by_agent_idx, tasks_active_idx, tasks_agent_newest_idx, tasks_cost_idx,
  tasks_duration_idx, tasks_error_newest_idx, tasks_finished_by_agent_idx, tasks_forks_idx, tasks_scheduled_idx,
  tasks_source_newest_idx, tasks_status_newest_idx, tasks_team_newest_idx, tasks_title_idx;
create index runs_newest_idx on runs (workspace_id, kind, created_at desc, id desc);
create index runs_status_newest_idx on runs (workspace_id, status, created_at desc, id desc) where parent_id is null;
create index runs_active_idx on runs (workspace_id) where status in ('running', 'waiting_for_input');
create index runs_open_by_agent_idx on runs (agent_id)
  where status in ('pending', 'dispatched', 'running', 'waiting_for_input') and agent_id is not null;
create index runs_open_by_team_idx on runs (team_id)
  where status in ('pending', 'dispatched', 'running', 'waiting_for_input') and team_id is not null;
create index runs_finished_by_agent_idx on runs (agent_id, completed_at desc) where completed_at is not null;
-- Tasks scheduled for later; the service reads the earliest of them.
create index runs_scheduled_idx on runs (scheduled_for)
  where status = 'pending' and scheduled_for is not null and (agent_id is not null or team_id is not null);
create index runs_of_parent_idx on runs (workspace_id, parent_id) where parent_id is not null;
create index runs_forks_idx on runs ((fork->>'run_id')) where fork is not null;
create index runs_task_forks_idx on runs ((fork->>'task_id')) where fork is not null;
-- One for each filter and order of the list of all runs.
create index runs_agent_newest_idx on runs (agent_id, created_at desc, id desc) where agent_id is not null;
create index runs_team_newest_idx on runs (team_id, created_at desc, id desc) where team_id is not null;
create index runs_source_newest_idx on runs (workspace_id, source_kind, created_at desc, id desc)
  where parent_id is null;
create index runs_error_newest_idx on runs (workspace_id, error_code, created_at desc, id desc)
  where error_code is not null;
-- A run's cost is written when it ends. Until then its position in this order is known without an index.
create index runs_cost_idx on runs (workspace_id, cost_usd desc, id desc)
  where completed_at is not null and parent_id is null;
create index runs_duration_idx on runs
  (workspace_id, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null and parent_id is null;
create index runs_title_idx on runs using gin (title_search) where parent_id is null;

drop function if exists run_title cascade;
drop function if exists deliver_tasks cascade;
drop function if exists deliver_team_run cascade;
drop trigger if exists audit_task_cancelled on runs;
drop trigger if exists audit_task_deleted on runs;
drop trigger if exists live_task on runs;
drop trigger if exists task_abandons_calls on runs;
drop trigger if exists task_budgets on runs;
drop trigger if exists task_deleted on runs;
drop trigger if exists task_deleted_questions on runs;
drop trigger if exists task_deletion_abandons_calls on runs;
drop trigger if exists task_due on runs;
drop trigger if exists task_jobs on runs;
drop trigger if exists task_push on runs;
drop trigger if exists task_stopped_waiting on runs;
drop trigger if exists task_stops_waiting on runs;
drop trigger if exists tasks_count_added on runs;
drop trigger if exists tasks_count_removed on runs;
drop trigger if exists waiting_task_deleted on runs;
-- The statements that end a run write its cost and error code.
drop trigger if exists attempt_ended on task_streams;
drop function if exists record_attempt_end;
drop trigger if exists attempt_ended_recorded on task_streams;
