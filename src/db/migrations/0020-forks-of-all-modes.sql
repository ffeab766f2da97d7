-- Forks of the runs of every mode, and a limit to the time that a team's run may take.

-- team_runs.fork holds besides:
--   journal: the recorded steps of the other run that this one has from its beginning (key, result as JSON text, at);
--   steps: in other modes than pipelines, what a person says at a step besides (instructions), by its index.
-- and given has, in discussions, agent_id, moderates and tokens_used of what was said.

-- How long the attempt has waited for answers: its time does not run meanwhile.
alter table team_runs add column waited interval not null default '0';

-- As before; the journal of a fork's attempt begins with what it takes over.
create or replace function enqueue_team_run(run team_runs, team teams, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  task tasks;
  config jsonb := team.config;
begin
  if run.workspace_id is distinct from current_workspace_id()
    or team.workspace_id is distinct from run.workspace_id then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  select * into task from tasks t where t.id = run.task_id and t.workspace_id is not distinct from run.workspace_id;
  if run.fork is not null and team.mode = 'pipeline' then
    config := jsonb_set(config, '{steps}', (
      select coalesce(jsonb_agg(s.step || coalesce(run.fork->'steps'->(s.place - 1)::text, '{}') order by s.place), '[]')
      from jsonb_array_elements(config->'steps') with ordinality as s (step, place)));
  end if;
  insert into run_steps (run_id, attempt, key, workspace_id, result, created_at)
  select run.id, run.attempt, s.key, run.workspace_id, s.result::json, s.at
  from jsonb_to_recordset(coalesce(run.fork->'journal', '[]')) as s (key text, result text, at timestamptz);
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => run.id || '.' || run.attempt,
    queue_partition_key => run.workspace_id::text,
    priority => array_position(array['urgent', 'high', 'medium', 'low'], coalesce(task.priority, 'medium')),
    positional_args => array[json_build_object(
      'workspaceId', run.workspace_id,
      'runId', run.id,
      'attempt', run.attempt,
      'taskId', task.id,
      'inputTask', run.input_task,
      'given', coalesce(run.fork->'given', '[]'),
      'asides', case when team.mode = 'pipeline' then '{}' else coalesce(run.fork->'steps', '{}') end,
      'hasJournal', jsonb_array_length(coalesce(run.fork->'journal', '[]')) > 0,
      'team', json_build_object('id', team.id, 'name', team.name, 'mode', team.mode, 'config', config),
      'agents', (
        select coalesce(json_agg(
            agent_snapshot(a)::jsonb || coalesce(run.fork->'agents'->a.id::text, '{}') order by m.position), '[]')
        from team_members m join agents a on a.id = m.agent_id
        where m.team_id = team.id and m.workspace_id is not distinct from run.workspace_id))]);
end $$;
