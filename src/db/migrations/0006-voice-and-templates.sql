-- Saved voices and output templates: their records, their limits, and their way into a run.

alter table voice_profiles
  add constraint voice_profiles_length_check
    check (length(custom_instructions) <= 10000 and length(output_format_hints) <= 10000);
alter table output_templates
  add constraint output_templates_length_check check (length(body) between 1 and 100000),
  -- A result may be megabytes long: it is not to be repeated without end.
  add constraint output_templates_results_check
    check (regexp_count(body, '\{\{\s*task_result\s*\}\}') <= 10);

create view voice_profile_records with (security_invoker = true) as
  select v.id, v.workspace_id, v.name, v.tone, v.custom_instructions, v.output_format_hints, v.created_by,
    iso(v.created_at) as created_at, iso(v.updated_at) as updated_at
  from voice_profiles v;

create view output_template_records with (security_invoker = true) as
  select t.id, t.workspace_id, t.name, t.type, t.body, t.created_by,
    iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from output_templates t;

grant select on voice_profile_records, output_template_records to muster_viewer;

-- What a run needs of an agent, as it is now. A saved voice or template that it selected goes before its own.
-- The workspace is checked again because enqueue_run reads past row security, and anyone may make up an agent.
create function agent_snapshot(agent agents) returns json
  language sql stable
  return json_build_object(
    'id', agent.id,
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

create or replace function enqueue_run(task tasks, agent agents, workflow json) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if task.workspace_id is distinct from current_workspace_id() then
    raise exception 'A run belongs to the workspace of its transaction.' using errcode = '42501';
  end if;
  return dbos.enqueue_workflow(
    workflow_name => workflow->>'name',
    queue_name => workflow->>'queue',
    application_name => workflow->>'application',
    app_version => workflow->>'version',
    workflow_id => task.id || '.' || task.attempt,
    queue_partition_key => task.workspace_id::text,
    priority => array_position(array['urgent', 'high', 'medium', 'low'], task.priority),
    positional_args => array[json_build_object(
      'workspaceId', task.workspace_id,
      'taskId', task.id,
      'attempt', task.attempt,
      'title', task.title,
      'description', task.description,
      'conversation', task.conversation,
      'agent', agent_snapshot(agent))]);
end $$;
