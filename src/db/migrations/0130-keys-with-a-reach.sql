-- A key may be limited to surfaces, and to agents and teams: its reach. Requests with such a key have two roles of their
-- own. What is not granted to them here (or, for views, in the routines) is out of their reach. Of what is granted, the
-- policies `reach` show only what belongs to the agents and teams of the setting muster.reach.

do $$
declare
  wanted text;
begin
  foreach wanted in array array['muster_reach_viewer', 'muster_reach_app'] loop
    begin
      if not exists (select from pg_roles where rolname = wanted) then
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole inherit', wanted);
      end if;
    exception
      -- Another database of the same server created the role concurrently.
      when duplicate_object or unique_violation then null;
    end;
  end loop;
  if not pg_has_role('muster_reach_app', 'muster_reach_viewer', 'member') then
    grant muster_reach_viewer to muster_reach_app;
  end if;
end $$;
grant muster_reach_viewer, muster_reach_app to current_user;
grant usage on schema public, table_api to muster_reach_viewer;

-- Ids of agents and teams. Both null: the key reaches its whole workspace. Deleted agents and teams remain in the lists,
-- and grant nothing.
alter table api_keys
  add column surfaces text[] check (surfaces <@ array['rest', 'openai', 'ag-ui', 'a2a', 'mcp', 'table']),
  add check (cardinality(surfaces) > 0),
  add column agents uuid[] check (cardinality(agents) > 0),
  add column teams uuid[] check (cardinality(teams) > 0);
grant select (surfaces, agents, teams) on api_keys to muster_viewer;
grant update (surfaces, agents, teams) on api_keys to muster_admin;

-- A file that belongs to no run yet is in reach of the key that uploaded it.
alter table files add column key_id uuid default nullif(current_setting('muster.key_id', true), '')::uuid;

-- The agents and teams of the current transaction's key; null without a limit.
create function current_reach() returns uuid[]
  language sql stable parallel safe
  return nullif(current_setting('muster.reach', true), '')::uuid[];

-- Whether a run of this agent or team is in that reach.
create function is_reached(agent_id uuid, team_id uuid) returns boolean
  language sql stable parallel safe
  return current_reach() is null or agent_id = any(current_reach()) or team_id = any(current_reach());

create policy reach on runs as restrictive to muster_reach_viewer
  using (agent_id = any((select current_reach())::uuid[]) or team_id = any((select current_reach())::uuid[]));
create policy reach on agents as restrictive to muster_reach_viewer
  using (id = any((select current_reach())::uuid[]));
create policy reach on agent_versions as restrictive to muster_reach_viewer
  using (agent_id = any((select current_reach())::uuid[]));
create policy reach on teams as restrictive to muster_reach_viewer
  using (id = any((select current_reach())::uuid[]));
create policy reach on team_members as restrictive to muster_reach_viewer
  using (team_id = any((select current_reach())::uuid[]));
create policy reach on team_memories as restrictive to muster_reach_viewer
  using (team_id = any((select current_reach())::uuid[]));
create policy reach on voice_profiles as restrictive to muster_reach_viewer
  using (exists (select from agents a where a.voice_profile_id = voice_profiles.id));
create policy reach on output_templates as restrictive to muster_reach_viewer
  using (exists (select from agents a where a.output_template_id = output_templates.id));
create policy reach on usage_records as restrictive to muster_reach_viewer
  using (exists (select from runs r where r.id = usage_records.task_id)
    or exists (select from runs r where r.id = usage_records.team_run_id));
create policy reach on files as restrictive to muster_reach_viewer
  using (exists (select from runs r where r.id = files.task_id) or exists (select from runs r where r.id = files.run_id)
    or (task_id is null and run_id is null and key_id = nullif(current_setting('muster.key_id', true), '')::uuid));
create policy reach on budgets as restrictive to muster_reach_viewer
  using (scope = 'run' and exists (select from runs r where r.id = budgets.target_id));
create policy reach on budget_windows as restrictive to muster_reach_viewer
  using (exists (select from budgets b where b.id = budget_windows.budget_id));
create policy reach on model_gate_waits as restrictive to muster_reach_viewer
  using (exists (select from jobs j where j.id = model_gate_waits.job_id));
create policy reach on members as restrictive to muster_reach_viewer
  using (user_id = nullif(current_setting('muster.user_id', true), '')::uuid);
create policy reach on api_keys as restrictive to muster_reach_viewer
  using (id = nullif(current_setting('muster.key_id', true), '')::uuid);
-- The names of what created a run.
create policy reach on schedules as restrictive to muster_reach_viewer using (false);
create policy reach on triggers as restrictive to muster_reach_viewer using (false);

-- What belongs to a run is seen with it.
do $$
declare
  part record;
begin
  for part in select * from (values
    ('a2a_messages', 'task_id'), ('agent_threads', 'task_id'), ('budget_extensions', 'run_id'),
    ('closed_questions', 'subject_id'), ('feedback', 'run_id'), ('jobs', 'subject_id'), ('push_configs', 'task_id'),
    ('run_executions', 'run_id'), ('run_steps', 'run_id'), ('task_event_pages', 'log_id'), ('task_events', 'log_id'),
    ('task_questions', 'subject_id'), ('task_streams', 'log_id'), ('team_delegations', 'run_id'),
    ('team_messages', 'run_id')) parts (relation, run)
  loop
    execute format('create policy reach on %1$I as restrictive to muster_reach_viewer
      using (exists (select from runs r where r.id = %1$I.%2$I))', part.relation, part.run);
  end loop;
end $$;

grant select on agents, agent_versions, a2a_messages, agent_threads, budget_extensions, budget_windows, budgets, closed_questions,
  feedback, files, members, model_gate_waits, output_templates, run_executions, run_steps, runs, task_event_pages, task_events,
  task_questions, task_streams, team_delegations, team_members, team_memories, team_messages, teams, usage_records,
  voice_profiles, workspaces to muster_reach_viewer;
grant select (id, label) on api_keys to muster_reach_viewer;
grant select (id, name) on schedules, triggers to muster_reach_viewer;
grant select (id, email, name, created_at, updated_at) on users to muster_reach_viewer;

grant insert, update, delete on runs, task_streams to muster_reach_app;
grant insert on a2a_messages, agent_threads, budgets, run_executions, run_steps, task_events, team_messages
  to muster_reach_app;
grant select, insert, update, delete on jobs, push_configs to muster_reach_app;
grant insert, delete on feedback, files to muster_reach_app;
grant select, insert, update on idempotent_answers to muster_reach_app;
grant update (task_id, run_id) on files to muster_reach_app;
grant update (via, rating, note, correction, updated_at) on feedback to muster_reach_app;
grant update (answered_by, answered_via, answer, answered_name) on closed_questions to muster_reach_app;
grant update (deadline, answers) on task_questions to muster_reach_app;
