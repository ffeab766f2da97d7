-- Teams, their runs and webhook subscriptions as the API shows them, and the way of a team's run into
-- the durable engine.

-- A message belongs to an attempt of its run. Its key names it there: a resumed execution sends it again, and it
-- is stored once.
alter table team_messages
  add column attempt integer not null default 1,
  add column key text,
  add constraint team_messages_key unique (run_id, attempt, key);

-- A run has a log and a journal of steps under its own id, like a task; they go with it.
alter policy tenant on task_streams
  with check (workspace_id = (select current_workspace_id())
    and (exists (select from tasks t where t.id = task_streams.task_id)
      or exists (select from team_runs r where r.id = task_streams.task_id)));
create trigger team_run_deleted
  after delete on team_runs for each row execute function delete_task_stream();

-- A run that does a task's work goes with it.
alter table team_runs add constraint team_runs_task_fkey foreign key (workspace_id, task_id)
  references tasks (workspace_id, id) on delete cascade;
create index team_runs_task_idx on team_runs (workspace_id, task_id) where task_id is not null;

create view team_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.name, t.description, t.mode, t.config, t.output_route_ids, t.is_marketplace,
    (select coalesce(json_agg(json_build_object('id', m.id, 'agent_id', m.agent_id, 'role', m.role,
        'position', m.position, 'config', m.config) order by m.position), '[]')
      from team_members m where m.team_id = t.id) as members,
    t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from teams t;

create view team_run_records with (security_invoker = true) as
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
    iso(r.started_at) as started_at, iso(r.completed_at) as completed_at
  from team_runs r;

-- A run that is read alone comes with the messages of its current attempt.
create view team_run_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', m.id, 'run_id', m.run_id,
        'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id,
        'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx,
        'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) order by m.created_at, m.id), '[]')
      from team_messages m where m.run_id = r.id and m.attempt = r.attempt) as messages
  from team_run_records r;

create view webhook_subscription_records with (security_invoker = true) as
  select s.id, s.target_url, s.event, s.agent_id, s.team_id, s.is_active, iso(s.created_at) as created_at
  from webhook_subscriptions s;

grant select on team_records, team_run_records, team_run_details, webhook_subscription_records to muster_viewer;

-- Hands a run's attempt to the durable engine, within the caller's transaction and as the owner of the engine's
-- tables, like enqueue_run. The team goes with it as it is now, and so do its agents. A run that does a
-- task's work is as urgent as the task.
create function enqueue_team_run(run team_runs, team teams, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  task tasks;
begin
  if run.workspace_id is distinct from current_workspace_id()
    or team.workspace_id is distinct from run.workspace_id then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  select * into task from tasks t where t.id = run.task_id and t.workspace_id is not distinct from run.workspace_id;
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
      'team', json_build_object('id', team.id, 'name', team.name, 'mode', team.mode, 'config', team.config),
      'agents', (
        select coalesce(json_agg(agent_snapshot(a) order by m.position), '[]')
        from team_members m join agents a on a.id = m.agent_id
        where m.team_id = team.id and m.workspace_id is not distinct from run.workspace_id))]);
end $$;
revoke execute on function enqueue_team_run from public;
grant execute on function enqueue_team_run to muster_app;
