-- Runs by kind. Both views can be written like tables; triggers are on `runs`.

create or replace view tasks with (security_invoker = true) as
  select
    id, workspace_id, title, description, priority, status, agent_id as assigned_agent_id,
    team_id as assigned_team_id, team_run_id, metadata, result, error, interaction, attempt, scheduled_for, created_by,
    created_at, updated_at, dispatched_at, started_at, completed_at, conversation, segment, waited, agent_version,
    client_tools, source_kind, source_id, error_code, cost_usd, title_search, fork, cancelled_by, finish_reason,
    client_request, kind
  from runs where kind = 'task';
alter view tasks alter column kind set default 'task';
grant select on tasks to muster_viewer;
grant select, insert, update, delete on tasks to muster_app;

create or replace view team_runs with (security_invoker = true) as
  select
    id, workspace_id, team_id, parent_id as task_id, status, title as input_task, result as output, error, interaction,
    step_idx as current_step_idx, attempt, created_by, created_at, updated_at, started_at, completed_at, segment, fork,
    waited, source_kind, source_id, error_code, cost_usd, title_search, cancelled_by, finish_reason, kind
  from runs where kind = 'team_run';
alter view team_runs alter column kind set default 'team_run';
grant select on team_runs to muster_viewer;
grant insert, update, delete on team_runs to muster_app;

-- The title that people see: of a team run the first line of its task.
create or replace function title_of(run runs) returns text
  language sql immutable parallel safe
  return case run.kind when 'task' then run.title
    else left(rtrim(split_part(ltrim(left(run.title, 1000), E' \t\r\n'), E'\n', 1), E' \t\r'), 200) end;
