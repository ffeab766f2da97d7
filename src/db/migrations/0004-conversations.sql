-- A task that is a conversation: what its user and its agent have said so far, as
-- [{id?, role: user | assistant, content}]. Null for a task that consists of title and description.
alter table tasks add column conversation jsonb;

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
      'agent', json_build_object(
        'id', agent.id,
        'name', agent.name,
        'provider', agent.provider,
        'model', agent.model,
        'fallback_model', agent.fallback_model,
        'system_prompt', agent.system_prompt,
        'temperature', agent.temperature,
        'max_tokens', agent.max_tokens,
        'tools', agent.tools,
        'config', agent.config))]);
end $$;
