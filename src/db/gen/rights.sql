grant delete on agent_pages to muster_admin
grant delete on agents to muster_app
grant delete on alerts to muster_app
grant delete on api_keys to muster_admin
grant delete on budgets to muster_admin
grant delete on custom_tools to muster_admin
grant delete on feedback to muster_app
grant delete on feedback to muster_reach_app
grant delete on files to muster_app
grant delete on files to muster_reach_app
grant delete on golden_cases to muster_app
grant delete on golden_runs to muster_app
grant delete on google_connections to muster_admin
grant delete on invitations to muster_admin
grant delete on jobs to muster_app
grant delete on jobs to muster_reach_app
grant delete on knowledge_bases to muster_app
grant delete on knowledge_documents to muster_app
grant delete on mcp_account_tools to muster_app
grant delete on mcp_accounts to muster_app
grant delete on mcp_servers to muster_admin
grant delete on mcp_tools to muster_app
grant delete on members to muster_admin
grant delete on output_routes to muster_admin
grant delete on output_templates to muster_app
grant delete on passage_embeddings to muster_app
grant delete on passages to muster_app
grant delete on provider_keys to muster_admin
grant delete on push_configs to muster_app
grant delete on push_configs to muster_reach_app
grant delete on remote_agents to muster_admin
grant delete on runs to muster_app
grant delete on runs to muster_reach_app
grant delete on schedules to muster_app
grant delete on task_streams to muster_app
grant delete on task_streams to muster_reach_app
grant delete on tasks to muster_app
grant delete on tasks to muster_reach_app
grant delete on team_members to muster_app
grant delete on team_memories to muster_app
grant delete on team_runs to muster_app
grant delete on team_runs to muster_reach_app
grant delete on teams to muster_app
grant delete on trello_channels to muster_admin
grant delete on triggers to muster_app
grant delete on voice_profiles to muster_app
grant delete on webhook_subscriptions to muster_app
grant execute on function agents_of_reached_team(uuid,jsonb) to muster_reach_viewer
grant execute on function agents_of_reached_team(uuid,jsonb) to muster_viewer
grant execute on function asked_members(uuid,json) to muster_reach_viewer
grant execute on function asked_members(uuid,json) to muster_viewer
grant execute on function audit_export(text,uuid,text) to muster_viewer
grant execute on function create_service_account(uuid,uuid,text,text,text) to muster_admin
grant execute on function edit_posted_question(uuid) to muster_app
grant execute on function edit_posted_question(uuid) to muster_reach_app
grant execute on function end_member_sessions(uuid) to muster_admin
grant execute on function exported_config(uuid,jsonb) to muster_viewer
grant execute on function find_costly(numeric,integer) to muster_reach_viewer
grant execute on function find_costly(numeric,integer) to muster_viewer
grant execute on function find_titles(tsquery,integer,timestamp with time zone,uuid) to muster_reach_viewer
grant execute on function find_titles(tsquery,integer,timestamp with time zone,uuid) to muster_viewer
grant execute on function former_name(uuid) to muster_reach_viewer
grant execute on function former_name(uuid) to muster_viewer
grant execute on function golden_agent(runs,agents) to muster_reach_viewer
grant execute on function golden_agent(runs,agents) to muster_viewer
grant execute on function golden_gate_fault(agents) to muster_viewer
grant execute on function golden_input(runs) to muster_reach_viewer
grant execute on function golden_input(runs) to muster_viewer
grant execute on function index_pending_passages() to muster_app
grant execute on function install_marketplace_agent(uuid,uuid,uuid) to muster_app
grant execute on function is_moving() to muster_reach_viewer
grant execute on function is_moving() to muster_viewer
grant execute on function lock_custom_tools(uuid[]) to muster_app
grant execute on function lock_mcp_servers(text[]) to muster_app
grant execute on function note_answered(uuid) to muster_app
grant execute on function note_taken_up(uuid,uuid,integer) to muster_app
grant execute on function question_voters(task_questions,integer) to muster_reach_viewer
grant execute on function question_voters(task_questions,integer) to muster_viewer
grant execute on function search_passages(text,uuid[],uuid[],integer) to muster_viewer
grant execute on function voter_name(uuid) to muster_reach_viewer
grant execute on function voter_name(uuid) to muster_viewer
grant insert on a2a_messages to muster_app
grant insert on a2a_messages to muster_reach_app
grant insert on agent_pages to muster_admin
grant insert on agent_threads to muster_app
grant insert on agent_threads to muster_reach_app
grant insert on agents to muster_app
grant insert on alerts to muster_app
grant insert on answer_links to muster_app
grant insert on api_keys to muster_admin
grant insert on approved_tools to muster_app
grant insert on approved_tools to muster_reach_app
grant insert on budget_windows to muster_admin
grant insert on budgets to muster_app
grant insert on budgets to muster_reach_app
grant insert on card_mappings to muster_app
grant insert on channel_messages to muster_app
grant insert on custom_tool_calls to muster_app
grant insert on custom_tools to muster_admin
grant insert on deliveries to muster_app
grant insert on delivery_events to muster_app
grant insert on feedback to muster_app
grant insert on feedback to muster_reach_app
grant insert on files to muster_app
grant insert on files to muster_reach_app
grant insert on golden_cases to muster_app
grant insert on golden_gates to muster_admin
grant insert on golden_results to muster_app
grant insert on golden_runs to muster_app
grant insert on idempotent_answers to muster_app
grant insert on idempotent_answers to muster_reach_app
grant insert on invitations to muster_admin
grant insert on jobs to muster_app
grant insert on jobs to muster_reach_app
grant insert on knowledge_bases to muster_app
grant insert on knowledge_documents to muster_app
grant insert on mcp_account_tools to muster_app
grant insert on mcp_accounts to muster_app
grant insert on mcp_servers to muster_admin
grant insert on mcp_sign_ins to muster_app
grant insert on mcp_tools to muster_app
grant insert on oauth_states to muster_admin
grant insert on output_routes to muster_admin
grant insert on output_templates to muster_app
grant insert on passage_embeddings to muster_app
grant insert on passages to muster_app
grant insert on provider_keys to muster_admin
grant insert on push_configs to muster_app
grant insert on push_configs to muster_reach_app
grant insert on question_votes to muster_app
grant insert on question_votes to muster_reach_app
grant insert on remote_agents to muster_admin
grant insert on remote_calls to muster_app
grant insert on run_executions to muster_app
grant insert on run_executions to muster_reach_app
grant insert on run_links to muster_app
grant insert on run_steps to muster_app
grant insert on run_steps to muster_reach_app
grant insert on runs to muster_app
grant insert on runs to muster_reach_app
grant insert on schedule_fires to muster_app
grant insert on schedules to muster_app
grant insert on task_events to muster_app
grant insert on task_events to muster_reach_app
grant insert on task_streams to muster_app
grant insert on task_streams to muster_reach_app
grant insert on tasks to muster_app
grant insert on tasks to muster_reach_app
grant insert on team_members to muster_app
grant insert on team_messages to muster_app
grant insert on team_messages to muster_reach_app
grant insert on team_runs to muster_app
grant insert on team_runs to muster_reach_app
grant insert on teams to muster_app
grant insert on trello_channels to muster_admin
grant insert on trigger_deliveries to muster_app
grant insert on triggers to muster_app
grant insert on voice_profiles to muster_app
grant insert on webhook_subscriptions to muster_app
grant select (agent_id) on agent_pages to muster_viewer
grant select (agent_id) on output_routes to muster_viewer
grant select (agent_id) on webhook_subscriptions to muster_viewer
grant select (agents) on api_keys to muster_viewer
grant select (allowed_user_ids) on output_routes to muster_viewer
grant select (api) on provider_keys to muster_viewer
grant select (app) on api_keys to muster_viewer
grant select (assigned_agent_id) on trello_channels to muster_viewer
grant select (assigned_agent_id) on triggers to muster_viewer
grant select (assigned_team_id) on trello_channels to muster_viewer
grant select (assigned_team_id) on triggers to muster_viewer
grant select (attempt) on jobs to muster_viewer
grant select (attempt) on run_links to muster_viewer
grant select (auth_scheme) on push_configs to muster_viewer
grant select (base_url) on provider_keys to muster_viewer
grant select (base_url) on remote_agents to muster_viewer
grant select (billing_model) on provider_keys to muster_viewer
grant select (card) on remote_agents to muster_viewer
grant select (card_error) on remote_agents to muster_viewer
grant select (card_fetched_at) on remote_agents to muster_viewer
grant select (claimed_at) on jobs to muster_viewer
grant select (claimed_by) on jobs to muster_viewer
grant select (config) on output_routes to muster_viewer
grant select (connected_by) on google_connections to muster_viewer
grant select (connected_by) on mcp_accounts to muster_viewer
grant select (created_at) on agent_pages to muster_viewer
grant select (created_at) on answer_links to muster_viewer
grant select (created_at) on api_keys to muster_viewer
grant select (created_at) on custom_tools to muster_viewer
grant select (created_at) on google_connections to muster_viewer
grant select (created_at) on idempotent_answers to muster_viewer
grant select (created_at) on invitations to muster_viewer
grant select (created_at) on mcp_accounts to muster_viewer
grant select (created_at) on mcp_servers to muster_viewer
grant select (created_at) on output_routes to muster_viewer
grant select (created_at) on provider_keys to muster_viewer
grant select (created_at) on push_configs to muster_viewer
grant select (created_at) on remote_agents to muster_viewer
grant select (created_at) on run_links to muster_viewer
grant select (created_at) on trello_channels to muster_viewer
grant select (created_at) on triggers to muster_viewer
grant select (created_at) on users to muster_reach_viewer
grant select (created_at) on users to muster_viewer
grant select (created_at) on webhook_subscriptions to muster_viewer
grant select (created_by) on agent_pages to muster_viewer
grant select (created_by) on answer_links to muster_viewer
grant select (created_by) on api_keys to muster_viewer
grant select (created_by) on custom_tools to muster_viewer
grant select (created_by) on mcp_servers to muster_viewer
grant select (created_by) on output_routes to muster_viewer
grant select (created_by) on remote_agents to muster_viewer
grant select (created_by) on run_links to muster_viewer
grant select (created_by) on trello_channels to muster_viewer
grant select (created_by) on triggers to muster_viewer
grant select (created_by) on webhook_subscriptions to muster_viewer
grant select (description) on custom_tools to muster_viewer
grant select (description) on triggers to muster_viewer
grant select (email) on google_connections to muster_viewer
grant select (email) on invitations to muster_viewer
grant select (email) on users to muster_reach_viewer
grant select (email) on users to muster_viewer
grant select (error) on google_connections to muster_viewer
grant select (error) on mcp_accounts to muster_viewer
grant select (event) on webhook_subscriptions to muster_viewer
grant select (events) on output_routes to muster_viewer
grant select (expires_at) on answer_links to muster_viewer
grant select (expires_at) on api_keys to muster_viewer
grant select (expires_at) on google_connections to muster_viewer
grant select (expires_at) on invitations to muster_viewer
grant select (expires_at) on mcp_accounts to muster_viewer
grant select (expires_at) on mcp_sign_ins to muster_viewer
grant select (expires_at) on oauth_states to muster_viewer
grant select (expires_at) on run_links to muster_viewer
grant select (failures_in_row) on output_routes to muster_viewer
grant select (fence) on jobs to muster_viewer
grant select (generation) on agent_pages to muster_viewer
grant select (greeting) on agent_pages to muster_viewer
grant select (has_code) on agent_pages to muster_viewer
grant select (has_secret) on triggers to muster_viewer
grant select (has_token) on remote_agents to muster_viewer
grant select (headers_shown) on custom_tools to muster_viewer
grant select (headers_shown) on mcp_servers to muster_viewer
grant select (health) on output_routes to muster_viewer
grant select (host) on output_routes to muster_viewer
grant select (id) on agent_pages to muster_reach_viewer
grant select (id) on agent_pages to muster_viewer
grant select (id) on answer_links to muster_viewer
grant select (id) on api_keys to muster_reach_viewer
grant select (id) on api_keys to muster_viewer
grant select (id) on custom_tools to muster_viewer
grant select (id) on google_connections to muster_viewer
grant select (id) on invitations to muster_viewer
grant select (id) on jobs to muster_viewer
grant select (id) on mcp_accounts to muster_viewer
grant select (id) on mcp_servers to muster_viewer
grant select (id) on mcp_sign_ins to muster_viewer
grant select (id) on oauth_states to muster_viewer
grant select (id) on output_routes to muster_reach_viewer
grant select (id) on output_routes to muster_viewer
grant select (id) on push_configs to muster_viewer
grant select (id) on remote_agents to muster_viewer
grant select (id) on run_links to muster_viewer
grant select (id) on schedules to muster_reach_viewer
grant select (id) on trello_channels to muster_viewer
grant select (id) on triggers to muster_reach_viewer
grant select (id) on triggers to muster_viewer
grant select (id) on users to muster_reach_viewer
grant select (id) on users to muster_viewer
grant select (id) on webhook_subscriptions to muster_viewer
grant select (info) on mcp_servers to muster_viewer
grant select (interaction_id) on answer_links to muster_viewer
grant select (invited_by) on invitations to muster_viewer
grant select (is_active) on output_routes to muster_viewer
grant select (is_active) on trello_channels to muster_viewer
grant select (is_active) on triggers to muster_viewer
grant select (is_active) on webhook_subscriptions to muster_viewer
grant select (is_enabled) on mcp_servers to muster_viewer
grant select (is_enabled) on remote_agents to muster_viewer
grant select (is_on) on agent_pages to muster_viewer
grant select (key) on idempotent_answers to muster_viewer
grant select (kind) on api_keys to muster_viewer
grant select (kind) on jobs to muster_viewer
grant select (kind) on output_routes to muster_viewer
grant select (label) on api_keys to muster_reach_viewer
grant select (label) on api_keys to muster_viewer
grant select (lane) on jobs to muster_viewer
grant select (last4) on provider_keys to muster_viewer
grant select (last_error) on mcp_servers to muster_viewer
grant select (last_failure_at) on output_routes to muster_viewer
grant select (last_success_at) on output_routes to muster_viewer
grant select (last_used_at) on api_keys to muster_viewer
grant select (limits) on agent_pages to muster_viewer
grant select (list_id) on trello_channels to muster_viewer
grant select (members) on output_routes to muster_viewer
grant select (messages_per_minute) on output_routes to muster_viewer
grant select (metadata) on triggers to muster_viewer
grant select (method) on custom_tools to muster_viewer
grant select (name) on custom_tools to muster_viewer
grant select (name) on mcp_accounts to muster_viewer
grant select (name) on mcp_servers to muster_viewer
grant select (name) on output_routes to muster_reach_viewer
grant select (name) on output_routes to muster_viewer
grant select (name) on push_configs to muster_viewer
grant select (name) on schedules to muster_reach_viewer
grant select (name) on trello_channels to muster_viewer
grant select (name) on triggers to muster_reach_viewer
grant select (name) on triggers to muster_viewer
grant select (name) on users to muster_reach_viewer
grant select (name) on users to muster_viewer
grant select (networks) on api_keys to muster_viewer
grant select (oauth) on mcp_servers to muster_viewer
grant select (on_change) on mcp_servers to muster_viewer
grant select (origins) on agent_pages to muster_viewer
grant select (parameters) on custom_tools to muster_viewer
grant select (prefix) on api_keys to muster_viewer
grant select (priority) on jobs to muster_viewer
grant select (priority) on trello_channels to muster_viewer
grant select (priority) on triggers to muster_viewer
grant select (project) on provider_keys to muster_viewer
grant select (prompts) on agent_pages to muster_viewer
grant select (provider) on provider_keys to muster_viewer
grant select (region) on provider_keys to muster_viewer
grant select (reject_repeats) on triggers to muster_viewer
grant select (replaced_by) on api_keys to muster_viewer
grant select (resource) on provider_keys to muster_viewer
grant select (retry_delays) on output_routes to muster_viewer
grant select (revoked_at) on answer_links to muster_viewer
grant select (revoked_at) on run_links to muster_viewer
grant select (role) on invitations to muster_viewer
grant select (route_id) on answer_links to muster_viewer
grant select (run_at) on jobs to muster_viewer
grant select (run_id) on run_links to muster_viewer
grant select (scope) on mcp_accounts to muster_viewer
grant select (scopes) on api_keys to muster_viewer
grant select (secret_ciphertext) on webhook_subscriptions to muster_app
grant select (server_id) on mcp_accounts to muster_viewer
grant select (server_id) on mcp_sign_ins to muster_viewer
grant select (shows_cost) on run_links to muster_viewer
grant select (shows_steps) on run_links to muster_viewer
grant select (slug) on agent_pages to muster_viewer
grant select (state) on jobs to muster_viewer
grant select (status) on google_connections to muster_viewer
grant select (status) on mcp_accounts to muster_viewer
grant select (subject_id) on answer_links to muster_viewer
grant select (subject_id) on jobs to muster_viewer
grant select (surfaces) on api_keys to muster_viewer
grant select (suspicion) on jobs to muster_viewer
grant select (takes_files) on agent_pages to muster_viewer
grant select (target_url) on webhook_subscriptions to muster_viewer
grant select (task_id) on push_configs to muster_viewer
grant select (team_id) on webhook_subscriptions to muster_viewer
grant select (teams) on api_keys to muster_viewer
grant select (timeout_ms) on custom_tools to muster_viewer
grant select (timeout_ms) on mcp_servers to muster_viewer
grant select (title) on agent_pages to muster_reach_viewer
grant select (title) on agent_pages to muster_viewer
grant select (title) on triggers to muster_viewer
grant select (token_prefix) on triggers to muster_viewer
grant select (tools_fetched_at) on mcp_servers to muster_viewer
grant select (type) on output_routes to muster_viewer
grant select (updated_at) on agent_pages to muster_viewer
grant select (updated_at) on custom_tools to muster_viewer
grant select (updated_at) on google_connections to muster_viewer
grant select (updated_at) on mcp_accounts to muster_viewer
grant select (updated_at) on mcp_servers to muster_viewer
grant select (updated_at) on output_routes to muster_viewer
grant select (updated_at) on provider_keys to muster_viewer
grant select (updated_at) on remote_agents to muster_viewer
grant select (updated_at) on triggers to muster_viewer
grant select (updated_at) on users to muster_reach_viewer
grant select (updated_at) on users to muster_viewer
grant select (url) on custom_tools to muster_viewer
grant select (url) on mcp_servers to muster_viewer
grant select (url) on push_configs to muster_viewer
grant select (user_id) on mcp_accounts to muster_viewer
grant select (user_id) on mcp_sign_ins to muster_viewer
grant select (user_id) on oauth_states to muster_viewer
grant select (version) on push_configs to muster_viewer
grant select (workspace_id) on agent_pages to muster_viewer
grant select (workspace_id) on answer_links to muster_viewer
grant select (workspace_id) on api_keys to muster_viewer
grant select (workspace_id) on custom_tools to muster_viewer
grant select (workspace_id) on google_connections to muster_viewer
grant select (workspace_id) on idempotent_answers to muster_viewer
grant select (workspace_id) on invitations to muster_viewer
grant select (workspace_id) on jobs to muster_viewer
grant select (workspace_id) on mcp_accounts to muster_viewer
grant select (workspace_id) on mcp_servers to muster_viewer
grant select (workspace_id) on mcp_sign_ins to muster_viewer
grant select (workspace_id) on oauth_states to muster_viewer
grant select (workspace_id) on output_routes to muster_viewer
grant select (workspace_id) on provider_keys to muster_viewer
grant select (workspace_id) on push_configs to muster_viewer
grant select (workspace_id) on remote_agents to muster_viewer
grant select (workspace_id) on run_links to muster_viewer
grant select (workspace_id) on trello_channels to muster_viewer
grant select (workspace_id) on triggers to muster_viewer
grant select (workspace_id) on webhook_subscriptions to muster_viewer
grant select on a2a_messages to muster_reach_viewer
grant select on a2a_messages to muster_viewer
grant select on agent_exports to muster_viewer
grant select on agent_records to muster_reach_viewer
grant select on agent_records to muster_viewer
grant select on agent_threads to muster_reach_viewer
grant select on agent_threads to muster_viewer
grant select on agent_version_details to muster_reach_viewer
grant select on agent_version_details to muster_viewer
grant select on agent_version_records to muster_reach_viewer
grant select on agent_version_records to muster_viewer
grant select on agent_versions to muster_reach_viewer
grant select on agent_versions to muster_viewer
grant select on agents to muster_app
grant select on agents to muster_reach_viewer
grant select on agents to muster_viewer
grant select on alert_records to muster_viewer
grant select on alerts to muster_viewer
grant select on api_keys to muster_admin
grant select on approved_tools to muster_reach_viewer
grant select on approved_tools to muster_viewer
grant select on audit_log to muster_admin
grant select on budget_extensions to muster_reach_viewer
grant select on budget_extensions to muster_viewer
grant select on budget_records to muster_reach_viewer
grant select on budget_records to muster_viewer
grant select on budget_reservations to muster_viewer
grant select on budget_windows to muster_reach_viewer
grant select on budget_windows to muster_viewer
grant select on budgets to muster_reach_viewer
grant select on budgets to muster_viewer
grant select on card_mappings to muster_viewer
grant select on channel_messages to muster_viewer
grant select on closed_questions to muster_reach_viewer
grant select on closed_questions to muster_viewer
grant select on custom_tool_call_records to muster_viewer
grant select on custom_tool_calls to muster_viewer
grant select on custom_tool_records to muster_viewer
grant select on custom_tools to muster_app
grant select on deliveries to muster_viewer
grant select on delivery_attempts to muster_viewer
grant select on delivery_details to muster_viewer
grant select on delivery_events to muster_viewer
grant select on delivery_records to muster_viewer
grant select on feedback to muster_reach_viewer
grant select on feedback to muster_viewer
grant select on file_records to muster_reach_viewer
grant select on file_records to muster_viewer
grant select on files to muster_reach_viewer
grant select on files to muster_viewer
grant select on golden_case_details to muster_viewer
grant select on golden_case_records to muster_viewer
grant select on golden_cases to muster_viewer
grant select on golden_gates to muster_viewer
grant select on golden_results to muster_viewer
grant select on golden_run_details to muster_viewer
grant select on golden_run_records to muster_viewer
grant select on golden_runs to muster_viewer
grant select on google_connection_records to muster_viewer
grant select on idempotent_answers to muster_app
grant select on idempotent_answers to muster_reach_app
grant select on jobs to muster_app
grant select on jobs to muster_reach_app
grant select on knowledge_base_records to muster_viewer
grant select on knowledge_bases to muster_viewer
grant select on knowledge_document_records to muster_viewer
grant select on knowledge_documents to muster_viewer
grant select on listed_mcp_tools to muster_viewer
grant select on live_viewers to muster_viewer
grant select on marketplace_agents to muster_viewer
grant select on marketplace_installs to muster_viewer
grant select on mcp_account_records to muster_viewer
grant select on mcp_account_tools to muster_viewer
grant select on mcp_server_records to muster_viewer
grant select on mcp_servers to muster_app
grant select on mcp_tools to muster_viewer
grant select on members to muster_admin
grant select on members to muster_app
grant select on members to muster_reach_viewer
grant select on members to muster_viewer
grant select on model_gate_waits to muster_reach_viewer
grant select on model_gate_waits to muster_viewer
grant select on output_route_records to muster_viewer
grant select on output_routes to muster_admin
grant select on output_template_records to muster_viewer
grant select on output_templates to muster_reach_viewer
grant select on output_templates to muster_viewer
grant select on passage_embeddings to muster_viewer
grant select on passages to muster_viewer
grant select on period_sums to muster_viewer
grant select on period_totals to muster_viewer
grant select on plan_quotas to muster_viewer
grant select on provider_keys to muster_admin
grant select on provider_keys to muster_app
grant select on push_configs to muster_app
grant select on push_configs to muster_reach_app
grant select on push_receivers to muster_viewer
grant select on question_votes to muster_reach_viewer
grant select on question_votes to muster_viewer
grant select on remote_agent_records to muster_viewer
grant select on remote_agents to muster_app
grant select on remote_calls to muster_viewer
grant select on request_counts to muster_viewer
grant select on run_ends to muster_viewer
grant select on run_executions to muster_reach_viewer
grant select on run_executions to muster_viewer
grant select on run_steps to muster_reach_viewer
grant select on run_steps to muster_viewer
grant select on runs to muster_app
grant select on runs to muster_reach_viewer
grant select on runs to muster_viewer
grant select on schedule_fire_records to muster_viewer
grant select on schedule_fires to muster_viewer
grant select on schedule_records to muster_viewer
grant select on schedules to muster_viewer
grant select on service_accounts to muster_viewer
grant select on stored_changes to muster_viewer
grant select on stored_totals to muster_viewer
grant select on table_api.agents to muster_reach_viewer
grant select on table_api.agents to muster_viewer
grant select on table_api.delivery_logs to muster_viewer
grant select on table_api.listed_agents to muster_viewer
grant select on table_api.output_routes to muster_viewer
grant select on table_api.output_templates to muster_reach_viewer
grant select on table_api.output_templates to muster_viewer
grant select on table_api.remote_agents to muster_viewer
grant select on table_api.tasks to muster_reach_viewer
grant select on table_api.tasks to muster_viewer
grant select on table_api.team_delegations to muster_reach_viewer
grant select on table_api.team_delegations to muster_viewer
grant select on table_api.team_members to muster_reach_viewer
grant select on table_api.team_members to muster_viewer
grant select on table_api.team_messages to muster_reach_viewer
grant select on table_api.team_messages to muster_viewer
grant select on table_api.team_runs to muster_reach_viewer
grant select on table_api.team_runs to muster_viewer
grant select on table_api.teams to muster_reach_viewer
grant select on table_api.teams to muster_viewer
grant select on table_api.usage_records to muster_reach_viewer
grant select on table_api.usage_records to muster_viewer
grant select on table_api.voice_profiles to muster_reach_viewer
grant select on table_api.voice_profiles to muster_viewer
grant select on table_api.webhook_subscriptions to muster_viewer
grant select on task_event_pages to muster_reach_viewer
grant select on task_event_pages to muster_viewer
grant select on task_events to muster_app
grant select on task_events to muster_reach_viewer
grant select on task_events to muster_viewer
grant select on task_log to muster_reach_viewer
grant select on task_log to muster_viewer
grant select on task_questions to muster_reach_viewer
grant select on task_questions to muster_viewer
grant select on task_records to muster_reach_viewer
grant select on task_records to muster_viewer
grant select on task_streams to muster_app
grant select on task_streams to muster_reach_viewer
grant select on task_streams to muster_viewer
grant select on tasks to muster_app
grant select on tasks to muster_reach_viewer
grant select on tasks to muster_viewer
grant select on team_delegations to muster_reach_viewer
grant select on team_delegations to muster_viewer
grant select on team_members to muster_reach_viewer
grant select on team_members to muster_viewer
grant select on team_memories to muster_reach_viewer
grant select on team_memories to muster_viewer
grant select on team_memory_records to muster_reach_viewer
grant select on team_memory_records to muster_viewer
grant select on team_messages to muster_reach_viewer
grant select on team_messages to muster_viewer
grant select on team_records to muster_reach_viewer
grant select on team_records to muster_viewer
grant select on team_run_details to muster_reach_viewer
grant select on team_run_details to muster_viewer
grant select on team_run_records to muster_reach_viewer
grant select on team_run_records to muster_viewer
grant select on team_runs to muster_reach_viewer
grant select on team_runs to muster_viewer
grant select on teams to muster_reach_viewer
grant select on teams to muster_viewer
grant select on trace_exports to muster_viewer
grant select on trello_channel_records to muster_viewer
grant select on trigger_deliveries to muster_viewer
grant select on trigger_delivery_records to muster_viewer
grant select on trigger_records to muster_viewer
grant select on unsummed_periods to muster_viewer
grant select on usage_by_day to muster_viewer
grant select on usage_days to muster_viewer
grant select on usage_records to muster_app
grant select on usage_records to muster_reach_viewer
grant select on usage_records to muster_viewer
grant select on usage_sums to muster_viewer
grant select on voice_profile_records to muster_viewer
grant select on voice_profiles to muster_reach_viewer
grant select on voice_profiles to muster_viewer
grant select on webhook_subscription_records to muster_viewer
grant select on workspace_quotas to muster_viewer
grant select on workspace_slugs to muster_viewer
grant select on workspaces to muster_app
grant select on workspaces to muster_reach_viewer
grant select on workspaces to muster_viewer
grant update (agents) on api_keys to muster_admin
grant update (answer) on closed_questions to muster_app
grant update (answer) on closed_questions to muster_reach_app
grant update (answer_links) on workspaces to muster_admin
grant update (answered_by) on closed_questions to muster_app
grant update (answered_by) on closed_questions to muster_reach_app
grant update (answered_name) on closed_questions to muster_app
grant update (answered_name) on closed_questions to muster_reach_app
grant update (answered_vendor_id) on closed_questions to muster_app
grant update (answered_vendor_id) on closed_questions to muster_reach_app
grant update (answered_via) on closed_questions to muster_app
grant update (answered_via) on closed_questions to muster_reach_app
grant update (answers) on task_questions to muster_app
grant update (answers) on task_questions to muster_reach_app
grant update (api) on provider_keys to muster_app
grant update (approvals) on workspaces to muster_admin
grant update (can_answer) on members to muster_admin
grant update (card) on remote_agents to muster_app
grant update (card_error) on remote_agents to muster_app
grant update (card_fetched_at) on remote_agents to muster_app
grant update (client_ciphertext) on mcp_servers to muster_app
grant update (code_hash) on agent_pages to muster_admin
grant update (correction) on feedback to muster_app
grant update (correction) on feedback to muster_reach_app
grant update (deadline) on task_questions to muster_app
grant update (deadline) on task_questions to muster_reach_app
grant update (expires_at) on api_keys to muster_admin
grant update (generation) on agent_pages to muster_admin
grant update (greeting) on agent_pages to muster_admin
grant update (headers_ciphertext) on mcp_servers to muster_admin
grant update (headers_shown) on mcp_servers to muster_admin
grant update (info) on mcp_servers to muster_app
grant update (is_active) on webhook_subscriptions to muster_app
grant update (is_enabled) on mcp_servers to muster_admin
grant update (is_enabled) on remote_agents to muster_admin
grant update (is_on) on agent_pages to muster_admin
grant update (label) on api_keys to muster_admin
grant update (last_error) on mcp_servers to muster_app
grant update (limits) on agent_pages to muster_admin
grant update (log_url) on workspaces to muster_admin
grant update (max_tokens) on budgets to muster_admin
grant update (max_usd) on budgets to muster_admin
grant update (name) on service_accounts to muster_admin
grant update (name) on workspaces to muster_admin
grant update (networks) on api_keys to muster_admin
grant update (networks) on service_accounts to muster_admin
grant update (note) on feedback to muster_app
grant update (note) on feedback to muster_reach_app
grant update (oauth) on mcp_servers to muster_admin
grant update (on_breach) on budgets to muster_admin
grant update (on_change) on mcp_servers to muster_admin
grant update (origins) on agent_pages to muster_admin
grant update (paused) on workspaces to muster_admin
grant update (previous_secret_ciphertext) on webhook_subscriptions to muster_app
grant update (previous_secret_until) on webhook_subscriptions to muster_app
grant update (prompts) on agent_pages to muster_admin
grant update (rating) on feedback to muster_app
grant update (rating) on feedback to muster_reach_app
grant update (removed_at) on service_accounts to muster_admin
grant update (replaced_by) on api_keys to muster_admin
grant update (require_passkeys) on workspaces to muster_admin
grant update (retention_tasks_days) on workspaces to muster_admin
grant update (revoked_at) on answer_links to muster_app
grant update (revoked_at) on run_links to muster_app
grant update (role) on members to muster_admin
grant update (run_id) on files to muster_app
grant update (run_id) on files to muster_reach_app
grant update (run_links) on workspaces to muster_admin
grant update (secret_ciphertext) on webhook_subscriptions to muster_app
grant update (slug) on agent_pages to muster_admin
grant update (stage) on task_questions to muster_app
grant update (stage) on task_questions to muster_reach_app
grant update (surfaces) on api_keys to muster_admin
grant update (takes_files) on agent_pages to muster_admin
grant update (task_id) on files to muster_app
grant update (task_id) on files to muster_reach_app
grant update (teams) on api_keys to muster_admin
grant update (timeout_ms) on mcp_servers to muster_admin
grant update (title) on agent_pages to muster_admin
grant update (token_ciphertext) on remote_agents to muster_admin
grant update (tools_fetched_at) on mcp_servers to muster_app
grant update (trace_url) on workspaces to muster_admin
grant update (updated_at) on agent_pages to muster_admin
grant update (updated_at) on budgets to muster_admin
grant update (updated_at) on feedback to muster_app
grant update (updated_at) on feedback to muster_reach_app
grant update (updated_at) on mcp_servers to muster_admin
grant update (updated_at) on remote_agents to muster_admin
grant update (updated_at) on workspaces to muster_admin
grant update (url) on mcp_servers to muster_admin
grant update (via) on feedback to muster_app
grant update (via) on feedback to muster_reach_app
grant update on agents to muster_app
grant update on alerts to muster_app
grant update on custom_tools to muster_admin
grant update on golden_cases to muster_app
grant update on golden_gates to muster_admin
grant update on idempotent_answers to muster_app
grant update on idempotent_answers to muster_reach_app
grant update on invitations to muster_admin
grant update on jobs to muster_app
grant update on jobs to muster_reach_app
grant update on knowledge_bases to muster_app
grant update on knowledge_documents to muster_app
grant update on mcp_account_tools to muster_app
grant update on mcp_tools to muster_app
grant update on output_routes to muster_admin
grant update on output_templates to muster_app
grant update on passage_embeddings to muster_app
grant update on passages to muster_app
grant update on provider_keys to muster_admin
grant update on push_configs to muster_app
grant update on push_configs to muster_reach_app
grant update on remote_calls to muster_app
grant update on runs to muster_app
grant update on runs to muster_reach_app
grant update on schedules to muster_app
grant update on task_streams to muster_app
grant update on task_streams to muster_reach_app
grant update on tasks to muster_app
grant update on tasks to muster_reach_app
grant update on team_members to muster_app
grant update on team_runs to muster_app
grant update on team_runs to muster_reach_app
grant update on teams to muster_app
grant update on triggers to muster_app
grant update on voice_profiles to muster_app
