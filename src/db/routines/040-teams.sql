-- Teams, team runs and memories: functions, triggers and views.

create or replace view team_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.name, t.description, t.mode, t.config, t.output_route_ids, t.is_marketplace,
    (select coalesce(json_agg(json_build_object('id', m.id, 'agent_id', m.agent_id, 'role', m.role,
        'position', m.position, 'config', m.config) order by m.position), '[]')
      from team_members m where m.team_id = t.id) as members,
    t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from teams t;
grant select on team_records to muster_viewer;

create or replace view table_api.teams with (security_invoker = true) as
  select
    id, workspace_id, name, description, mode, config, output_route_ids, is_marketplace,
    created_by, created_at, updated_at
  from public.teams;
grant select on table_api.teams to muster_viewer;

create or replace view table_api.team_members with (security_invoker = true) as
  select id, workspace_id, team_id, agent_id, role, position, config, created_at from public.team_members;
grant select on table_api.team_members to muster_viewer;

create or replace view table_api.team_runs with (security_invoker = true) as
  select
    id, workspace_id, team_id, task_id, status, input_task, output, error, interaction::jsonb as interaction, current_step_idx,
    attempt, created_by, created_at, updated_at, started_at, completed_at, finish_reason
  from public.team_runs;
grant select on table_api.team_runs to muster_viewer;

create or replace view table_api.team_messages with (security_invoker = true) as
  select
    id, workspace_id, run_id, sender_agent_id, receiver_agent_id, message_type, content, metadata,
    step_idx, tokens_used, created_at
  from public.team_messages;
grant select on table_api.team_messages to muster_viewer;

create or replace view table_api.team_delegations with (security_invoker = true) as
  select
    id, workspace_id, run_id, key, agent_id, instruction, status, result, error, score, revisions,
    tokens_used, created_at, updated_at
  from public.team_delegations;
grant select on table_api.team_delegations to muster_viewer;

-- Its columns are among those of team_run_details, which can only be replaced with the same ones.
drop view if exists team_run_details;
create or replace view team_run_records with (security_invoker = true) as
  select
    r.id, r.team_id, r.workspace_id, r.task_id, r.status, r.input_task, r.output, r.error, r.interaction,
    r.current_step_idx,
    (select to_json(total) from (
        select
          coalesce(sum(u.prompt_tokens), 0) as prompt_tokens,
          coalesce(sum(u.completion_tokens), 0) as completion_tokens,
          coalesce(sum(u.prompt_tokens + u.completion_tokens), 0) as total_tokens,
          coalesce(sum(u.cached_tokens), 0) as cached_tokens,
          coalesce(sum(u.cache_write_tokens), 0) as cache_write_tokens,
          coalesce(sum(u.reasoning_tokens), 0) as reasoning_tokens,
          coalesce(sum(u.estimated_cost_usd), 0)::double precision as cost_usd
        from usage_records u where u.team_run_id = r.id and u.attempt = r.attempt) total) as usage,
    r.attempt, r.created_by, iso(r.created_at) as created_at, iso(r.updated_at) as updated_at,
    iso(r.started_at) as started_at, iso(r.completed_at) as completed_at,
    case when r.fork is not null then
      json_build_object('run_id', r.fork->'run_id', 'from_step', r.fork->'from_step') end as forked_from,
    -- A run of a task has the task's files, in the attempt with the same number.
    case when r.task_id is null then
      (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
        where f.run_id = r.id and (f.attempt is null or f.attempt = r.attempt))
    else
      (select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') from files f
        where f.task_id = r.task_id and (f.attempt is null or f.attempt = r.attempt))
    end as attachments,
    r.finish_reason, false as output_truncated
  from team_runs r;
grant select on team_run_records to muster_viewer;

create or replace view team_memory_records with (security_invoker = true) as
  select m.id, m.team_id, m.run_id, m.attempt, m.status, m.task, m.outcome, iso(m.created_at) as created_at
  from team_memories m;
grant select on team_memory_records to muster_viewer;

-- The usage of an attempt by turn. Embeddings are not model calls.
create or replace function usage_by_turn(run uuid, run_attempt integer) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('turn', s.turn, 'agent_id', s.agent_id, 'model_calls', s.model_calls,
      'prompt_tokens', s.prompt_tokens, 'completion_tokens', s.completion_tokens,
      'total_tokens', s.prompt_tokens + s.completion_tokens, 'cached_tokens', s.cached_tokens,
      'cache_write_tokens', s.cache_write_tokens, 'reasoning_tokens', s.reasoning_tokens, 'cost_usd', s.cost_usd)
    order by s.first), '[]')
  from (
    select u.turn, u.agent_id, count(u.step) filter (where not u.interrupted) as model_calls, sum(u.prompt_tokens) as prompt_tokens,
      sum(u.completion_tokens) as completion_tokens, sum(u.estimated_cost_usd)::double precision as cost_usd,
      sum(u.cached_tokens) as cached_tokens, sum(u.cache_write_tokens) as cache_write_tokens,
      sum(u.reasoning_tokens) as reasoning_tokens, min(u.id::text) as first
    from usage_records u where u.team_run_id = run and u.attempt = run_attempt and u.turn is not null
    group by u.turn, u.agent_id) s
$$;

create or replace view team_run_details with (security_invoker = true) as
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
      from team_delegations d where d.run_id = r.id and d.attempt = r.attempt) as delegations,
    usage_by_turn(r.id, r.attempt) as usage_by_turn
  from team_run_records r;
grant select on team_run_details to muster_viewer;
