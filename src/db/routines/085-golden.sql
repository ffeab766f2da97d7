-- Golden runs: functions, triggers and views.

-- The agent as a golden run tries it: with the fields of the candidate. As the owner, because keys that are limited to
-- agents start runs as well, and have no golden ones.
create or replace function golden_agent(run runs, agent agents) returns json
  language sql stable security definer set search_path = public, pg_temp
  return (
    select agent_snapshot(json_populate_record(agent, (g.candidate::jsonb || jsonb_build_object(
      'fallback_model', g.candidate->'fallback_models'->0, 'version', g.version))::json))
    from golden_runs g where g.id = run.source_id and g.workspace_id = run.workspace_id);
revoke execute on function golden_agent from public;
grant execute on function golden_agent to muster_viewer, muster_reach_viewer;

-- What a run of a case needs: the recorded results of tools, what the result is held to, and the agents that judge it. Of
-- a deleted case there is nothing, so no tool has a result. As the owner, for the same reason.
create or replace function golden_input(run runs) returns json
  language sql stable security definer set search_path = public, pg_temp
  return (
    select json_build_object(
      'tools', coalesce(c.tools, '[]'), 'expected', coalesce(c.expected, ''), 'checks', coalesce(c.checks, '[]'),
      'judges', coalesce((
        select json_object_agg(a.id, agent_snapshot(a)) from agents a
        where a.workspace_id = run.workspace_id
          and a.id in (select (k->>'agent_id')::uuid from json_array_elements(c.checks) k where k->>'type' = 'judge')), '{}'))
    from (select run.id as run_id) this
    left join golden_results r on r.run_id = this.run_id
    left join golden_cases c on c.id = r.case_id and c.workspace_id = run.workspace_id);
revoke execute on function golden_input from public;
grant execute on function golden_input to muster_viewer, muster_reach_viewer;

-- Notes how the run of a case ended: once, so that nobody makes a result better by running the task again.
create or replace function note_golden_end() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    update golden_results set status = 'cancelled', reason = 'Its task was deleted.', ended_at = clock_timestamp()
      where run_id = old.id and ended_at is null;
    return null;
  end if;
  update golden_results r set
    status = case
      when new.status = 'cancelled' then 'cancelled'
      when new.status = 'failed' then case new.error_code when 'DIVERGED' then 'diverged' else 'failed' end
      when r.checks is null or exists (select from json_array_elements(r.checks) k where k->>'passed' <> 'true') then 'failed'
      else 'passed' end,
    result = new.result,
    reason = new.error,
    cost_usd = coalesce(r.cost_usd, new.cost_usd, 0),
    tokens = coalesce(r.tokens, (
      select sum(u.prompt_tokens + u.completion_tokens) from usage_records u
      where u.task_id = new.id and u.attempt = new.attempt), 0),
    duration_ms = coalesce(r.duration_ms, extract(epoch from new.completed_at - new.started_at) * 1000),
    ended_at = clock_timestamp()
  where r.run_id = new.id and r.ended_at is null;
  return null;
end $$;
revoke execute on function note_golden_end from public;
create or replace trigger run_golden after update of status on runs for each row
  when (new.source_kind = 'golden' and new.status in ('completed', 'failed', 'cancelled') and new.status <> old.status)
  execute function note_golden_end();
create or replace trigger run_golden_deleted after delete on runs for each row
  when (old.source_kind = 'golden' and old.status not in ('completed', 'failed', 'cancelled'))
  execute function note_golden_end();

create or replace view golden_case_records with (security_invoker = true) as
  select c.id, c.agent_id, c.name, c.source_run_id, c.source_attempt, c.expected, c.checks,
    coalesce((select json_agg(t->>'name') from json_array_elements(c.tools) t), '[]') as tools,
    c.agent_version, c.cost_usd::double precision as cost_usd, c.tokens::double precision as tokens, c.duration_ms,
    c.created_by, iso(c.created_at) as created_at, iso(c.updated_at) as updated_at
  from golden_cases c;
grant select on golden_case_records to muster_viewer;

create or replace view golden_case_details with (security_invoker = true) as
  select r.id, r.agent_id, r.name, r.source_run_id, r.source_attempt, c.input, r.expected, c.result, r.checks,
    c.tools, c.feedback, r.agent_version, r.cost_usd, r.tokens, r.duration_ms, r.created_by, r.created_at, r.updated_at
  from golden_case_records r join golden_cases c on c.id = r.id;
grant select on golden_case_details to muster_viewer;

create or replace view golden_run_records with (security_invoker = true) as
  select g.id, g.agent_id, g.version, g.model,
    case when n.running > 0 then 'running' when n.passed = n.cases then 'passed' else 'failed' end as status,
    n.cases, n.running, n.passed, n.failed, n.diverged, n.cancelled, n.cost_usd, n.cost_usd_before,
    g.created_by, iso(g.created_at) as created_at,
    case when n.running = 0 then iso(n.ended_at) end as ended_at
  from golden_runs g cross join lateral (
    select count(*)::integer as cases,
      (count(*) filter (where r.status = 'running'))::integer as running,
      (count(*) filter (where r.status = 'passed'))::integer as passed,
      (count(*) filter (where r.status = 'failed'))::integer as failed,
      (count(*) filter (where r.status = 'diverged'))::integer as diverged,
      (count(*) filter (where r.status = 'cancelled'))::integer as cancelled,
      coalesce(sum(r.cost_usd), 0)::double precision as cost_usd,
      coalesce(sum((r.before->>'cost_usd')::numeric), 0)::double precision as cost_usd_before,
      max(r.ended_at) as ended_at
    from golden_results r where r.golden_run_id = g.id) n;
grant select on golden_run_records to muster_viewer;

create or replace view golden_run_details with (security_invoker = true) as
  select g.*, coalesce((
    select json_agg(json_build_object('case_id', r.case_id, 'name', r.name, 'run_id', r.run_id, 'status', r.status,
        'reason', r.reason, 'checks', coalesce(r.checks, '[]'), 'before', r.before,
        'after', json_build_object('result', r.result, 'tools', coalesce(r.tools, '[]'),
          'cost_usd', r.cost_usd::double precision, 'tokens', r.tokens, 'duration_ms', r.duration_ms))
      order by r.position)
    from golden_results r where r.golden_run_id = g.id), '[]') as results
  from golden_run_records g;
grant select on golden_run_details to muster_viewer;

-- Why an agent does not meet its gate with the fields that it has in this row; null if it does. The best golden run of
-- these very fields counts, with the cases of today that were not changed since. As the owner, as the trigger below.
create or replace function golden_gate_fault(agent agents) returns text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  gate golden_gates;
  cases integer;
  needed integer;
  passed integer;
begin
  select * into gate from golden_gates g where g.agent_id = agent.id;
  if not found or gate.required = 'none' then return null; end if;
  select count(*) into cases from golden_cases c where c.agent_id = agent.id;
  needed := case gate.required when 'all' then greatest(cases, 1) else gate.required::integer end;
  select coalesce(max(tried.passed), 0) into passed from (
    select count(*) as passed
    from golden_runs g
    join golden_results r on r.golden_run_id = g.id and r.status = 'passed'
    join golden_cases c on c.id = r.case_id and c.agent_id = g.agent_id and c.updated_at <= g.created_at
    where g.agent_id = agent.id and g.candidate::jsonb = agent_version_fields(agent)::jsonb
    group by g.id
  ) tried;
  if passed >= needed then return null; end if;
  return format('The gate of "%s" requires %s of its golden cases, and the best golden run of these very fields has passed %s of %s. '
    || 'Try them in a golden run first; an admin can publish them anyway, with a reason.',
    left(agent.name, 200), case gate.required when 'all' then 'all' else gate.required end, passed, cases);
end $$;
revoke execute on function golden_gate_fault from public;
grant execute on function golden_gate_fault to muster_viewer;

-- Holds a change of an agent to its gate: one that makes a new version, or publishes the agent. What a person changes
-- elsewhere, such as a deleted voice, is no such change. SQLSTATE MQ002 becomes the error `conflict`. As the owner: every
-- surface is held to it.
create or replace function hold_to_gate() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  fault text;
  reason text := nullif(current_setting('muster.golden_override', true), '');
begin
  if pg_trigger_depth() > 1 then return new; end if;
  fault := golden_gate_fault(new);
  if fault is null then return new; end if;
  if reason is null then raise exception using errcode = 'MQ002', message = fault; end if;
  perform write_audit(new.workspace_id, 'agent.gate_overridden', 'agent', new.id, new.name,
    jsonb_build_object('reason', jsonb_build_array(null, reason)));
  return new;
end $$;
revoke execute on function hold_to_gate from public;
create or replace trigger agent_gate before update on agents for each row
  when (agent_version_fields(old)::text <> agent_version_fields(new)::text
    or new.is_marketplace and not old.is_marketplace
    or new.is_mcp_published and not old.is_mcp_published
    or new.is_a2a_published and not old.is_a2a_published)
  execute function hold_to_gate();
