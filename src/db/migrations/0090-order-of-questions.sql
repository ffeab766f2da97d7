-- What people are asked and answer keeps the order of its fields: JSON, not JSONB. The views are created again from the
-- routines, which change with this number: open_request is new (050-tasks.sql).
drop view if exists table_api.tasks, task_records, table_api.team_runs, team_run_details, team_run_records,
  table_api.agents, agent_records, tasks, team_runs cascade;
alter table runs alter column interaction type json;
alter table task_questions
  alter column question type json,
  alter column answers drop default,
  alter column answers type json,
  alter column answers set default '{}';
alter table closed_questions
  alter column request type json,
  alter column answer type json;
