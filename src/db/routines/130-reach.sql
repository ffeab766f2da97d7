-- The views and functions that are granted to keys that are limited to agents and teams; of the rows below them they see
-- what the policies `reach` show. Everything else is beyond their reach.
grant select on agent_records, agent_version_details, agent_version_records, budget_records, file_records, task_log, task_records, tasks,
  team_memory_records, team_records, team_run_details, team_run_records, team_runs to muster_reach_viewer;
grant insert, update, delete on tasks, team_runs to muster_reach_app;
grant select on table_api.agents, table_api.tasks, table_api.team_delegations, table_api.team_members,
  table_api.team_messages, table_api.team_runs, table_api.teams, table_api.usage_records, table_api.output_templates,
  table_api.voice_profiles to muster_reach_viewer;
grant execute on function find_titles, find_costly to muster_reach_viewer;
