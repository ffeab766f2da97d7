-- The files of tasks and runs in their records: what they were given, and what the current attempt has given out.

create function attachment(file files) returns json
  language sql stable
  return json_build_object('id', file.id, 'name', file.name, 'type', file.type, 'size', file.size,
    'direction', file.direction);

create or replace view task_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.title, t.description, t.priority, t.status,
    t.assigned_agent_id, t.assigned_team_id, t.team_run_id, t.metadata,
    t.result, t.error, t.interaction,
    (select to_json(total) from (
        select
          coalesce(sum(u.prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(u.completion_tokens), 0) as completion_tokens,
          coalesce(sum(u.prompt_tokens + u.completion_tokens), 0) as total_tokens,
          coalesce(sum(u.estimated_cost_usd), 0)::double precision as cost_usd
        from usage_records u where u.task_id = t.id and u.attempt = t.attempt) total) as usage,
    t.attempt, iso(t.scheduled_for) as scheduled_for, t.created_by,
    iso(t.created_at) as created_at, iso(t.updated_at) as updated_at,
    iso(t.dispatched_at) as dispatched_at, iso(t.started_at) as started_at,
    iso(t.completed_at) as completed_at, t.agent_version,
    (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
      where f.task_id = t.id and (f.attempt is null or f.attempt = t.attempt)) as attachments
  from tasks t;

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
      json_build_object('run_id', r.fork->'run_id', 'from_step', r.fork->'from_step') end as forked_from,
    -- A run that does a task's work has the task's files, in the attempt of the same number.
    case when r.task_id is null then
      (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
        where f.run_id = r.id and (f.attempt is null or f.attempt = r.attempt))
    else
      (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
        where f.task_id = r.task_id and (f.attempt is null or f.attempt = r.attempt))
    end as attachments
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
