-- Versions of agents: what an agent was after each change of a field that shapes its runs. Triggers keep them, so
-- that they hold for every way in which an agent is written; and each run records the version that it ran.

-- The person behind the current transaction, or null where the service acts by itself.
create function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('muster.user_id', true), '')::uuid;

-- In steps: PostgreSQL (15.20, for one) adds no column with a default to a table whose row type functions take.
alter table agents add column version integer;
update agents set version = 1;
alter table agents alter column version set default 1, alter column version set not null;

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  version integer not null,
  fields jsonb not null,
  changed_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, version),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);

-- What of an agent shapes its runs. A saved voice or template is part of it by its id alone.
create function agent_version_fields(agent agents) returns jsonb
  language sql stable parallel safe
  return jsonb_build_object(
    'name', agent.name,
    'model', agent.model,
    'fallback_model', agent.fallback_model,
    'provider', agent.provider,
    'system_prompt', agent.system_prompt,
    'temperature', agent.temperature,
    'max_tokens', agent.max_tokens,
    'tools', agent.tools,
    'voice_profile', agent.voice_profile,
    'voice_profile_id', agent.voice_profile_id,
    'output_template', agent.output_template,
    'output_template_id', agent.output_template_id,
    'knowledge_base_ids', agent.knowledge_base_ids,
    'config', agent.config);

insert into agent_versions (workspace_id, agent_id, version, fields, changed_by, created_at)
select a.workspace_id, a.id, 1, agent_version_fields(a), a.created_by, a.updated_at from agents a;

create function count_agent_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger agent_changes
  before update on agents for each row
  when (agent_version_fields(old) is distinct from agent_version_fields(new))
  execute function count_agent_version();

-- As the owner: nobody writes versions otherwise.
create function keep_agent_version() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into agent_versions (workspace_id, agent_id, version, fields, changed_by)
  values (new.workspace_id, new.id, new.version, agent_version_fields(new), current_user_id());
  return null;
end $$;
create trigger agent_created
  after insert on agents for each row execute function keep_agent_version();
create trigger agent_changed
  after update on agents for each row when (old.version <> new.version) execute function keep_agent_version();

alter table agent_versions enable row level security;
create policy tenant on agent_versions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_versions to muster_viewer;

-- changed: the fields in which a version differs from the one before; none in the first.
create view agent_version_records with (security_invoker = true) as
  select
    v.agent_id, v.version, v.changed_by, iso(v.created_at) as created_at,
    (select coalesce(json_agg(f.key order by f.key), '[]')
      from agent_versions before cross join jsonb_each(v.fields) f
      where before.agent_id = v.agent_id and before.version = v.version - 1
        and before.fields -> f.key is distinct from f.value) as changed
  from agent_versions v;
create view agent_version_details with (security_invoker = true) as
  select r.*, v.fields
  from agent_version_records r join agent_versions v on v.agent_id = r.agent_id and v.version = r.version;
grant select on agent_version_records, agent_version_details to muster_viewer;

-- The version that the current attempt runs; null before it begins, and where its agent was changed for one run.
alter table tasks add column agent_version integer;
alter table usage_records add column agent_version integer;

create or replace view agent_records with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.description, a.model, a.fallback_model, a.provider,
    a.system_prompt, a.temperature, a.max_tokens, a.tags, a.tools,
    case
      when exists (select from tasks t where t.assigned_agent_id = a.id
        and t.status in ('running', 'waiting_for_input')) then 'running'
      when (select t.status from tasks t where t.assigned_agent_id = a.id
        and t.completed_at is not null order by t.completed_at desc limit 1) = 'failed' then 'failed'
      else 'idle'
    end as status,
    a.voice_profile, a.voice_profile_id, a.output_template, a.output_template_id,
    a.knowledge_base_ids, a.output_route_ids, a.is_marketplace, a.marketplace_tags, a.install_count,
    a.is_mcp_published, a.is_a2a_published, a.config, a.created_by,
    iso(a.created_at) as created_at, iso(a.updated_at) as updated_at, a.version
  from agents a;

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
    iso(t.completed_at) as completed_at, t.agent_version
  from tasks t;

create or replace view table_api.usage_records with (security_invoker = true) as
  select
    id, workspace_id, task_id, agent_id, team_run_id, attempt, step, provider, model,
    prompt_tokens, completion_tokens, estimated_cost_usd, billing_model, created_at, agent_version
  from public.usage_records;

-- As before, with the version.
create or replace function agent_snapshot(agent agents) returns json
  language sql stable
  return json_build_object(
    'id', agent.id,
    'version', agent.version,
    'name', agent.name,
    'provider', agent.provider,
    'model', agent.model,
    'fallback_model', agent.fallback_model,
    'system_prompt', agent.system_prompt,
    'temperature', agent.temperature,
    'max_tokens', agent.max_tokens,
    'tools', agent.tools,
    'config', agent.config,
    'voice', coalesce(
      (select jsonb_build_object('tone', v.tone, 'custom_instructions', v.custom_instructions,
          'output_format_hints', v.output_format_hints)
        from voice_profiles v
        where v.id = agent.voice_profile_id and v.workspace_id is not distinct from current_workspace_id()),
      agent.voice_profile),
    'template', coalesce(
      (select jsonb_build_object('type', t.type, 'body', t.body)
        from output_templates t
        where t.id = agent.output_template_id and t.workspace_id is not distinct from current_workspace_id()),
      agent.output_template));
