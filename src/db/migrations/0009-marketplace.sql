-- What of an agent may leave its workspace: as a file (export), and through the marketplace, which
-- shows listed agents to every workspace and copies them into those that install them.
--
-- Row security stays as it is: no workspace reads another's agents. Two things owned by the service
-- reach across the wall, and no more than they must: a view with the public columns of listed
-- agents (never the prompt, voice, template or config), and a function that copies one listed agent
-- into the workspace of the transaction.

-- Tools whose names do not begin with one of these prefixes, in their order.
create function tools_without(tools text[], prefixes text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select tool from unnest(tools) with ordinality as t (tool, n)
    where split_part(tool, ':', 1) || ':' <> all (prefixes) order by n);

-- An agent as its export file holds it: what it is, and nothing that only means something in its
-- workspace. A saved voice or template goes along as its content.
create view agent_exports with (security_invoker = true) as
  select a.id, json_build_object(
    'name', a.name,
    'description', a.description,
    'model', a.model,
    'fallback_model', a.fallback_model,
    'provider', a.provider,
    'system_prompt', a.system_prompt,
    'temperature', a.temperature,
    'max_tokens', a.max_tokens,
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
    'config', a.config) as data
  from agents a;

grant select on agent_exports to muster_viewer;

-- The order of the marketplace: newest first, or most installed first.
create index agents_marketplace_newest_idx on agents (created_at desc, id desc) where is_marketplace;
create index agents_marketplace_installs_idx on agents (install_count desc, id desc) where is_marketplace;

-- Listed agents of all workspaces, for any workspace. It has the rights of its owner, who is past
-- the wall, so its columns are all that another workspace can learn. The name of the publisher's
-- workspace is among them; tools that only that workspace has are not.
-- No security barrier: nobody but the service writes statements, and a barrier would keep the
-- planner from the two indexes.
create view marketplace_agents as
  select
    a.id, a.name, a.description, a.model, a.provider, a.tags, a.marketplace_tags,
    tools_without(a.tools, '{custom:,mcp:}') as tools,
    a.install_count,
    (select w.name from workspaces w where w.id = a.workspace_id) as publisher,
    a.created_at
  from agents a
  where a.is_marketplace and (select current_workspace_id()) is not null;

grant select on marketplace_agents to muster_viewer;

-- Which workspace has installed which agent: a workspace counts once. The agent belongs to another
-- workspace, so a trigger stands in for the reference.
create table marketplace_installs (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  installed_at timestamptz not null default now(),
  primary key (workspace_id, agent_id)
);
create index marketplace_installs_agent_idx on marketplace_installs (agent_id);

create function forget_marketplace_installs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from marketplace_installs where agent_id = old.id;
  return null;
end $$;
create trigger agent_unpublished
  after delete on agents for each row execute function forget_marketplace_installs();

alter table marketplace_installs enable row level security;
create policy tenant on marketplace_installs
  using (workspace_id is not distinct from (select current_workspace_id()));
grant select on marketplace_installs to muster_viewer;

-- Copies a listed agent into the workspace of the transaction under the id copy_id, and counts that
-- workspace once. Returns the agent's count, or null when no such agent is listed. It runs as the
-- owner, who can read the prompt; the lock makes installs of one agent follow each other.
create function install_marketplace_agent(listed_id uuid, copy_id uuid, installed_by uuid) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  total integer;
begin
  select a.install_count into total from agents a
  where a.id = listed_id and a.is_marketplace for no key update;
  if not found then
    return null;
  end if;
  insert into agents (id, workspace_id, created_by, name, description, model, fallback_model, provider,
    system_prompt, temperature, max_tokens, tags, tools, voice_profile, output_template, marketplace_tags, config)
  select copy_id, current_workspace_id(), installed_by, c.name, c.description, c.model, c.fallback_model, c.provider,
    c.system_prompt, c.temperature, c.max_tokens, c.tags, tools_without(c.tools, '{custom:,mcp:}'),
    c.voice_profile, c.output_template, c.marketplace_tags, c.config
  from agent_exports e cross join lateral jsonb_populate_record(null::agents, e.data::jsonb) c
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
