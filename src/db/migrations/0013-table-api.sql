-- What the table API shows: one view per table with the columns, the names and the types that its
-- callers see. What is not in a view cannot be named there, secrets before all. The views run as
-- their caller, so that row security and grants are those of the tables.

create schema table_api;

-- An agent's status is derived in agent_records alone; that join goes away where nobody asks for it.
create view table_api.agents with (security_invoker = true) as
  select
    a.id, a.workspace_id, a.name, a.description, a.model, a.fallback_model, a.provider, a.system_prompt,
    a.temperature, a.max_tokens, a.tags, a.tools, r.status,
    a.voice_profile, a.voice_profile_id, a.output_template, a.output_template_id,
    a.knowledge_base_ids, a.output_route_ids, a.is_marketplace, a.marketplace_tags, a.install_count,
    a.is_mcp_published, a.is_a2a_published, a.config, a.created_by, a.created_at, a.updated_at
  from public.agents a left join public.agent_records r on r.id = a.id;

create view table_api.tasks with (security_invoker = true) as
  select
    id, workspace_id, title, description, priority, status, assigned_agent_id as agent_id,
    assigned_team_id, team_run_id, metadata, result, error, interaction, attempt, scheduled_for,
    created_by, created_at, updated_at, dispatched_at, started_at, completed_at
  from public.tasks;

create view table_api.usage_records with (security_invoker = true) as
  select
    id, workspace_id, task_id, agent_id, team_run_id, attempt, step, provider, model,
    prompt_tokens, completion_tokens, estimated_cost_usd, billing_model, created_at
  from public.usage_records;

create view table_api.teams with (security_invoker = true) as
  select
    id, workspace_id, name, description, mode, config, output_route_ids, is_marketplace,
    created_by, created_at, updated_at
  from public.teams;

create view table_api.team_members with (security_invoker = true) as
  select id, workspace_id, team_id, agent_id, role, position, config, created_at from public.team_members;

create view table_api.team_runs with (security_invoker = true) as
  select
    id, workspace_id, team_id, task_id, status, input_task, output, error, interaction, current_step_idx,
    attempt, created_by, created_at, updated_at, started_at, completed_at
  from public.team_runs;

create view table_api.team_messages with (security_invoker = true) as
  select
    id, workspace_id, run_id, sender_agent_id, receiver_agent_id, message_type, content, metadata,
    step_idx, tokens_used, created_at
  from public.team_messages;

create view table_api.voice_profiles with (security_invoker = true) as
  select
    id, workspace_id, name, tone, custom_instructions, output_format_hints, created_by, created_at, updated_at
  from public.voice_profiles;

create view table_api.output_templates with (security_invoker = true) as
  select id, workspace_id, name, type, body, created_by, created_at, updated_at from public.output_templates;

create view table_api.webhook_subscriptions with (security_invoker = true) as
  select id, workspace_id, target_url, event, agent_id, team_id, is_active, created_by, created_at
  from public.webhook_subscriptions;

grant usage on schema table_api to muster_viewer;
grant select on all tables in schema table_api to muster_viewer;
