-- Agents, provider keys, voices and templates: functions, triggers and views.

create or replace function announce_provider_key_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_provider_keys', coalesce(new.workspace_id, old.workspace_id)::text);
  return null;
end $$;

create or replace trigger provider_keys_changed
  after insert or update or delete on provider_keys
  for each row execute function announce_provider_key_change();

create or replace view voice_profile_records with (security_invoker = true) as
  select v.id, v.workspace_id, v.name, v.tone, v.custom_instructions, v.output_format_hints, v.created_by,
    iso(v.created_at) as created_at, iso(v.updated_at) as updated_at
  from voice_profiles v;
grant select on voice_profile_records to muster_viewer;

create or replace view output_template_records with (security_invoker = true) as
  select t.id, t.workspace_id, t.name, t.type, t.body, t.created_by,
    iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from output_templates t;
grant select on output_template_records to muster_viewer;

-- The tools whose names do not start with one of these prefixes, in their order.
create or replace function tools_without(tools text[], prefixes text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select tool from unnest(tools) with ordinality as t (tool, n)
    where split_part(tool, ':', 1) || ':' <> all (prefixes) order by n);

-- An agent in the form of its export file, without values that are only valid in its workspace. The file contains the
-- content of a saved voice or template.
create or replace view agent_exports with (security_invoker = true) as
  select a.id, json_build_object(
    'name', a.name,
    'description', a.description,
    'model', a.model,
    'fallback_model', a.fallback_model,
    'fallback_models', a.fallback_models,
    'provider', a.provider,
    'system_prompt', a.system_prompt,
    'temperature', a.temperature,
    'max_tokens', a.max_tokens,
    'reasoning', a.reasoning,
    'output_schema', a.output_schema,
    'prompt_caching', a.prompt_caching,
    'tags', a.tags,
    'tools', tools_without(a.tools, '{custom:}'),
    'voice_profile', coalesce(
      (select jsonb_strip_nulls(jsonb_build_object(
          'tone', v.tone,
          'custom_instructions', nullif(v.custom_instructions, ''),
          'output_format_hints', nullif(v.output_format_hints, '')))
        from voice_profiles v where v.id = a.voice_profile_id),
      a.voice_profile),
    'output_template', coalesce(
      (select jsonb_build_object('type', t.type, 'body', t.body)
        from output_templates t where t.id = a.output_template_id),
      a.output_template),
    'marketplace_tags', a.marketplace_tags,
    'config', exported_config(a.workspace_id, a.config),
    'needs_review', a.needs_review) as data
  from agents a;
grant select on agent_exports to muster_viewer;

-- Listed agents of all workspaces, for any workspace. The view has its owner's rights, and row-level security does not
-- apply to the owner. So its columns are all that another workspace can read. They include the name of the publisher's
-- workspace, but no tools that only that workspace has. It has no security barrier: only the service writes statements,
-- and a barrier would prevent the planner from using the two indexes.
create or replace view marketplace_agents as
  select
    a.id, a.name, a.description, a.model, a.provider, a.tags, a.marketplace_tags,
    tools_without(a.tools, '{custom:,mcp:}') as tools,
    a.install_count,
    (select w.name from workspaces w where w.id = a.workspace_id) as publisher,
    a.created_at,
    a.workspace_id = (select current_workspace_id()) as is_own
  from agents a
  where a.is_marketplace and (select current_workspace_id()) is not null;
grant select on marketplace_agents to muster_viewer;

create or replace function delete_marketplace_installs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from marketplace_installs where agent_id = old.id;
  return null;
end $$;

create or replace trigger agent_deleted
  after delete on agents for each row execute function delete_marketplace_installs();

-- Copies a listed agent into the transaction's workspace under the id copy_id, and counts that workspace once. Returns
-- the agent's install count, or null when no such agent is listed. It runs as the owner, who can read the prompt. The
-- lock serializes installs of one agent.
create or replace function install_marketplace_agent(listed_id uuid, copy_id uuid, installed_by uuid) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  total integer;
  -- What exists in the publisher's workspace only.
  own constant text[] := '{custom:,mcp:}';
  -- What a foreign prompt could send the workspace's data by. An approval rule for it stays, for when it is added.
  held constant text[] := '{http_request:,a2a_delegate:,knowledge_search:}';
begin
  select a.install_count into total from agents a
  where a.id = listed_id and a.is_marketplace for no key update;
  if not found then
    return null;
  end if;
  insert into agents (id, workspace_id, created_by, name, description, model, fallback_model, fallback_models,
    provider, system_prompt, temperature, max_tokens, reasoning, output_schema, prompt_caching, tags, tools,
    voice_profile, output_template, marketplace_tags, config, needs_review)
  select copy_id, current_workspace_id(), installed_by, c.name, c.description, c.model, c.fallback_model,
    c.fallback_models, c.provider, c.system_prompt, c.temperature, c.max_tokens, c.reasoning, c.output_schema,
    c.prompt_caching, c.tags, tools_without(c.tools, own || held),
    c.voice_profile, c.output_template, c.marketplace_tags,
    case when jsonb_typeof(c.config->'requires_approval') = 'array' then jsonb_set(c.config, '{requires_approval}',
        to_jsonb(tools_without(array(select jsonb_array_elements_text(c.config->'requires_approval')), own)))
      else c.config end,
    (select a.workspace_id <> current_workspace_id() from agents a where a.id = listed_id)
  from agent_exports e cross join lateral json_populate_record(null::agents, e.data) c
  where e.id = listed_id;
  insert into marketplace_installs (workspace_id, agent_id)
  values (current_workspace_id(), listed_id) on conflict do nothing;
  if found then
    update agents a set install_count = a.install_count + 1 where a.id = listed_id
    returning a.install_count into total;
  end if;
  return total;
end $$;
revoke execute on function install_marketplace_agent from public;
grant execute on function install_marketplace_agent to muster_app;

create or replace view table_api.voice_profiles with (security_invoker = true) as
  select
    id, workspace_id, name, tone, custom_instructions, output_format_hints, created_by, created_at, updated_at
  from public.voice_profiles;
grant select on table_api.voice_profiles to muster_viewer;

create or replace view table_api.output_templates with (security_invoker = true) as
  select id, workspace_id, name, type, body, created_by, created_at, updated_at from public.output_templates;
grant select on table_api.output_templates to muster_viewer;

-- The fields of an agent that affect its runs. For a saved voice or template this is only its id. to_jsonb: lists are
-- compared as text, and those of the first versions were written as jsonb.
create or replace function agent_version_fields(agent agents) returns json
  language sql stable parallel safe
  return json_build_object(
    'name', agent.name,
    'model', agent.model,
    'fallback_models', to_jsonb(agent.fallback_models),
    'provider', agent.provider,
    'system_prompt', agent.system_prompt,
    'temperature', agent.temperature,
    'max_tokens', agent.max_tokens,
    'reasoning', agent.reasoning,
    'output_schema', agent.output_schema,
    'prompt_caching', agent.prompt_caching,
    'tools', to_jsonb(agent.tools),
    'voice_profile', agent.voice_profile,
    'voice_profile_id', agent.voice_profile_id,
    'output_template', agent.output_template,
    'output_template_id', agent.output_template_id,
    'knowledge_base_ids', to_jsonb(agent.knowledge_base_ids),
    'config', agent.config);

create or replace function count_agent_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

create or replace trigger agent_changes
  before update on agents for each row
  when (agent_version_fields(old)::text <> agent_version_fields(new)::text)
  execute function count_agent_version();

-- As the owner, because no other role may write versions.
create or replace function save_agent_version() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if is_moving() then return null; end if;
  insert into agent_versions (workspace_id, agent_id, version, fields, changed_by)
  values (new.workspace_id, new.id, new.version, agent_version_fields(new), current_user_id());
  return null;
end $$;

create or replace trigger agent_created
  after insert on agents for each row execute function save_agent_version();

create or replace trigger agent_changed
  after update on agents for each row when (old.version <> new.version) execute function save_agent_version();

-- changed: the fields that differ from the previous version; empty for the first version.
create or replace view agent_version_records with (security_invoker = true) as
  select
    v.agent_id, v.version, v.changed_by, iso(v.created_at) as created_at,
    (select coalesce(json_agg(f.key order by f.key), '[]')
      from agent_versions before cross join json_each(v.fields) f
      where before.agent_id = v.agent_id and before.version = v.version - 1
        and (before.fields -> f.key)::text is distinct from f.value::text) as changed
  from agent_versions v;
grant select on agent_version_records to muster_viewer;

create or replace view agent_version_details with (security_invoker = true) as
  select r.*, v.fields
  from agent_version_records r join agent_versions v on v.agent_id = r.agent_id and v.version = r.version;
grant select on agent_version_details to muster_viewer;

-- Records of the API. Only this view defines their fields, order and formats.
create or replace view agent_records with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.description, a.model, a.fallback_model, a.fallback_models, a.provider,
    a.system_prompt, a.temperature, a.max_tokens, a.reasoning, a.output_schema, a.prompt_caching, a.tags, a.tools,
    case
      when exists (select from runs t where t.agent_id = a.id and t.source_kind <> 'golden'
        and t.status in ('dispatched', 'running', 'waiting_for_input')) then 'running'
      when exists (select from team_members m join runs r on r.team_id = m.team_id
        where m.agent_id = a.id and r.status in ('running', 'waiting_for_input')) then 'running'
      when (select t.status from runs t where t.agent_id = a.id and t.source_kind <> 'golden'
        and t.completed_at is not null order by t.completed_at desc limit 1) = 'failed' then 'failed'
      else 'idle'
    end as status,
    a.voice_profile, a.voice_profile_id, a.output_template, a.output_template_id,
    a.knowledge_base_ids, a.output_route_ids, a.is_marketplace, a.marketplace_tags, a.install_count,
    a.is_mcp_published, a.is_a2a_published, a.config, a.created_by,
    iso(a.created_at) as created_at, iso(a.updated_at) as updated_at, a.version, a.needs_review
  from agents a;
grant select on agent_records to muster_viewer;

-- Only agent_records derives an agent's status. The planner removes the join when a query does not select the status.
create or replace view table_api.agents with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.description, a.model, a.fallback_model, a.fallback_models, a.provider,
    a.system_prompt, a.temperature, a.max_tokens, a.reasoning, a.output_schema::jsonb as output_schema,
    a.prompt_caching, a.tags, a.tools, r.status,
    a.voice_profile, a.voice_profile_id, a.output_template, a.output_template_id,
    a.knowledge_base_ids, a.output_route_ids, a.is_marketplace, a.marketplace_tags, a.install_count,
    a.is_mcp_published, a.is_a2a_published, a.config, a.created_by, a.created_at, a.updated_at,
    a.needs_review
  from public.agents a left join public.agent_records r on r.id = a.id;
grant select on table_api.agents to muster_viewer;

-- The rows of agents?is_marketplace=eq.true: the workspace's own listed agents, and the public columns of the others.
-- The columns that others do not show are null here, so that no filter and no order reveals them. The barrier keeps the
-- caller's filters, which may fail or take long, from running on agents that are not listed.
create or replace view table_api.listed_agents with (security_invoker = true, security_barrier = true) as
  select
    id, workspace_id, name, description, model, fallback_model, fallback_models, provider, system_prompt,
    temperature, max_tokens, reasoning, output_schema, prompt_caching, tags, tools, status, voice_profile, voice_profile_id, output_template, output_template_id, knowledge_base_ids,
    output_route_ids, is_marketplace, marketplace_tags, install_count, is_mcp_published, is_a2a_published, config,
    created_by, created_at, updated_at, needs_review
  from table_api.agents where is_marketplace
  union all
  select
    id, null, name, description, model, null, null, provider, null,
    null, null, null, null, null, tags, tools, null, null, null, null, null, null,
    null, true, marketplace_tags, install_count, null, null, null,
    null, created_at, null, null
  from public.marketplace_agents where not is_own;
grant select on table_api.listed_agents to muster_viewer;

-- Rejects work for a copy of another workspace's agent that nobody has reviewed. SQLSTATE MQ002 becomes the error
-- conflict.
create or replace function reject_unreviewed(agent agents) returns uuid language plpgsql stable as $$
begin
  raise exception using errcode = 'MQ002', message = format(
    'The agent "%s" is a copy from the marketplace that waits for a review. Read its prompt and tools, then confirm it: '
    'set needs_review to false, or use muster agents confirm %s.', agent.name, agent.id);
end $$;

-- What will start an agent's work rejects one that waits for its review. Argument: the column of the agent.
create or replace function require_reviewed_agent() returns trigger language plpgsql as $$
begin
  if is_moving() then return new; end if;
  perform reject_unreviewed(a) from agents a
  where a.id = (to_jsonb(new)->>tg_argv[0])::uuid and a.needs_review;
  return new;
end $$;

create or replace trigger schedule_agent_reviewed before insert or update of assigned_agent_id on schedules
  for each row when (new.assigned_agent_id is not null) execute function require_reviewed_agent('assigned_agent_id');
create or replace trigger trigger_agent_reviewed before insert or update of assigned_agent_id on triggers
  for each row when (new.assigned_agent_id is not null) execute function require_reviewed_agent('assigned_agent_id');
create or replace trigger trello_agent_reviewed before insert or update of assigned_agent_id on trello_channels
  for each row when (new.assigned_agent_id is not null) execute function require_reviewed_agent('assigned_agent_id');
create or replace trigger member_agent_reviewed before insert or update of agent_id on team_members
  for each row execute function require_reviewed_agent('agent_id');

-- The snapshot of an agent: the copy that a task takes when it is dispatched.
create or replace function agent_snapshot(agent agents) returns json
  language sql stable
  return json_build_object(
    'id', case when agent.needs_review then reject_unreviewed(agent) else agent.id end,
    'version', agent.version,
    'name', agent.name,
    'provider', agent.provider,
    'model', agent.model,
    'fallback_model', agent.fallback_model,
    'fallback_models', agent.fallback_models,
    'system_prompt', agent.system_prompt,
    'temperature', agent.temperature,
    'max_tokens', agent.max_tokens,
    'reasoning', agent.reasoning,
    'output_schema', agent.output_schema,
    'prompt_caching', agent.prompt_caching,
    'tools', agent.tools,
    'knowledge_base_ids', agent.knowledge_base_ids,
    'config', agent.config,
    'workspace_approvals', (select w.approvals from workspaces w where w.id = agent.workspace_id),
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

-- A JSON object with other values for some of its fields; null changes none.
create or replace function changed_fields(given json, changes json) returns json
  language sql immutable
  return (select json_object_agg(field.key, coalesce(changes->field.key, field.value)) from json_each(given) field);

-- The snapshot with other values for some of its fields.
create or replace function changed_agent_snapshot(agent agents, changes jsonb) returns json
  language sql stable
  return changed_fields(agent_snapshot(agent), changes::json);
