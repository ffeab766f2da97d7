-- The marketplace in the table API: `marketplace_agents` and `table_api.listed_agents` in 030-agents.sql.

-- All surfaces but the envelope API share one more count of their workspace.
alter table request_counts drop constraint request_counts_surface_check;
alter table request_counts add constraint request_counts_surface_check
  check (surface in ('envelope', 'shared', 'table', 'provider-test'));

-- The status of an agent: `agent_records` in 030-agents.sql. A dispatched task counts, and a turn in a team run.
drop index tasks_active_by_agent_idx;
create index tasks_active_by_agent_idx on tasks (assigned_agent_id)
  where status in ('dispatched', 'running', 'waiting_for_input');
create index team_runs_active_idx on team_runs (workspace_id) where status in ('running', 'waiting_for_input');
