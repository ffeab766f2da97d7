-- Forks: runs of pipelines that begin at a step of another run and take what came before it from there.

-- Null for a run that began at its beginning. An object of
--   run_id, from_step: which run this is a fork of, and the step at which it begins;
--   given: for each step from the first on whose output is given, who said what (nobody: it was skipped);
--   steps: what replaces fields of the team's steps, by their index;
--   agents: what replaces fields of its agents, by their id.
-- It holds for every attempt of the run, and stays when the other run is gone.
alter table team_runs add column fork jsonb;

-- A fork has the messages of the steps that it does not do.
grant insert on team_messages to muster_app;

drop view team_run_details;

create or replace view team_run_records with (security_invoker = true) as
  select
    r.id, r.team_id, r.workspace_id, r.task_id, r.status, r.input_task, r.output, r.error, r.interaction,
    r.current_step_idx,
    (select to_json(total) from (
        select
          coalesce(sum(u.prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(u.completion_tokens), 0) as completion_tokens,
          coalesce(sum(u.prompt_tokens + u.completion_tokens), 0) as total_tokens,
          coalesce(sum(u.estimated_cost_usd), 0)::double precision as cost_usd
        from usage_records u where u.team_run_id = r.id and u.attempt = r.attempt) total) as usage,
    r.attempt, r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at,
    iso(r.started_at) as started_at, iso(r.completed_at) as completed_at,
    case when r.fork is not null then
      json_build_object('run_id', r.fork->'run_id', 'from_step', r.fork->'from_step') end as forked_from
  from team_runs r;

create view team_run_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', m.id, 'run_id', m.run_id,
        'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id,
        'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx,
        'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) order by m.created_at, m.id), '[]')
      from team_messages m where m.run_id = r.id and m.attempt = r.attempt) as messages,
    (select coalesce(json_agg(json_build_object('id', d.id, 'run_id', d.run_id, 'key', d.key,
        'agent_id', d.agent_id, 'instruction', d.instruction, 'status', d.status, 'result', d.result,
        'error', d.error, 'score', d.score, 'revisions', d.revisions, 'tokens_used', d.tokens_used,
        'created_at', iso(d.created_at), 'updated_at', iso(d.updated_at)) order by length(d.key), d.key), '[]')
      from team_delegations d where d.run_id = r.id and d.attempt = r.attempt) as delegations
  from team_run_records r;
grant select on team_run_details to muster_viewer;

-- As before, with what a fork brings along.
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
      'team', json_build_object('id', team.id, 'name', team.name, 'mode', team.mode, 'config', config),
      'agents', (
        select coalesce(json_agg(
            agent_snapshot(a)::jsonb || coalesce(run.fork->'agents'->a.id::text, '{}') order by m.position), '[]')
        from team_members m join agents a on a.id = m.agent_id
        where m.team_id = team.id and m.workspace_id is not distinct from run.workspace_id))]);
end $$;
