grant usage on schema public to muster_app;
grant usage on schema public to muster_reach_viewer;
grant usage on schema public to muster_viewer;
grant usage on schema public to public;

grant usage on schema table_api to muster_reach_viewer;
grant usage on schema table_api to muster_viewer;

create type budget_call as (
  id uuid,
  workspace_id uuid,
  targets uuid[],
  run_id uuid,
  attempt integer,
  step text,
  usd numeric,
  tokens bigint,
  usage json
);

create type new_delivery_event as (
  event delivery_events,
  agent_id uuid,
  team_id uuid,
  goes_to_routes boolean,
  route_ids uuid[]
);

create type new_job as (
  workspace_id uuid,
  attempt integer,
  priority integer,
  input json
);

create table a2a_messages (
  workspace_id uuid not null,
  task_id uuid not null,
  message_id text not null,
  effect text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint a2a_messages_pkey PRIMARY KEY (task_id, message_id),
  constraint a2a_messages_effect_check CHECK ((effect = ANY (ARRAY['start'::text, 'answer'::text, 'continuation'::text]))),
  constraint a2a_messages_message_id_check CHECK (((length(message_id) >= 1) AND (length(message_id) <= 200))),
  constraint a2a_messages_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
alter table a2a_messages enable row level security;
create policy reach on a2a_messages as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = a2a_messages.task_id))));
create policy tenant on a2a_messages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table a2a_messages to muster_app;
grant insert on table a2a_messages to muster_reach_app;
grant select on table a2a_messages to muster_reach_viewer;
grant select on table a2a_messages to muster_viewer;

create table agent_pages (
  id uuid not null,
  workspace_id uuid not null,
  agent_id uuid not null,
  slug text not null,
  is_on boolean default false not null,
  title text not null,
  greeting text default ''::text not null,
  prompts text[] default '{}'::text[] not null,
  takes_files boolean default false not null,
  origins text[] default '{}'::text[] not null,
  code_hash text,
  has_code boolean generated always as ((code_hash IS NOT NULL)) stored not null,
  limits jsonb not null,
  generation integer default 1 not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint agent_pages_pkey PRIMARY KEY (id),
  constraint agent_pages_agent_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint agent_pages_agent_key UNIQUE (workspace_id, agent_id),
  constraint agent_pages_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint agent_pages_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$'::text)),
  constraint agent_pages_slug_key UNIQUE (slug),
  constraint agent_pages_title_check CHECK (((length(title) >= 1) AND (length(title) <= 100))),
  constraint agent_pages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX agent_pages_created_by_idx ON public.agent_pages USING btree (created_by);
CREATE INDEX agent_pages_workspace_idx ON public.agent_pages USING btree (workspace_id, created_at DESC, id DESC);
alter table agent_pages enable row level security;
create policy reach on agent_pages as restrictive to muster_reach_viewer using (false);
create policy tenant on agent_pages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_pages AFTER INSERT OR DELETE OR UPDATE OF slug, is_on, title, greeting, prompts, takes_files, origins, code_hash, limits, generation ON agent_pages FOR EACH ROW EXECUTE FUNCTION audit_change('page', 'id', 'title', 'slug is_on title greeting prompts takes_files origins limits generation agent_id');
CREATE TRIGGER page_budgets AFTER DELETE ON agent_pages FOR EACH ROW EXECUTE FUNCTION delete_budgets();
grant delete, insert on table agent_pages to muster_admin;
grant update (slug, is_on, title, greeting, prompts, takes_files, origins, code_hash, limits, generation, updated_at) on agent_pages to muster_admin;
grant select (id, title) on agent_pages to muster_reach_viewer;
grant select (id, workspace_id, agent_id, slug, is_on, title, greeting, prompts, takes_files, origins, has_code, limits, generation, created_by, created_at, updated_at) on agent_pages to muster_viewer;

create table agent_threads (
  workspace_id uuid not null,
  agent_id uuid not null,
  thread_id text not null,
  task_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint agent_threads_pkey PRIMARY KEY (agent_id, thread_id),
  constraint agent_threads_thread_id_check CHECK (((length(thread_id) >= 1) AND (length(thread_id) <= 200))),
  constraint agent_threads_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint agent_threads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint agent_threads_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_threads_task_idx ON public.agent_threads USING btree (workspace_id, task_id);
CREATE INDEX agent_threads_thread_idx ON public.agent_threads USING btree (thread_id, created_at);
alter table agent_threads enable row level security;
create policy reach on agent_threads as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = agent_threads.task_id))));
create policy tenant on agent_threads using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table agent_threads to muster_app;
grant insert on table agent_threads to muster_reach_app;
grant select on table agent_threads to muster_reach_viewer;
grant select on table agent_threads to muster_viewer;

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  version integer not null,
  fields json not null,
  changed_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint agent_versions_pkey PRIMARY KEY (agent_id, version),
  constraint agent_versions_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint agent_versions_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE
);
alter table agent_versions enable row level security;
create policy reach on agent_versions as restrictive to muster_reach_viewer using ((agent_id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on agent_versions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER agent_versions_count_added AFTER INSERT ON agent_versions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER agent_versions_count_removed AFTER DELETE ON agent_versions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant select on table agent_versions to muster_reach_viewer;
grant select on table agent_versions to muster_viewer;

create table agents (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  description text default ''::text not null,
  model text not null,
  fallback_model text,
  fallback_models text[] default '{}'::text[] not null,
  provider text not null,
  system_prompt text default 'You are a helpful AI assistant.'::text not null,
  temperature double precision default 0.7,
  max_tokens integer,
  reasoning jsonb default '{"show": false, "effort": null}'::jsonb not null,
  prompt_caching boolean default true not null,
  output_schema json,
  tags text[] default '{}'::text[] not null,
  tools text[] default '{}'::text[] not null,
  voice_profile jsonb,
  voice_profile_id uuid,
  output_template jsonb,
  output_template_id uuid,
  knowledge_base_ids uuid[] default '{}'::uuid[] not null,
  output_route_ids uuid[],
  is_marketplace boolean default false not null,
  marketplace_tags text[] default '{}'::text[] not null,
  install_count integer default 0 not null,
  needs_review boolean default false not null,
  is_mcp_published boolean default false not null,
  is_a2a_published boolean default false not null,
  config jsonb default '{}'::jsonb not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  version integer default 1 not null,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint agents_fallback_model_check CHECK ((NOT (fallback_model IS DISTINCT FROM fallback_models[1]))),
  constraint agents_max_tokens_check CHECK ((max_tokens > 0)),
  constraint agents_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint agents_output_template_fkey FOREIGN KEY (workspace_id, output_template_id) REFERENCES output_templates(workspace_id, id) ON DELETE SET NULL (output_template_id),
  constraint agents_temperature_check CHECK (((temperature >= (0)::double precision) AND (temperature <= (2)::double precision))),
  constraint agents_voice_profile_fkey FOREIGN KEY (workspace_id, voice_profile_id) REFERENCES voice_profiles(workspace_id, id) ON DELETE SET NULL (voice_profile_id),
  constraint agents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint agents_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX agents_a2a_published_idx ON public.agents USING btree (created_at, id) WHERE is_a2a_published;
CREATE INDEX agents_marketplace_installs_idx ON public.agents USING btree (install_count DESC, id DESC) WHERE is_marketplace;
CREATE INDEX agents_marketplace_newest_idx ON public.agents USING btree (created_at DESC, id DESC) WHERE is_marketplace;
CREATE INDEX agents_newest_idx ON public.agents USING btree (workspace_id, created_at DESC);
CREATE INDEX agents_output_template_idx ON public.agents USING btree (output_template_id) WHERE (output_template_id IS NOT NULL);
CREATE INDEX agents_voice_profile_idx ON public.agents USING btree (voice_profile_id) WHERE (voice_profile_id IS NOT NULL);
alter table agents enable row level security;
create policy reach on agents as restrictive to muster_reach_viewer using ((id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on agents using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER agent_budgets AFTER DELETE ON agents FOR EACH ROW EXECUTE FUNCTION delete_budgets();
CREATE TRIGGER agent_changed AFTER UPDATE ON agents FOR EACH ROW WHEN (old.version <> new.version) EXECUTE FUNCTION save_agent_version();
CREATE TRIGGER agent_changes BEFORE UPDATE ON agents FOR EACH ROW WHEN (agent_version_fields(old.*)::text <> agent_version_fields(new.*)::text) EXECUTE FUNCTION count_agent_version();
CREATE TRIGGER agent_created AFTER INSERT ON agents FOR EACH ROW EXECUTE FUNCTION save_agent_version();
CREATE TRIGGER agent_deleted AFTER DELETE ON agents FOR EACH ROW EXECUTE FUNCTION delete_marketplace_installs();
CREATE TRIGGER agent_gate BEFORE UPDATE ON agents FOR EACH ROW WHEN (agent_version_fields(old.*)::text <> agent_version_fields(new.*)::text OR new.is_marketplace AND NOT old.is_marketplace OR new.is_mcp_published AND NOT old.is_mcp_published OR new.is_a2a_published AND NOT old.is_a2a_published) EXECUTE FUNCTION hold_to_gate();
CREATE TRIGGER agents_check_knowledge_bases BEFORE INSERT OR UPDATE OF knowledge_base_ids ON agents FOR EACH ROW WHEN (new.knowledge_base_ids <> '{}'::uuid[]) EXECUTE FUNCTION check_knowledge_bases();
CREATE TRIGGER agents_check_output_routes BEFORE INSERT OR UPDATE OF output_route_ids ON agents FOR EACH ROW WHEN (new.output_route_ids <> '{}'::uuid[]) EXECUTE FUNCTION check_output_routes();
CREATE TRIGGER agents_count_added AFTER INSERT ON agents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER agents_count_removed AFTER DELETE ON agents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
CREATE TRIGGER audit_agents AFTER INSERT OR DELETE OR UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION audit_change('agent', 'id', 'name', 'name model fallback_models provider temperature max_tokens reasoning prompt_caching is_marketplace is_mcp_published is_a2a_published needs_review');
CREATE TRIGGER live_agent AFTER INSERT OR DELETE OR UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION announce_change('agent', 'id', '');
grant delete, insert, select, update on table agents to muster_app;
grant select on table agents to muster_reach_viewer;
grant select on table agents to muster_viewer;

create table alerts (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  kind text not null,
  threshold double precision not null,
  window_minutes integer,
  min_runs integer,
  agent_id uuid,
  team_id uuid,
  watched_route_id uuid,
  route_id uuid,
  is_enabled boolean not null,
  state text default 'ok'::text not null,
  since timestamp with time zone default clock_timestamp() not null,
  last_value double precision,
  last_checked_at timestamp with time zone,
  check_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_agent_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint alerts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['failure_rate'::text, 'cost_per_hour'::text, 'question_age'::text, 'queue_age'::text, 'route_failing'::text]))),
  constraint alerts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint alerts_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'firing'::text]))),
  constraint alerts_team_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  constraint alerts_threshold_check CHECK ((threshold > (0)::double precision)),
  constraint alerts_watched_route_fkey FOREIGN KEY (workspace_id, watched_route_id) REFERENCES output_routes(workspace_id, id) ON DELETE CASCADE,
  constraint alerts_window_check CHECK (((kind = 'failure_rate'::text) = (num_nonnulls(window_minutes, min_runs) = 2))),
  constraint alerts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint alerts_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX alerts_agent_idx ON public.alerts USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX alerts_check_idx ON public.alerts USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX alerts_newest_idx ON public.alerts USING btree (workspace_id, created_at DESC);
CREATE INDEX alerts_team_idx ON public.alerts USING btree (team_id) WHERE (team_id IS NOT NULL);
CREATE INDEX alerts_watched_route_idx ON public.alerts USING btree (watched_route_id) WHERE (watched_route_id IS NOT NULL);
alter table alerts enable row level security;
create policy tenant on alerts using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER alert_due AFTER UPDATE OF check_at ON alerts FOR EACH ROW WHEN (new.check_at < COALESCE(old.check_at, 'infinity'::timestamp with time zone)) EXECUTE FUNCTION announce_due();
CREATE TRIGGER alerts_limit AFTER INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION limit_alerts();
CREATE TRIGGER audit_alerts AFTER INSERT OR DELETE OR UPDATE OF name, threshold, window_minutes, min_runs, agent_id, team_id, watched_route_id, route_id, is_enabled ON alerts FOR EACH ROW EXECUTE FUNCTION audit_change('alert', 'id', 'name', 'name kind threshold window_minutes min_runs agent_id team_id watched_route_id route_id is_enabled');
CREATE TRIGGER live_alert AFTER INSERT OR DELETE ON alerts FOR EACH ROW EXECUTE FUNCTION announce_change('alert', 'id', 'state');
CREATE TRIGGER live_alert_changed AFTER UPDATE ON alerts FOR EACH ROW WHEN (old.state <> new.state OR old.updated_at <> new.updated_at OR COALESCE(old.last_checked_at <= old.updated_at, true) AND new.last_checked_at > new.updated_at) EXECUTE FUNCTION announce_change('alert', 'id', 'state');
CREATE TRIGGER new_alert_due AFTER INSERT ON alerts FOR EACH ROW WHEN (new.check_at IS NOT NULL) EXECUTE FUNCTION announce_due();
grant delete, insert, update on table alerts to muster_app;
grant select on table alerts to muster_viewer;

create table answer_links (
  token_hash text not null,
  workspace_id uuid not null,
  interaction_id uuid not null,
  subject_id uuid not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  id uuid default gen_random_uuid() not null,
  revoked_at timestamp with time zone,
  route_id uuid,
  constraint answer_links_pkey PRIMARY KEY (token_hash),
  constraint answer_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint answer_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX answer_links_created_by_idx ON public.answer_links USING btree (created_by);
CREATE UNIQUE INDEX answer_links_id_idx ON public.answer_links USING btree (id);
CREATE INDEX answer_links_newest_idx ON public.answer_links USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX answer_links_question_idx ON public.answer_links USING btree (interaction_id);
CREATE INDEX answer_links_subject_id_idx ON public.answer_links USING btree (subject_id);
alter table answer_links enable row level security;
create policy tenant on answer_links using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_answer_link_created AFTER INSERT ON answer_links FOR EACH ROW WHEN (new.route_id IS NULL) EXECUTE FUNCTION audit_answer_link();
CREATE TRIGGER audit_answer_link_revoked AFTER UPDATE OF revoked_at ON answer_links FOR EACH ROW WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL) EXECUTE FUNCTION audit_answer_link();
grant insert on table answer_links to muster_app;
grant update (revoked_at) on answer_links to muster_app;
grant select (workspace_id, interaction_id, subject_id, created_by, created_at, expires_at, id, revoked_at, route_id) on answer_links to muster_viewer;

create table api_keys (
  id uuid not null,
  workspace_id uuid not null,
  created_by uuid not null,
  kind text not null,
  label text not null,
  key_hash text not null,
  prefix text not null,
  scopes text[] not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  replaced_by uuid,
  surfaces text[],
  agents uuid[],
  teams uuid[],
  networks text[],
  warn_at timestamp with time zone,
  app jsonb,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_agents_check CHECK ((cardinality(agents) > 0)),
  constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['envelope'::text, 'table'::text, 'mcp'::text, 'a2a'::text, 'ag-ui'::text]))),
  constraint api_keys_member_fkey FOREIGN KEY (workspace_id, created_by) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE,
  constraint api_keys_networks_check CHECK ((cardinality(networks) > 0)),
  constraint api_keys_replaced_by_fkey FOREIGN KEY (workspace_id, replaced_by) REFERENCES api_keys(workspace_id, id) ON DELETE SET NULL (replaced_by),
  constraint api_keys_scopes_check CHECK ((scopes <@ ARRAY['read'::text, 'write'::text])),
  constraint api_keys_surfaces_check CHECK ((surfaces <@ ARRAY['rest'::text, 'openai'::text, 'ag-ui'::text, 'a2a'::text, 'mcp'::text, 'table'::text])),
  constraint api_keys_surfaces_check1 CHECK ((cardinality(surfaces) > 0)),
  constraint api_keys_teams_check CHECK ((cardinality(teams) > 0)),
  constraint api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint api_keys_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX api_keys_expires_at_idx ON public.api_keys USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (replaced_by IS NULL));
CREATE INDEX api_keys_member_idx ON public.api_keys USING btree (created_by, workspace_id);
CREATE INDEX api_keys_replaced_by_idx ON public.api_keys USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);
CREATE INDEX api_keys_warn_at_idx ON public.api_keys USING btree (warn_at) WHERE (warn_at IS NOT NULL);
CREATE INDEX api_keys_workspace_id_idx ON public.api_keys USING btree (workspace_id, created_at);
alter table api_keys enable row level security;
create policy reach on api_keys as restrictive to muster_reach_viewer using ((id = (NULLIF(current_setting('muster.key_id'::text, true), ''::text))::uuid));
create policy tenant on api_keys using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER api_keys_changed AFTER DELETE OR UPDATE OF key_hash, scopes, expires_at, kind, surfaces, agents, teams, networks ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_key_change();
CREATE TRIGGER audit_keys AFTER INSERT OR DELETE OR UPDATE OF label, scopes, expires_at, replaced_by, surfaces, agents, teams, networks ON api_keys FOR EACH ROW EXECUTE FUNCTION audit_change('key', 'id', 'label', 'label kind prefix scopes expires_at surfaces agents teams networks');
CREATE TRIGGER key_warning_planned BEFORE INSERT OR UPDATE OF expires_at, replaced_by ON api_keys FOR EACH ROW EXECUTE FUNCTION plan_key_warning();
grant delete, insert, select on table api_keys to muster_admin;
grant update (label, expires_at, replaced_by, surfaces, agents, teams, networks) on api_keys to muster_admin;
grant select (id, label) on api_keys to muster_reach_viewer;
grant select (id, workspace_id, created_by, kind, label, prefix, scopes, last_used_at, expires_at, created_at, replaced_by, surfaces, agents, teams, networks, app) on api_keys to muster_viewer;

create table approved_tools (
  agent_id uuid not null,
  tool text not null,
  workspace_id uuid not null,
  approved_at timestamp with time zone default clock_timestamp() not null,
  constraint approved_tools_pkey PRIMARY KEY (agent_id, tool),
  constraint approved_tools_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint approved_tools_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX approved_tools_workspace_idx ON public.approved_tools USING btree (workspace_id);
alter table approved_tools enable row level security;
create policy reach on approved_tools as restrictive to muster_reach_viewer using ((agent_id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on approved_tools using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table approved_tools to muster_app;
grant insert on table approved_tools to muster_reach_app;
grant select on table approved_tools to muster_reach_viewer;
grant select on table approved_tools to muster_viewer;

create table audit_log (
  id uuid default gen_random_uuid() not null,
  workspace_id uuid not null,
  at timestamp with time zone default clock_timestamp() not null,
  actor_id uuid,
  key_id uuid,
  key_label text,
  action text not null,
  subject_kind text not null,
  subject_id uuid,
  subject_name text,
  changes jsonb default '{}'::jsonb not null,
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (workspace_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_log_kind_idx ON public.audit_log USING btree (workspace_id, subject_kind, at DESC, id DESC);
CREATE INDEX audit_log_newest_idx ON public.audit_log USING btree (workspace_id, at DESC, id DESC);
alter table audit_log enable row level security;
create policy tenant on audit_log using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_deliveries AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION deliver_audit();
grant select on table audit_log to muster_admin;

create table budget_extensions (
  budget_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  answer text not null,
  workspace_id uuid not null,
  key text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint budget_extensions_pkey PRIMARY KEY (budget_id, run_id, attempt, answer),
  constraint budget_extensions_workspace_id_budget_id_fkey FOREIGN KEY (workspace_id, budget_id) REFERENCES budgets(workspace_id, id) ON DELETE CASCADE
);
alter table budget_extensions enable row level security;
create policy reach on budget_extensions as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = budget_extensions.run_id))));
create policy tenant on budget_extensions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table budget_extensions to muster_reach_viewer;
grant select on table budget_extensions to muster_viewer;

create table budget_reservations (
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  step text not null,
  budget_ids uuid[] not null,
  keys text[] not null,
  usd numeric(14,8) not null,
  tokens bigint not null,
  usage json,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint budget_reservations_pkey PRIMARY KEY (id),
  constraint budget_reservations_step_key UNIQUE (run_id, attempt, step),
  constraint budget_reservations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
alter table budget_reservations enable row level security;
create policy tenant on budget_reservations using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table budget_reservations to muster_viewer;

create table budget_windows (
  budget_id uuid not null,
  key text not null,
  workspace_id uuid not null,
  used_usd numeric(16,8) default 0 not null,
  used_tokens bigint default 0 not null,
  reserved_usd numeric(16,8) default 0 not null,
  reserved_tokens bigint default 0 not null,
  extra_usd numeric(16,8) default 0 not null,
  extra_tokens bigint default 0 not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint budget_windows_pkey PRIMARY KEY (budget_id, key),
  constraint budget_windows_workspace_id_budget_id_fkey FOREIGN KEY (workspace_id, budget_id) REFERENCES budgets(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);
alter table budget_windows enable row level security;
create policy reach on budget_windows as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM budgets b
  WHERE (b.id = budget_windows.budget_id))));
create policy tenant on budget_windows using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table budget_windows to muster_admin;
grant select on table budget_windows to muster_reach_viewer;
grant select on table budget_windows to muster_viewer;

create table budgets (
  id uuid not null,
  workspace_id uuid not null,
  scope text not null,
  target_id uuid not null,
  period text not null,
  max_usd numeric(14,8),
  max_tokens bigint,
  on_breach text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint budgets_pkey PRIMARY KEY (id),
  constraint budgets_check CHECK ((num_nonnulls(max_usd, max_tokens) > 0)),
  constraint budgets_check1 CHECK (((scope <> 'run'::text) OR (period = 'run'::text))),
  constraint budgets_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint budgets_max_tokens_check CHECK ((max_tokens >= 0)),
  constraint budgets_max_usd_check CHECK ((max_usd >= (0)::numeric)),
  constraint budgets_on_breach_check CHECK ((on_breach = ANY (ARRAY['stop'::text, 'ask'::text]))),
  constraint budgets_period_check CHECK ((period = ANY (ARRAY['run'::text, 'day'::text, 'month'::text, 'total'::text]))),
  constraint budgets_scope_check CHECK ((scope = ANY (ARRAY['workspace'::text, 'agent'::text, 'team'::text, 'run'::text, 'page'::text]))),
  constraint budgets_target_key UNIQUE (target_id, period),
  constraint budgets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint budgets_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX budgets_newest_idx ON public.budgets USING btree (workspace_id, created_at DESC);
CREATE INDEX budgets_standing_idx ON public.budgets USING btree (workspace_id) WHERE (scope <> 'run'::text);
alter table budgets enable row level security;
create policy capped_runs on budgets as restrictive for insert using () with check (((scope = 'run'::text) OR pg_has_role(CURRENT_USER, 'muster_admin'::name, 'member'::text)));
create policy reach on budgets as restrictive to muster_reach_viewer using (((scope = 'run'::text) AND (EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = budgets.target_id)))));
create policy tenant on budgets using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_budgets AFTER INSERT OR DELETE OR UPDATE OF max_usd, max_tokens, on_breach ON budgets FOR EACH ROW EXECUTE FUNCTION audit_change('budget', 'id', 'scope', 'scope period max_usd max_tokens on_breach');
CREATE TRIGGER budgets_changed AFTER INSERT OR DELETE OR UPDATE ON budgets FOR EACH ROW EXECUTE FUNCTION announce_budget_change();
CREATE TRIGGER live_budget AFTER INSERT OR DELETE OR UPDATE ON budgets FOR EACH ROW EXECUTE FUNCTION announce_change('budget', 'id', '');
grant delete on table budgets to muster_admin;
grant insert on table budgets to muster_app;
grant insert on table budgets to muster_reach_app;
grant select on table budgets to muster_reach_viewer;
grant select on table budgets to muster_viewer;
grant update (max_usd, max_tokens, on_breach, updated_at) on budgets to muster_admin;

create table card_mappings (
  id uuid not null,
  workspace_id uuid not null,
  channel_id uuid not null,
  card_id text not null,
  task_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint card_mappings_pkey PRIMARY KEY (id),
  constraint card_mappings_once UNIQUE (channel_id, card_id),
  constraint card_mappings_workspace_id_channel_id_fkey FOREIGN KEY (workspace_id, channel_id) REFERENCES trello_channels(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX card_mappings_task_idx ON public.card_mappings USING btree (task_id);
alter table card_mappings enable row level security;
create policy tenant on card_mappings using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table card_mappings to muster_app;
grant select on table card_mappings to muster_viewer;

create table channel_messages (
  id uuid not null,
  workspace_id uuid not null,
  route_id uuid not null,
  message_key text not null,
  channel text not null,
  thread text,
  conversation text not null,
  person_id text not null,
  person_name text not null,
  text text not null,
  files jsonb default '[]'::jsonb not null,
  outcome text not null,
  task_id uuid,
  attempt integer,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint channel_messages_pkey PRIMARY KEY (id),
  constraint channel_messages_conversation_check CHECK (((length(conversation) >= 1) AND (length(conversation) <= 200))),
  constraint channel_messages_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'answered'::text, 'refused'::text, 'limited'::text, 'told'::text]))),
  constraint channel_messages_route_id_message_key_key UNIQUE (route_id, message_key),
  constraint channel_messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint channel_messages_workspace_id_route_id_fkey FOREIGN KEY (workspace_id, route_id) REFERENCES output_routes(workspace_id, id) ON DELETE CASCADE,
  constraint channel_messages_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX channel_messages_conversation_idx ON public.channel_messages USING btree (route_id, conversation, id);
CREATE INDEX channel_messages_created_at_idx ON public.channel_messages USING brin (created_at);
CREATE INDEX channel_messages_person_idx ON public.channel_messages USING btree (route_id, person_id, created_at);
CREATE INDEX channel_messages_place_idx ON public.channel_messages USING btree (route_id, channel, id);
CREATE INDEX channel_messages_task_idx ON public.channel_messages USING btree (workspace_id, task_id);
alter table channel_messages enable row level security;
create policy tenant on channel_messages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table channel_messages to muster_app;
grant select on table channel_messages to muster_viewer;

create table closed_questions (
  interaction_id uuid not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  state text not null,
  request json not null,
  asked_at timestamp with time zone not null,
  deadline timestamp with time zone not null,
  closed_at timestamp with time zone default clock_timestamp() not null,
  answered_by uuid,
  answered_via text,
  answer json,
  answered_name text,
  answered_vendor_id text,
  constraint closed_questions_pkey PRIMARY KEY (interaction_id),
  constraint closed_questions_state_check CHECK ((state = ANY (ARRAY['answered'::text, 'expired'::text])))
);
CREATE INDEX closed_questions_newest_idx ON public.closed_questions USING btree (workspace_id, state, closed_at DESC, interaction_id DESC);
CREATE INDEX closed_questions_subject_idx ON public.closed_questions USING btree (subject_id);
alter table closed_questions enable row level security;
create policy reach on closed_questions as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = closed_questions.subject_id))));
create policy tenant on closed_questions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_answers AFTER UPDATE OF answered_by ON closed_questions FOR EACH ROW WHEN (old.answered_via IS NULL AND (new.answered_by IS NOT NULL OR new.answered_vendor_id IS NOT NULL)) EXECUTE FUNCTION audit_answer();
CREATE TRIGGER live_question_closed AFTER INSERT ON closed_questions FOR EACH ROW EXECUTE FUNCTION announce_change('question', 'interaction_id', 'state');
grant select on table closed_questions to muster_reach_viewer;
grant select on table closed_questions to muster_viewer;
grant update (answered_by, answered_via, answer, answered_name, answered_vendor_id) on closed_questions to muster_app;
grant update (answered_by, answered_via, answer, answered_name, answered_vendor_id) on closed_questions to muster_reach_app;

create table custom_tool_calls (
  id uuid not null,
  workspace_id uuid not null,
  tool_id uuid not null,
  task_id uuid,
  http_status integer,
  duration_ms integer not null,
  error text,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint custom_tool_calls_pkey PRIMARY KEY (id),
  constraint custom_tool_calls_workspace_id_tool_id_fkey FOREIGN KEY (workspace_id, tool_id) REFERENCES custom_tools(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX custom_tool_calls_created_at_idx ON public.custom_tool_calls USING btree (created_at);
CREATE INDEX custom_tool_calls_newest_idx ON public.custom_tool_calls USING btree (tool_id, created_at DESC, id DESC);
alter table custom_tool_calls enable row level security;
create policy tenant on custom_tool_calls using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table custom_tool_calls to muster_app;
grant select on table custom_tool_calls to muster_viewer;

create table custom_tools (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  description text not null,
  parameters jsonb not null,
  url text not null,
  method text not null,
  headers_ciphertext text,
  headers_shown jsonb default '{}'::jsonb not null,
  timeout_ms integer not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint custom_tools_pkey PRIMARY KEY (id),
  constraint custom_tools_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint custom_tools_method_check CHECK ((method = ANY (ARRAY['GET'::text, 'POST'::text, 'PUT'::text, 'PATCH'::text, 'DELETE'::text]))),
  constraint custom_tools_name_check CHECK ((name ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
  constraint custom_tools_name_key UNIQUE (workspace_id, name),
  constraint custom_tools_timeout_ms_check CHECK (((timeout_ms >= 100) AND (timeout_ms <= 120000))),
  constraint custom_tools_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint custom_tools_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX custom_tools_newest_idx ON public.custom_tools USING btree (workspace_id, created_at DESC, id DESC);
alter table custom_tools enable row level security;
create policy tenant on custom_tools using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_custom_tools AFTER INSERT OR DELETE OR UPDATE ON custom_tools FOR EACH ROW EXECUTE FUNCTION audit_change('custom_tool', 'id', 'name', 'name url method');
CREATE TRIGGER custom_tools_count_added AFTER INSERT ON custom_tools REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER custom_tools_count_removed AFTER DELETE ON custom_tools REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF headers_ciphertext ON custom_tools FOR EACH ROW WHEN (has_retired_key(new.headers_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant delete, insert, update on table custom_tools to muster_admin;
grant select on table custom_tools to muster_app;
grant select (id, workspace_id, name, description, parameters, url, method, headers_shown, timeout_ms, created_by, created_at, updated_at) on custom_tools to muster_viewer;

create table data_keys (
  generation integer not null,
  wrapping text not null,
  wrapped text not null,
  is_active boolean not null,
  created_at timestamp with time zone default now() not null,
  constraint data_keys_pkey PRIMARY KEY (generation, wrapping),
  constraint data_keys_generation_check CHECK ((generation >= 0))
);
alter table data_keys enable row level security;
CREATE TRIGGER data_keys_changed AFTER INSERT OR DELETE OR UPDATE ON data_keys FOR EACH STATEMENT EXECUTE FUNCTION announce_data_keys();

create table deliveries (
  id uuid default time_ordered_id() not null,
  workspace_id uuid not null,
  event_id uuid not null,
  event text not null,
  task_id uuid,
  team_run_id uuid,
  route_id uuid,
  subscription_id uuid,
  target_id uuid generated always as (COALESCE(route_id, subscription_id)) stored not null,
  target_name text not null,
  type text not null,
  host text not null,
  is_test boolean default false not null,
  redelivery_of uuid,
  status text default 'pending'::text not null,
  attempt_count integer default 0 not null,
  next_attempt_at timestamp with time zone default clock_timestamp() not null,
  limited_since timestamp with time zone,
  http_code integer,
  error text,
  created_at timestamp with time zone default clock_timestamp() not null,
  completed_at timestamp with time zone,
  trace text,
  posted jsonb,
  closes uuid,
  part text,
  is_sending boolean default false not null,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_check CHECK ((num_nonnulls(route_id, subscription_id) = 1)),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'success'::text, 'failed'::text]))),
  constraint deliveries_workspace_id_event_id_fkey FOREIGN KEY (workspace_id, event_id) REFERENCES delivery_events(workspace_id, id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX deliveries_closes_idx ON public.deliveries USING btree (closes) WHERE (closes IS NOT NULL);
CREATE INDEX deliveries_created_at_idx ON public.deliveries USING brin (created_at);
CREATE INDEX deliveries_event_idx ON public.deliveries USING btree (event_id);
CREATE INDEX deliveries_newest_idx ON public.deliveries USING btree (workspace_id, created_at DESC);
CREATE INDEX deliveries_posted_idx ON public.deliveries USING btree (((posted ->> 'key'::text))) WHERE (posted IS NOT NULL);
CREATE INDEX deliveries_redelivery_idx ON public.deliveries USING btree (redelivery_of) WHERE (redelivery_of IS NOT NULL);
CREATE INDEX deliveries_target_idx ON public.deliveries USING btree (target_id, created_at DESC);
CREATE INDEX deliveries_task_idx ON public.deliveries USING btree (task_id) WHERE (task_id IS NOT NULL);
alter table deliveries enable row level security;
create policy tenant on deliveries using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER delivery_jobs AFTER INSERT ON deliveries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION enqueue_deliveries();
CREATE TRIGGER delivery_jobs_end AFTER DELETE ON deliveries FOR EACH ROW WHEN (old.status = 'pending'::text) EXECUTE FUNCTION delete_jobs();
CREATE TRIGGER delivery_traced AFTER UPDATE OF status ON deliveries FOR EACH ROW WHEN (new.trace ~~ '%-01'::text AND new.status <> old.status) EXECUTE FUNCTION export_trace();
CREATE TRIGGER live_delivery AFTER INSERT OR UPDATE OF status ON deliveries FOR EACH ROW EXECUTE FUNCTION announce_change('delivery', 'id', 'status');
grant insert on table deliveries to muster_app;
grant select on table deliveries to muster_viewer;

create table delivery_attempts (
  id uuid not null,
  workspace_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  status text not null,
  http_code integer,
  error text,
  request text not null,
  response text not null,
  duration_ms integer not null,
  created_at timestamp with time zone not null,
  constraint delivery_attempts_pkey PRIMARY KEY (id),
  constraint delivery_attempts_status_check CHECK ((status = ANY (ARRAY['success'::text, 'failed'::text])))
);
CREATE INDEX delivery_attempts_delivery_idx ON public.delivery_attempts USING btree (delivery_id, attempt);
CREATE INDEX delivery_attempts_newest_idx ON public.delivery_attempts USING btree (workspace_id, created_at DESC);
alter table delivery_attempts enable row level security;
create policy tenant on delivery_attempts using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table delivery_attempts to muster_viewer;

create table delivery_events (
  id uuid not null,
  workspace_id uuid not null,
  event text not null,
  task_id uuid,
  team_run_id uuid,
  attempt integer not null,
  title text not null,
  worker text not null,
  status text not null,
  result text not null,
  error text,
  happened_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  finish_reason text,
  constraint delivery_events_pkey PRIMARY KEY (id),
  constraint delivery_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint delivery_events_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX delivery_events_created_at_idx ON public.delivery_events USING brin (created_at);
alter table delivery_events enable row level security;
create policy tenant on delivery_events using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table delivery_events to muster_app;
grant select on table delivery_events to muster_viewer;

create table erasures (
  id uuid not null,
  kind text not null,
  subject_id uuid not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  requested_by uuid,
  workspaces uuid[] default '{}'::uuid[] not null,
  removed jsonb default '{}'::jsonb not null,
  ended_at timestamp with time zone,
  constraint erasures_pkey PRIMARY KEY (id),
  constraint erasures_kind_check CHECK ((kind = ANY (ARRAY['workspace'::text, 'person'::text]))),
  constraint erasures_subject_id_key UNIQUE (subject_id)
);
CREATE INDEX erasures_open_idx ON public.erasures USING btree (kind) WHERE (ended_at IS NULL);
alter table erasures enable row level security;

create table executors (
  id uuid not null,
  host text not null,
  machine text default ''::text not null,
  pid integer not null,
  parent_id uuid,
  beat bigint default 0 not null,
  started_at timestamp with time zone default now() not null,
  beat_at timestamp with time zone default clock_timestamp() not null,
  version text,
  wrapping_key text,
  newest_data_key integer,
  current_data_key integer,
  constraint executors_pkey PRIMARY KEY (id)
) with (fillfactor=50);
alter table executors enable row level security;

create table feedback (
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  message_id text,
  user_id uuid not null,
  via text not null,
  rating text,
  note text default ''::text not null,
  correction text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint feedback_pkey PRIMARY KEY (id),
  constraint feedback_rating_check CHECK ((rating = ANY (ARRAY['up'::text, 'down'::text]))),
  constraint feedback_run_id_attempt_message_id_user_id_key UNIQUE NULLS NOT DISTINCT (run_id, attempt, message_id, user_id),
  constraint feedback_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint feedback_via_check CHECK ((via = ANY (ARRAY['console'::text, 'api'::text, 'ag-ui'::text]))),
  constraint feedback_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX feedback_user_id_idx ON public.feedback USING btree (user_id);
CREATE INDEX feedback_workspace_idx ON public.feedback USING btree (workspace_id, run_id);
alter table feedback enable row level security;
create policy reach on feedback as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = feedback.run_id))));
create policy tenant on feedback using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER live_feedback AFTER INSERT OR DELETE OR UPDATE ON feedback FOR EACH ROW EXECUTE FUNCTION announce_change('run', 'run_id', '');
grant delete, insert on table feedback to muster_app;
grant delete, insert on table feedback to muster_reach_app;
grant select on table feedback to muster_reach_viewer;
grant select on table feedback to muster_viewer;
grant update (via, rating, note, correction, updated_at) on feedback to muster_app;
grant update (via, rating, note, correction, updated_at) on feedback to muster_reach_app;

create table files (
  id uuid not null,
  workspace_id uuid not null,
  task_id uuid,
  run_id uuid,
  direction text not null,
  attempt integer,
  name text not null,
  type text not null,
  size integer not null,
  blob_key text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  key_id uuid default (NULLIF(current_setting('muster.key_id'::text, true), ''::text))::uuid,
  constraint files_pkey PRIMARY KEY (id),
  constraint files_blob_key_key UNIQUE (blob_key),
  constraint files_check CHECK (((task_id IS NULL) OR (run_id IS NULL))),
  constraint files_check1 CHECK (((direction = 'output'::text) = (attempt IS NOT NULL))),
  constraint files_direction_check CHECK ((direction = ANY (ARRAY['input'::text, 'output'::text]))),
  constraint files_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint files_run_fkey FOREIGN KEY (workspace_id, run_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE,
  constraint files_size_check CHECK ((size > 0)),
  constraint files_task_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE,
  constraint files_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX files_free_idx ON public.files USING btree (created_at) WHERE ((task_id IS NULL) AND (run_id IS NULL));
CREATE INDEX files_newest_idx ON public.files USING btree (workspace_id, created_at DESC);
CREATE INDEX files_run_idx ON public.files USING btree (run_id, workspace_id, created_at DESC) WHERE (run_id IS NOT NULL);
CREATE INDEX files_task_idx ON public.files USING btree (task_id, workspace_id, created_at DESC) WHERE (task_id IS NOT NULL);
alter table files enable row level security;
create policy reach on files as restrictive to muster_reach_viewer using (((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = files.task_id))) OR (EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = files.run_id))) OR ((task_id IS NULL) AND (run_id IS NULL) AND (key_id = (NULLIF(current_setting('muster.key_id'::text, true), ''::text))::uuid))));
create policy tenant on files using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER file_created AFTER INSERT ON files FOR EACH ROW EXECUTE FUNCTION reference_blob();
CREATE TRIGGER file_deleted AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION release_blob();
CREATE TRIGGER files_count_added AFTER INSERT ON files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER files_count_removed AFTER DELETE ON files REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert on table files to muster_app;
grant delete, insert on table files to muster_reach_app;
grant select on table files to muster_reach_viewer;
grant select on table files to muster_viewer;
grant update (task_id, run_id) on files to muster_app;
grant update (task_id, run_id) on files to muster_reach_app;

create table golden_cases (
  id uuid not null,
  workspace_id uuid not null,
  agent_id uuid not null,
  name text not null,
  source_run_id uuid not null,
  source_attempt integer not null,
  input json not null,
  tools json not null,
  result text,
  expected text not null,
  feedback json not null,
  checks json not null,
  agent_version integer,
  cost_usd numeric not null,
  tokens bigint not null,
  duration_ms double precision not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint golden_cases_pkey PRIMARY KEY (id),
  constraint golden_cases_agent_id_source_run_id_source_attempt_key UNIQUE (agent_id, source_run_id, source_attempt),
  constraint golden_cases_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint golden_cases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX golden_cases_newest_idx ON public.golden_cases USING btree (agent_id, created_at DESC, id DESC);
CREATE INDEX golden_cases_workspace_idx ON public.golden_cases USING btree (workspace_id);
alter table golden_cases enable row level security;
create policy tenant on golden_cases using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_golden_cases AFTER INSERT OR DELETE OR UPDATE OF name, expected, checks ON golden_cases FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change('golden_case', 'id', 'name', 'name source_run_id');
grant delete, insert, update on table golden_cases to muster_app;
grant select on table golden_cases to muster_viewer;

create table golden_gates (
  agent_id uuid not null,
  workspace_id uuid not null,
  required text not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint golden_gates_pkey PRIMARY KEY (agent_id),
  constraint golden_gates_required_check CHECK (((required = ANY (ARRAY['all'::text, 'none'::text])) OR (required ~ '^[1-9][0-9]{0,2}$'::text))),
  constraint golden_gates_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint golden_gates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX golden_gates_workspace_idx ON public.golden_gates USING btree (workspace_id);
alter table golden_gates enable row level security;
create policy tenant on golden_gates using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_golden_gates AFTER INSERT OR UPDATE OF required ON golden_gates FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION audit_change('golden_gate', 'agent_id', '', 'required');
grant insert, update on table golden_gates to muster_admin;
grant select on table golden_gates to muster_viewer;

create table golden_results (
  golden_run_id uuid not null,
  case_id uuid not null,
  workspace_id uuid not null,
  "position" integer not null,
  name text not null,
  before json not null,
  run_id uuid not null,
  checks json,
  tools json,
  cost_usd numeric,
  tokens bigint,
  duration_ms double precision,
  status text default 'running'::text not null,
  result text,
  reason text,
  ended_at timestamp with time zone,
  constraint golden_results_pkey PRIMARY KEY (golden_run_id, case_id),
  constraint golden_results_status_check CHECK ((status = ANY (ARRAY['running'::text, 'passed'::text, 'failed'::text, 'diverged'::text, 'cancelled'::text]))),
  constraint golden_results_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint golden_results_workspace_id_golden_run_id_fkey FOREIGN KEY (workspace_id, golden_run_id) REFERENCES golden_runs(workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX golden_results_run_idx ON public.golden_results USING btree (run_id);
CREATE INDEX golden_results_workspace_idx ON public.golden_results USING btree (workspace_id);
alter table golden_results enable row level security;
create policy tenant on golden_results using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table golden_results to muster_app;
grant select on table golden_results to muster_viewer;

create table golden_runs (
  id uuid not null,
  workspace_id uuid not null,
  agent_id uuid not null,
  candidate json not null,
  version integer,
  model text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint golden_runs_pkey PRIMARY KEY (id),
  constraint golden_runs_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint golden_runs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint golden_runs_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX golden_runs_newest_idx ON public.golden_runs USING btree (agent_id, created_at DESC, id DESC);
alter table golden_runs enable row level security;
create policy tenant on golden_runs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete, insert on table golden_runs to muster_app;
grant select on table golden_runs to muster_viewer;

create table google_connections (
  id uuid not null,
  workspace_id uuid not null,
  email text not null,
  tokens_ciphertext text not null,
  expires_at timestamp with time zone not null,
  status text not null,
  error text,
  refreshing_until timestamp with time zone,
  connected_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint google_connections_pkey PRIMARY KEY (id),
  constraint google_connections_connected_by_fkey FOREIGN KEY (connected_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint google_connections_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
  constraint google_connections_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint google_connections_workspace_id_key UNIQUE (workspace_id)
);
alter table google_connections enable row level security;
create policy tenant on google_connections using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_google_connections AFTER INSERT OR DELETE OR UPDATE OF email ON google_connections FOR EACH ROW EXECUTE FUNCTION audit_change('google_account', 'id', 'email', 'email');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF tokens_ciphertext ON google_connections FOR EACH ROW WHEN (has_retired_key(new.tokens_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant delete on table google_connections to muster_admin;
grant select (id, workspace_id, email, expires_at, status, error, connected_by, created_at, updated_at) on google_connections to muster_viewer;

create table idempotent_answers (
  workspace_id uuid not null,
  key text not null,
  request_hash text not null,
  request_id text not null,
  status smallint not null,
  body_ciphertext text not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotent_answers_pkey PRIMARY KEY (workspace_id, key),
  constraint idempotent_answers_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotent_answers_status_check CHECK ((status = ANY (ARRAY[200, 201]))),
  constraint idempotent_answers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX idempotent_answers_created_at_idx ON public.idempotent_answers USING btree (created_at);
alter table idempotent_answers enable row level security;
create policy tenant on idempotent_answers using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF body_ciphertext ON idempotent_answers FOR EACH ROW WHEN (has_retired_key(new.body_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant insert, select, update on table idempotent_answers to muster_app;
grant insert, select, update on table idempotent_answers to muster_reach_app;
grant select (workspace_id, key, created_at) on idempotent_answers to muster_viewer;

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (issuer, subject),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_user_idx ON public.identities USING btree (user_id);
alter table identities enable row level security;

create table instance_settings (
  key text not null,
  value text not null,
  updated_at timestamp with time zone default now() not null,
  constraint instance_settings_pkey PRIMARY KEY (key)
);
alter table instance_settings enable row level security;

create table invitations (
  id uuid not null,
  workspace_id uuid not null,
  email text not null,
  role text not null,
  token_hash text not null,
  failed_attempts integer default 0 not null,
  invited_by uuid not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  mail_token_hash text,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_mail_token_hash_key UNIQUE (mail_token_hash),
  constraint invitations_member_fkey FOREIGN KEY (workspace_id, invited_by) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE,
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX invitations_address_idx ON public.invitations USING btree (lower(email));
CREATE UNIQUE INDEX invitations_email_key ON public.invitations USING btree (workspace_id, lower(email));
CREATE INDEX invitations_member_idx ON public.invitations USING btree (invited_by, workspace_id);
CREATE INDEX invitations_newest_idx ON public.invitations USING btree (workspace_id, created_at DESC);
alter table invitations enable row level security;
create policy tenant on invitations using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_invitations AFTER INSERT OR DELETE ON invitations FOR EACH ROW EXECUTE FUNCTION audit_change('invitation', 'id', 'email', 'role');
CREATE TRIGGER invitations_count_added AFTER INSERT ON invitations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER invitations_count_removed AFTER DELETE ON invitations REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table invitations to muster_admin;
grant select (id, workspace_id, email, role, invited_by, expires_at, created_at) on invitations to muster_viewer;

create table jobs (
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  attempt integer not null,
  priority smallint not null,
  state text not null,
  run_at timestamp with time zone,
  executor_id uuid,
  fence integer default 0 not null,
  crash_count integer default 0 not null,
  input json not null,
  receiver text collate "C",
  lane text collate "C" generated always as (COALESCE(receiver, (workspace_id)::text)) stored not null,
  suspicion smallint default 0 not null,
  claimed_at timestamp with time zone,
  claimed_by text,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_one_owner CHECK (((state = 'running'::text) = (executor_id IS NOT NULL))),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'suspended'::text]))),
  constraint jobs_subject_id_attempt_key UNIQUE (subject_id, attempt)
) with (fillfactor=70);
CREATE INDEX jobs_delayed_idx ON public.jobs USING btree (run_at) WHERE ((state = 'queued'::text) AND (run_at IS NOT NULL));
CREATE INDEX jobs_executor_idx ON public.jobs USING btree (executor_id) WHERE (executor_id IS NOT NULL);
CREATE INDEX jobs_paced_idx ON public.jobs USING btree (lane) WHERE ((kind = 'delivery'::text) AND (state = 'queued'::text) AND (run_at IS NOT NULL));
CREATE INDEX jobs_queue_idx ON public.jobs USING btree (kind, lane, priority, id) WHERE ((state = 'queued'::text) AND (run_at IS NULL) AND (suspicion = 0));
CREATE INDEX jobs_suspects_idx ON public.jobs USING btree (suspicion, id) WHERE ((state = 'queued'::text) AND (run_at IS NULL) AND (suspicion > 0));
alter table jobs enable row level security;
create policy reach on jobs as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = jobs.subject_id))));
create policy tenant on jobs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete, insert, select, update on table jobs to muster_app;
grant delete, insert, select, update on table jobs to muster_reach_app;
grant select (id, workspace_id, kind, subject_id, attempt, priority, state, run_at, fence, lane, suspicion, claimed_at, claimed_by) on jobs to muster_viewer;

create table keeper (
  is_only boolean default true not null,
  executor_id uuid,
  epoch bigint default 0 not null,
  constraint keeper_pkey PRIMARY KEY (is_only),
  constraint keeper_is_only_check CHECK (is_only)
);
alter table keeper enable row level security;

create table knowledge_bases (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  description text default ''::text not null,
  embedding_model text,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint knowledge_bases_pkey PRIMARY KEY (id),
  constraint knowledge_bases_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint knowledge_bases_description_check CHECK ((length(description) <= 10000)),
  constraint knowledge_bases_embedding_model_check CHECK (((length(embedding_model) >= 1) AND (length(embedding_model) <= 300))),
  constraint knowledge_bases_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint knowledge_bases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint knowledge_bases_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX knowledge_bases_newest_idx ON public.knowledge_bases USING btree (workspace_id, created_at DESC);
alter table knowledge_bases enable row level security;
create policy tenant on knowledge_bases using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_knowledge_bases AFTER INSERT OR DELETE OR UPDATE OF name, description ON knowledge_bases FOR EACH ROW EXECUTE FUNCTION audit_change('knowledge_base', 'id', 'name', 'name');
CREATE TRIGGER knowledge_base_deleted BEFORE DELETE ON knowledge_bases FOR EACH ROW EXECUTE FUNCTION reject_deletion_of_used_knowledge_base();
CREATE TRIGGER knowledge_bases_count_added AFTER INSERT ON knowledge_bases REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER knowledge_bases_count_removed AFTER DELETE ON knowledge_bases REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table knowledge_bases to muster_app;
grant select on table knowledge_bases to muster_viewer;

create table knowledge_documents (
  id uuid not null,
  workspace_id uuid not null,
  knowledge_base_id uuid not null,
  name text not null,
  format text not null,
  media_type text not null,
  size bigint not null,
  tags text[] default '{}'::text[] not null,
  status text default 'pending'::text not null,
  error text,
  warning text,
  progress smallint default 0 not null,
  attempt integer default 1 not null,
  passages integer default 0 not null,
  space text,
  blob_key text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint knowledge_documents_pkey PRIMARY KEY (id),
  constraint knowledge_documents_base_fkey FOREIGN KEY (workspace_id, knowledge_base_id) REFERENCES knowledge_bases(workspace_id, id) ON DELETE CASCADE,
  constraint knowledge_documents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint knowledge_documents_format_check CHECK ((format = ANY (ARRAY['text'::text, 'markdown'::text, 'html'::text, 'csv'::text, 'json'::text, 'pdf'::text, 'docx'::text]))),
  constraint knowledge_documents_name_check CHECK (((length(name) >= 1) AND (length(name) <= 300))),
  constraint knowledge_documents_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint knowledge_documents_size_check CHECK ((size >= 0)),
  constraint knowledge_documents_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'ready'::text, 'failed'::text]))),
  constraint knowledge_documents_tags_check CHECK ((cardinality(tags) <= 20)),
  constraint knowledge_documents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint knowledge_documents_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX knowledge_documents_base_idx ON public.knowledge_documents USING btree (knowledge_base_id, created_at DESC);
CREATE INDEX knowledge_documents_newest_idx ON public.knowledge_documents USING btree (workspace_id, created_at DESC);
alter table knowledge_documents enable row level security;
create policy tenant on knowledge_documents using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_documents AFTER INSERT OR DELETE ON knowledge_documents FOR EACH ROW EXECUTE FUNCTION audit_change('document', 'id', 'name', 'name knowledge_base_id');
CREATE TRIGGER document_jobs AFTER DELETE ON knowledge_documents FOR EACH ROW WHEN (old.status = ANY (ARRAY['pending'::text, 'processing'::text])) EXECUTE FUNCTION delete_jobs();
CREATE TRIGGER knowledge_document_created AFTER INSERT ON knowledge_documents FOR EACH ROW EXECUTE FUNCTION reference_blob();
CREATE TRIGGER knowledge_document_deleted AFTER DELETE ON knowledge_documents FOR EACH ROW EXECUTE FUNCTION release_blob();
CREATE TRIGGER knowledge_documents_count_added AFTER INSERT ON knowledge_documents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER knowledge_documents_count_removed AFTER DELETE ON knowledge_documents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
CREATE TRIGGER live_document AFTER INSERT OR DELETE OR UPDATE OF status, progress ON knowledge_documents FOR EACH ROW EXECUTE FUNCTION announce_change('document', 'id', 'status');
grant delete, insert, update on table knowledge_documents to muster_app;
grant select on table knowledge_documents to muster_viewer;

create table live_viewers (
  workspace_id uuid not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  constraint live_viewers_pkey PRIMARY KEY (workspace_id)
);
alter table live_viewers enable row level security;
create policy tenant on live_viewers using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table live_viewers to muster_viewer;

create table marketplace_installs (
  workspace_id uuid not null,
  agent_id uuid not null,
  constraint marketplace_installs_pkey PRIMARY KEY (workspace_id, agent_id),
  constraint marketplace_installs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX marketplace_installs_agent_idx ON public.marketplace_installs USING btree (agent_id);
alter table marketplace_installs enable row level security;
create policy tenant on marketplace_installs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table marketplace_installs to muster_viewer;

create table mcp_account_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid not null,
  name text not null,
  "position" integer not null,
  title text,
  description text not null,
  input_schema json not null,
  annotations jsonb not null,
  issue text,
  hash text not null,
  constraint mcp_account_tools_pkey PRIMARY KEY (server_id, user_id, name),
  constraint mcp_account_tools_account_fkey FOREIGN KEY (workspace_id, server_id, user_id) REFERENCES mcp_accounts(workspace_id, server_id, user_id) ON DELETE CASCADE
);
CREATE INDEX mcp_account_tools_workspace_idx ON public.mcp_account_tools USING btree (workspace_id, server_id, user_id);
alter table mcp_account_tools enable row level security;
create policy person on mcp_account_tools as restrictive using ((user_id = ( SELECT (NULLIF(current_setting('muster.user_id'::text, true), ''::text))::uuid AS "nullif")));
create policy tenant on mcp_account_tools using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete, insert, update on table mcp_account_tools to muster_app;
grant select on table mcp_account_tools to muster_viewer;

create table mcp_accounts (
  id uuid not null,
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid,
  name text not null,
  tokens_ciphertext text not null,
  expires_at timestamp with time zone,
  status text default 'connected'::text not null,
  error text,
  scope text,
  refresh_id uuid,
  refreshing_until timestamp with time zone,
  connected_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint mcp_accounts_pkey PRIMARY KEY (id),
  constraint mcp_accounts_connected_by_fkey FOREIGN KEY (connected_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint mcp_accounts_member_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE,
  constraint mcp_accounts_owner_key UNIQUE NULLS NOT DISTINCT (server_id, user_id),
  constraint mcp_accounts_person_key UNIQUE (workspace_id, server_id, user_id),
  constraint mcp_accounts_server_fkey FOREIGN KEY (workspace_id, server_id) REFERENCES mcp_servers(workspace_id, id) ON DELETE CASCADE,
  constraint mcp_accounts_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'lost'::text])))
);
CREATE INDEX mcp_accounts_connected_by_idx ON public.mcp_accounts USING btree (connected_by) WHERE (connected_by IS NOT NULL);
CREATE INDEX mcp_accounts_member_idx ON public.mcp_accounts USING btree (user_id, workspace_id) WHERE (user_id IS NOT NULL);
alter table mcp_accounts enable row level security;
create policy tenant on mcp_accounts using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_mcp_accounts AFTER INSERT OR DELETE OR UPDATE OF status ON mcp_accounts FOR EACH ROW EXECUTE FUNCTION audit_change('mcp_account', 'id', 'name', 'name user_id status error scope');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF tokens_ciphertext ON mcp_accounts FOR EACH ROW WHEN (has_retired_key(new.tokens_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant delete, insert on table mcp_accounts to muster_app;
grant select (id, workspace_id, server_id, user_id, name, expires_at, status, error, scope, connected_by, created_at, updated_at) on mcp_accounts to muster_viewer;

create table mcp_servers (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  url text not null,
  headers_ciphertext text,
  headers_shown jsonb default '{}'::jsonb not null,
  timeout_ms integer not null,
  is_enabled boolean default true not null,
  on_change text default 'use'::text not null,
  info jsonb not null,
  tools_fetched_at timestamp with time zone default clock_timestamp() not null,
  last_error text,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  oauth jsonb,
  client_ciphertext text,
  constraint mcp_servers_pkey PRIMARY KEY (id),
  constraint mcp_servers_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint mcp_servers_hold_check CHECK (((on_change = 'use'::text) OR (COALESCE((oauth ->> 'account'::text), ''::text) <> 'person'::text))) NOT VALID,
  constraint mcp_servers_name_check CHECK (((name ~ '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$'::text) AND (length(name) <= 32))),
  constraint mcp_servers_name_key UNIQUE (workspace_id, name),
  constraint mcp_servers_on_change_check CHECK ((on_change = ANY (ARRAY['use'::text, 'hold'::text]))),
  constraint mcp_servers_timeout_ms_check CHECK (((timeout_ms >= 100) AND (timeout_ms <= 600000))),
  constraint mcp_servers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint mcp_servers_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX mcp_servers_newest_idx ON public.mcp_servers USING btree (workspace_id, created_at DESC, id DESC);
alter table mcp_servers enable row level security;
create policy tenant on mcp_servers using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_mcp_servers AFTER INSERT OR DELETE OR UPDATE OF name, url, headers_ciphertext, timeout_ms, is_enabled, on_change, oauth ON mcp_servers FOR EACH ROW EXECUTE FUNCTION audit_change('mcp_server', 'id', 'name', 'name url is_enabled on_change oauth');
CREATE TRIGGER client_key_is_known BEFORE INSERT OR UPDATE OF client_ciphertext ON mcp_servers FOR EACH ROW WHEN (has_retired_key(new.client_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF headers_ciphertext ON mcp_servers FOR EACH ROW WHEN (has_retired_key(new.headers_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant delete, insert on table mcp_servers to muster_admin;
grant select on table mcp_servers to muster_app;
grant update (url, headers_ciphertext, headers_shown, timeout_ms, is_enabled, on_change, updated_at, oauth) on mcp_servers to muster_admin;
grant update (info, tools_fetched_at, last_error, client_ciphertext) on mcp_servers to muster_app;
grant select (id, workspace_id, name, url, headers_shown, timeout_ms, is_enabled, on_change, info, tools_fetched_at, last_error, created_by, created_at, updated_at, oauth) on mcp_servers to muster_viewer;

create table mcp_sign_ins (
  id uuid not null,
  workspace_id uuid not null,
  server_id uuid not null,
  user_id uuid not null,
  state_hash text not null,
  flow_ciphertext text not null,
  expires_at timestamp with time zone not null,
  constraint mcp_sign_ins_pkey PRIMARY KEY (id),
  constraint mcp_sign_ins_state_hash_key UNIQUE (state_hash),
  constraint mcp_sign_ins_workspace_id_server_id_fkey FOREIGN KEY (workspace_id, server_id) REFERENCES mcp_servers(workspace_id, id) ON DELETE CASCADE,
  constraint mcp_sign_ins_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES members(workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX mcp_sign_ins_expires_at_idx ON public.mcp_sign_ins USING btree (expires_at);
CREATE INDEX mcp_sign_ins_member_idx ON public.mcp_sign_ins USING btree (workspace_id, user_id);
CREATE INDEX mcp_sign_ins_server_idx ON public.mcp_sign_ins USING btree (workspace_id, server_id);
alter table mcp_sign_ins enable row level security;
create policy tenant on mcp_sign_ins using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF flow_ciphertext ON mcp_sign_ins FOR EACH ROW WHEN (has_retired_key(new.flow_ciphertext)) EXECUTE FUNCTION reject_retired_key();
grant insert on table mcp_sign_ins to muster_app;
grant select (id, workspace_id, server_id, user_id, expires_at) on mcp_sign_ins to muster_viewer;

create table mcp_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  name text not null,
  "position" integer not null,
  title text,
  description text not null,
  input_schema json not null,
  annotations jsonb not null,
  issue text,
  hash text default ''::text not null,
  approved_hash text,
  constraint mcp_tools_pkey PRIMARY KEY (server_id, name),
  constraint mcp_tools_workspace_id_server_id_fkey FOREIGN KEY (workspace_id, server_id) REFERENCES mcp_servers(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX mcp_tools_workspace_idx ON public.mcp_tools USING btree (workspace_id, server_id);
alter table mcp_tools enable row level security;
create policy tenant on mcp_tools using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_mcp_tools AFTER INSERT OR DELETE OR UPDATE ON mcp_tools FOR EACH ROW EXECUTE FUNCTION audit_mcp_tool();
grant delete, insert, update on table mcp_tools to muster_app;
grant select on table mcp_tools to muster_viewer;

create table members (
  workspace_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone default now() not null,
  can_answer boolean default false not null,
  from_groups boolean default false not null,
  constraint members_pkey PRIMARY KEY (workspace_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text]))),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX members_user_id_idx ON public.members USING btree (user_id);
alter table members enable row level security;
create policy reach on members as restrictive to muster_reach_viewer using ((user_id = (NULLIF(current_setting('muster.user_id'::text, true), ''::text))::uuid));
create policy tenant on members using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_members AFTER INSERT OR DELETE OR UPDATE ON members FOR EACH ROW EXECUTE FUNCTION audit_change('member', 'user_id', '', 'role can_answer');
CREATE TRIGGER members_changed AFTER DELETE OR UPDATE OF role ON members FOR EACH ROW EXECUTE FUNCTION announce_member_change();
CREATE TRIGGER members_changed_sessions AFTER DELETE OR UPDATE OF role, can_answer ON members FOR EACH ROW EXECUTE FUNCTION announce_member_sessions();
CREATE TRIGGER members_leave_channels AFTER DELETE ON members FOR EACH ROW EXECUTE FUNCTION leave_channels();
grant delete, select on table members to muster_admin;
grant select on table members to muster_app;
grant select on table members to muster_reach_viewer;
grant select on table members to muster_viewer;
grant update (role, can_answer) on members to muster_admin;

create table model_gate_waits (
  job_id uuid not null,
  step text not null,
  gate_id text not null,
  provider text not null,
  model text not null,
  workspace_id uuid not null,
  turn double precision not null,
  since timestamp with time zone default clock_timestamp() not null,
  until timestamp with time zone not null,
  ahead integer not null,
  reason text not null,
  is_waiting boolean default true not null,
  rejections integer default 0 not null,
  constraint model_gate_waits_pkey PRIMARY KEY (job_id, step),
  constraint model_gate_waits_reason_check CHECK ((reason = ANY (ARRAY['limit'::text, 'closed'::text]))),
  constraint model_gate_waits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE INDEX model_gate_waits_turn_idx ON public.model_gate_waits USING btree (gate_id, turn, since) WHERE is_waiting;
alter table model_gate_waits enable row level security;
create policy reach on model_gate_waits as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM jobs j
  WHERE (j.id = model_gate_waits.job_id))));
create policy tenant on model_gate_waits using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table model_gate_waits to muster_reach_viewer;
grant select on table model_gate_waits to muster_viewer;

create table model_gates (
  id text not null,
  provider text not null,
  model text not null,
  requests double precision,
  requests_left double precision,
  requests_full_at timestamp with time zone,
  tokens double precision,
  tokens_left double precision,
  tokens_full_at timestamp with time zone,
  is_guess boolean default false not null,
  guessed_at timestamp with time zone,
  passed bigint default 0 not null,
  told bigint default 0 not null,
  requests_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  tokens_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  closed_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  turn double precision default 0 not null,
  turns jsonb default '{}'::jsonb not null,
  busy_at timestamp with time zone default clock_timestamp() not null,
  announced_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint model_gates_pkey PRIMARY KEY (id)
) with (fillfactor=50);
alter table model_gates enable row level security;

create table oauth_records (
  model text not null,
  id_hash text not null,
  key_id uuid,
  payload jsonb not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint oauth_records_pkey PRIMARY KEY (model, id_hash),
  constraint oauth_records_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);
CREATE INDEX oauth_records_expires_at_idx ON public.oauth_records USING btree (expires_at);
CREATE INDEX oauth_records_key_idx ON public.oauth_records USING btree (key_id) WHERE (key_id IS NOT NULL);
alter table oauth_records enable row level security;

create table oauth_states (
  id uuid not null,
  workspace_id uuid not null,
  state_hash text not null,
  user_id uuid not null,
  redirect_uri text not null,
  expires_at timestamp with time zone not null,
  constraint oauth_states_pkey PRIMARY KEY (id),
  constraint oauth_states_state_hash_key UNIQUE (state_hash),
  constraint oauth_states_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint oauth_states_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX oauth_states_expires_at_idx ON public.oauth_states USING btree (expires_at);
alter table oauth_states enable row level security;
create policy tenant on oauth_states using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table oauth_states to muster_admin;
grant select (id, workspace_id, user_id, expires_at) on oauth_states to muster_viewer;

create table output_routes (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  type text not null,
  events text[] not null,
  is_active boolean not null,
  config jsonb not null,
  secrets_ciphertext text,
  host text not null,
  retry_delays integer[] not null,
  failures_in_row integer default 0 not null,
  health text generated always as (
CASE
    WHEN (failures_in_row < 20) THEN 'healthy'::text
    ELSE 'unhealthy'::text
END) stored not null,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  kind text default 'results'::text not null,
  allowed_user_ids text[] default '{}'::text[] not null,
  members jsonb default '[]'::jsonb not null,
  agent_id uuid,
  messages_per_minute integer default 10 not null,
  constraint output_routes_pkey PRIMARY KEY (id),
  constraint output_routes_agent_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE SET NULL (agent_id),
  constraint output_routes_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint output_routes_events_check CHECK ((events <@ '{task.completed,task.failed,team_run.completed,team_run.failed,task.waiting_for_input,audit.recorded}'::text[])),
  constraint output_routes_kind_check CHECK ((kind = ANY (ARRAY['results'::text, 'people'::text, 'agent'::text]))),
  constraint output_routes_messages_per_minute_check CHECK (((messages_per_minute >= 1) AND (messages_per_minute <= 1000))),
  constraint output_routes_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint output_routes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint output_routes_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX output_routes_agent_idx ON public.output_routes USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX output_routes_newest_idx ON public.output_routes USING btree (workspace_id, created_at DESC);
alter table output_routes enable row level security;
create policy reach on output_routes as restrictive to muster_reach_viewer using (false);
create policy tenant on output_routes using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_routes AFTER INSERT OR DELETE OR UPDATE OF name, events, is_active, config, secrets_ciphertext, allowed_user_ids, members, agent_id, messages_per_minute, retry_delays ON output_routes FOR EACH ROW EXECUTE FUNCTION audit_change('route', 'id', 'name', 'name kind type events is_active host allowed_user_ids members agent_id messages_per_minute');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF secrets_ciphertext ON output_routes FOR EACH ROW WHEN (has_retired_key(new.secrets_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER output_routes_count_added AFTER INSERT ON output_routes REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER output_routes_count_removed AFTER DELETE ON output_routes REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, select, update on table output_routes to muster_admin;
grant select (id, name) on output_routes to muster_reach_viewer;
grant select (id, workspace_id, name, type, events, is_active, config, host, retry_delays, failures_in_row, health, last_success_at, last_failure_at, created_by, created_at, updated_at, kind, allowed_user_ids, members, agent_id, messages_per_minute) on output_routes to muster_viewer;

create table output_templates (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  type text not null,
  body text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint output_templates_pkey PRIMARY KEY (id),
  constraint output_templates_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint output_templates_length_check CHECK (((length(body) >= 1) AND (length(body) <= 100000))),
  constraint output_templates_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint output_templates_results_check CHECK ((regexp_count(body, '\{\{\s*task_result\s*\}\}'::text) <= 10)),
  constraint output_templates_type_check CHECK ((type = ANY (ARRAY['Markdown'::text, 'JSON'::text, 'HTML'::text, 'CSV'::text, 'Custom'::text]))),
  constraint output_templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint output_templates_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX output_templates_newest_idx ON public.output_templates USING btree (workspace_id, created_at DESC);
alter table output_templates enable row level security;
create policy reach on output_templates as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM agents a
  WHERE (a.output_template_id = output_templates.id))));
create policy tenant on output_templates using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER output_templates_count_added AFTER INSERT ON output_templates REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER output_templates_count_removed AFTER DELETE ON output_templates REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table output_templates to muster_app;
grant select on table output_templates to muster_reach_viewer;
grant select on table output_templates to muster_viewer;

create table passage_embeddings (
  passage_id uuid not null,
  workspace_id uuid not null,
  scope uuid not null,
  space text not null,
  embedding real[] storage e not null,
  code bit varying generated always as (vector_code(embedding)) stored not null,
  constraint passage_embeddings_pkey PRIMARY KEY (passage_id),
  constraint passage_embeddings_passage_fkey FOREIGN KEY (passage_id, workspace_id) REFERENCES passages(id, workspace_id) ON DELETE CASCADE
);
CREATE INDEX passage_embeddings_code_idx ON public.passage_embeddings USING btree (scope, space) INCLUDE (workspace_id, passage_id, code);
alter table passage_embeddings enable row level security;
create policy tenant on passage_embeddings using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete, insert, update on table passage_embeddings to muster_app;
grant select on table passage_embeddings to muster_viewer;

create table passages (
  id uuid not null,
  workspace_id uuid not null,
  scope uuid not null,
  document_id uuid,
  "position" integer not null,
  heading text,
  page integer,
  content text not null,
  search tsvector generated always as (passage_vector(workspace_id, scope, heading, content)) stored not null,
  memory_id uuid,
  constraint passages_pkey PRIMARY KEY (id, workspace_id),
  constraint passages_document_fkey FOREIGN KEY (workspace_id, document_id) REFERENCES knowledge_documents(workspace_id, id) ON DELETE CASCADE,
  constraint passages_document_id_position_key UNIQUE (document_id, "position"),
  constraint passages_memory_fkey FOREIGN KEY (workspace_id, memory_id) REFERENCES team_memories(workspace_id, id) ON DELETE CASCADE
) with (toast_tuple_target=8160);
CREATE UNIQUE INDEX passages_memory_idx ON public.passages USING btree (memory_id) WHERE (memory_id IS NOT NULL);
CREATE INDEX passages_sample_idx ON public.passages USING btree (scope, uuid_hash(id)) INCLUDE (id, workspace_id);
CREATE INDEX passages_search_idx ON public.passages USING gin (search) WITH (fastupdate='on', gin_pending_list_limit='16384');
alter table passages enable row level security;
create policy tenant on passages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete, insert, update on table passages to muster_app;
grant select on table passages to muster_viewer;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_idx ON public.passkeys USING btree (user_id);
alter table passkeys enable row level security;

create table password_resets (
  user_id uuid not null,
  token_hash text not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (user_id),
  constraint password_resets_token_hash_key UNIQUE (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table password_resets enable row level security;

create table period_sums (
  workspace_id uuid not null,
  subject_id uuid not null,
  bucket text not null,
  start timestamp with time zone not null,
  completed integer not null,
  failed integer not null,
  cancelled integer not null,
  durations jsonb not null,
  error_codes jsonb not null,
  tokens bigint not null,
  cost_usd numeric not null,
  constraint period_sums_pkey PRIMARY KEY (workspace_id, subject_id, bucket, start),
  constraint period_sums_bucket_check CHECK ((bucket = ANY (ARRAY['hour'::text, 'day'::text])))
);
alter table period_sums enable row level security;
create policy tenant on period_sums using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table period_sums to muster_viewer;

create table plan_quotas (
  plan text not null,
  records bigint,
  stored_bytes bigint,
  schedules bigint,
  alerts bigint,
  constraint plan_quotas_pkey PRIMARY KEY (plan),
  constraint plan_quotas_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'team'::text, 'enterprise'::text])))
);
alter table plan_quotas enable row level security;
create policy everyone on plan_quotas for select using (true);
grant select on table plan_quotas to muster_viewer;

create table provider_keys (
  workspace_id uuid not null,
  provider text not null,
  ciphertext text,
  last4 text,
  base_url text,
  resource text,
  region text,
  project text,
  api text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  billing_model text default 'per-token'::text not null,
  constraint provider_keys_pkey PRIMARY KEY (workspace_id, provider),
  constraint provider_keys_api_check CHECK ((api = ANY (ARRAY['responses'::text, 'chat'::text]))),
  constraint provider_keys_billing_model_check CHECK ((billing_model = ANY (ARRAY['per-token'::text, 'subscription-quota'::text]))),
  constraint provider_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
alter table provider_keys enable row level security;
create policy tenant on provider_keys using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_provider_keys AFTER INSERT OR DELETE OR UPDATE ON provider_keys FOR EACH ROW EXECUTE FUNCTION audit_change('provider_key', '', 'provider', 'base_url billing_model resource region project api');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF ciphertext ON provider_keys FOR EACH ROW WHEN (has_retired_key(new.ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER provider_keys_changed AFTER INSERT OR DELETE OR UPDATE ON provider_keys FOR EACH ROW EXECUTE FUNCTION announce_provider_key_change();
grant delete, insert, select, update on table provider_keys to muster_admin;
grant select on table provider_keys to muster_app;
grant update (api) on provider_keys to muster_app;
grant select (workspace_id, provider, last4, base_url, resource, region, project, api, created_at, updated_at, billing_model) on provider_keys to muster_viewer;

create table push_configs (
  id uuid not null,
  workspace_id uuid not null,
  task_id uuid not null,
  name text not null,
  url text not null,
  auth_scheme text,
  secrets_ciphertext text,
  created_at timestamp with time zone default clock_timestamp() not null,
  version text not null,
  constraint push_configs_pkey PRIMARY KEY (id),
  constraint push_configs_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint push_configs_task_id_name_key UNIQUE (task_id, name),
  constraint push_configs_version_check CHECK ((version = ANY (ARRAY['0.3'::text, '1.0'::text]))),
  constraint push_configs_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
alter table push_configs enable row level security;
create policy reach on push_configs as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = push_configs.task_id))));
create policy tenant on push_configs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_push_configs AFTER INSERT OR UPDATE OF url, auth_scheme, secrets_ciphertext ON push_configs FOR EACH ROW EXECUTE FUNCTION audit_change('push_config', 'id', 'name', 'url task_id');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF secrets_ciphertext ON push_configs FOR EACH ROW WHEN (has_retired_key(new.secrets_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER push_config_stored AFTER INSERT OR UPDATE OF url ON push_configs FOR EACH ROW EXECUTE FUNCTION push_stored_config();
grant delete, insert, select, update on table push_configs to muster_app;
grant delete, insert, select, update on table push_configs to muster_reach_app;
grant select (id, workspace_id, task_id, name, url, auth_scheme, created_at, version) on push_configs to muster_viewer;

create table push_devices (
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  endpoint_hash text not null,
  host text not null,
  target_ciphertext text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint push_devices_pkey PRIMARY KEY (id),
  constraint push_devices_endpoint_hash_key UNIQUE (endpoint_hash),
  constraint push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_devices_session_idx ON public.push_devices USING btree (session_id);
CREATE INDEX push_devices_user_idx ON public.push_devices USING btree (user_id);
alter table push_devices enable row level security;
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF target_ciphertext ON push_devices FOR EACH ROW WHEN (has_retired_key(new.target_ciphertext)) EXECUTE FUNCTION reject_retired_key();

create table push_receivers (
  workspace_id uuid not null,
  host text collate "C" not null,
  prover_id uuid not null,
  tried_at timestamp with time zone default clock_timestamp() not null,
  proven_at timestamp with time zone,
  constraint push_receivers_pkey PRIMARY KEY (workspace_id, host),
  constraint push_receivers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
alter table push_receivers enable row level security;
create policy tenant on push_receivers using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table push_receivers to muster_viewer;

create table question_votes (
  interaction_id uuid not null,
  user_id uuid not null,
  workspace_id uuid not null,
  subject_id uuid not null,
  approved boolean not null,
  via text not null,
  at timestamp with time zone default clock_timestamp() not null,
  constraint question_votes_pkey PRIMARY KEY (interaction_id, user_id),
  constraint question_votes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX question_votes_subject_idx ON public.question_votes USING btree (subject_id);
CREATE INDEX question_votes_workspace_idx ON public.question_votes USING btree (workspace_id);
alter table question_votes enable row level security;
create policy reach on question_votes as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = question_votes.subject_id))));
create policy tenant on question_votes using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER live_question_voted AFTER INSERT ON question_votes FOR EACH ROW EXECUTE FUNCTION announce_change('question', 'interaction_id', '');
grant insert on table question_votes to muster_app;
grant insert on table question_votes to muster_reach_app;
grant select on table question_votes to muster_reach_viewer;
grant select on table question_votes to muster_viewer;

create table receiver_paces (
  receiver text collate "C" not null,
  gap interval not null,
  next_at timestamp with time zone not null,
  limited_at timestamp with time zone not null,
  constraint receiver_paces_pkey PRIMARY KEY (receiver)
) with (fillfactor=50);
alter table receiver_paces enable row level security;

create table refresh_tokens (
  token_hash text not null,
  session_id uuid not null,
  created_at timestamp with time zone default now() not null,
  spent_at timestamp with time zone,
  issued_for text,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_session_id_idx ON public.refresh_tokens USING btree (session_id);
CREATE INDEX refresh_tokens_spent_at_idx ON public.refresh_tokens USING btree (spent_at) WHERE (spent_at IS NOT NULL);
alter table refresh_tokens enable row level security;

create table remote_agents (
  id uuid not null,
  workspace_id uuid not null,
  base_url text not null,
  card jsonb not null,
  card_fetched_at timestamp with time zone default clock_timestamp() not null,
  card_error text,
  is_enabled boolean default true not null,
  token_ciphertext text,
  has_token boolean generated always as ((token_ciphertext IS NOT NULL)) stored not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint remote_agents_pkey PRIMARY KEY (id),
  constraint remote_agents_base_url_key UNIQUE (workspace_id, base_url),
  constraint remote_agents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint remote_agents_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint remote_agents_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX remote_agents_newest_idx ON public.remote_agents USING btree (workspace_id, created_at DESC, id DESC);
alter table remote_agents enable row level security;
create policy tenant on remote_agents using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_remote_agents AFTER INSERT OR DELETE OR UPDATE OF base_url, token_ciphertext, is_enabled ON remote_agents FOR EACH ROW EXECUTE FUNCTION audit_change('remote_agent', 'id', 'base_url', 'base_url is_enabled');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF token_ciphertext ON remote_agents FOR EACH ROW WHEN (has_retired_key(new.token_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER remote_agents_count_added AFTER INSERT ON remote_agents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER remote_agents_count_removed AFTER DELETE ON remote_agents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert on table remote_agents to muster_admin;
grant select on table remote_agents to muster_app;
grant update (is_enabled, token_ciphertext, updated_at) on remote_agents to muster_admin;
grant update (card, card_fetched_at, card_error) on remote_agents to muster_app;
grant select (id, workspace_id, base_url, card, card_fetched_at, card_error, is_enabled, has_token, created_by, created_at, updated_at) on remote_agents to muster_viewer;

create table remote_calls (
  workspace_id uuid not null,
  key text not null,
  remote_agent_id uuid not null,
  subject_id uuid not null,
  remote_task_id text,
  remote_context_id text,
  asked_round integer,
  asked_question text,
  answered_round integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  constraint remote_calls_pkey PRIMARY KEY (workspace_id, key),
  constraint remote_calls_workspace_id_remote_agent_id_fkey FOREIGN KEY (workspace_id, remote_agent_id) REFERENCES remote_agents(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX remote_calls_open_idx ON public.remote_calls USING btree (created_at) WHERE (ended_at IS NULL);
CREATE INDEX remote_calls_subject_idx ON public.remote_calls USING btree (subject_id) WHERE (ended_at IS NULL);
alter table remote_calls enable row level security;
create policy tenant on remote_calls using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert, update on table remote_calls to muster_app;
grant select on table remote_calls to muster_viewer;

create table request_counts (
  workspace_id uuid not null,
  subject_id uuid not null,
  period text not null,
  window_start timestamp with time zone not null,
  allowed integer not null,
  used integer not null,
  granted integer not null,
  surface text default 'envelope'::text not null,
  constraint request_counts_pkey PRIMARY KEY (workspace_id, subject_id, surface, period),
  constraint request_counts_period_check CHECK ((period = ANY (ARRAY['minute'::text, 'month'::text]))),
  constraint request_counts_surface_check CHECK ((surface = ANY (ARRAY['envelope'::text, 'shared'::text, 'table'::text, 'provider-test'::text]))),
  constraint request_counts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
) with (fillfactor=50);
alter table request_counts enable row level security;
create policy tenant on request_counts using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table request_counts to muster_viewer;

create table run_ends (
  run_id uuid not null,
  attempt integer not null,
  workspace_id uuid not null,
  agent_id uuid,
  team_id uuid,
  hour timestamp with time zone not null,
  status text not null,
  error_code text not null,
  duration_bucket smallint not null,
  constraint run_ends_pkey PRIMARY KEY (run_id, attempt)
);
alter table run_ends enable row level security;
create policy tenant on run_ends using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table run_ends to muster_viewer;

create table run_executions (
  run_id uuid not null,
  attempt integer not null,
  fence integer not null,
  workspace_id uuid not null,
  process text,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone default clock_timestamp() not null,
  outcome text not null,
  constraint run_executions_pkey PRIMARY KEY (run_id, attempt, fence),
  constraint run_executions_outcome_check CHECK ((outcome = ANY (ARRAY['finished'::text, 'waiting'::text, 'handed_over'::text, 'lost'::text])))
);
CREATE INDEX run_executions_ended_at_idx ON public.run_executions USING brin (ended_at);
alter table run_executions enable row level security;
create policy reach on run_executions as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = run_executions.run_id))));
create policy tenant on run_executions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table run_executions to muster_app;
grant insert on table run_executions to muster_reach_app;
grant select on table run_executions to muster_reach_viewer;
grant select on table run_executions to muster_viewer;

create table run_links (
  id uuid not null,
  token_hash text not null,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  shows_steps boolean not null,
  shows_cost boolean not null,
  created_by uuid not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint run_links_pkey PRIMARY KEY (id),
  constraint run_links_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint run_links_token_hash_key UNIQUE (token_hash),
  constraint run_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX run_links_created_by_idx ON public.run_links USING btree (created_by);
CREATE INDEX run_links_run_idx ON public.run_links USING btree (run_id, created_at DESC);
CREATE INDEX run_links_workspace_idx ON public.run_links USING btree (workspace_id);
alter table run_links enable row level security;
create policy tenant on run_links using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_run_link_created AFTER INSERT ON run_links FOR EACH ROW EXECUTE FUNCTION audit_run_link();
CREATE TRIGGER audit_run_link_revoked AFTER UPDATE OF revoked_at ON run_links FOR EACH ROW WHEN (old.revoked_at IS NULL AND new.revoked_at IS NOT NULL) EXECUTE FUNCTION audit_run_link();
grant insert on table run_links to muster_app;
grant update (revoked_at) on run_links to muster_app;
grant select (id, workspace_id, run_id, attempt, shows_steps, shows_cost, created_by, created_at, expires_at, revoked_at) on run_links to muster_viewer;

create table run_steps (
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  workspace_id uuid not null,
  result json not null,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  first_token_at timestamp with time zone,
  ended_at timestamp with time zone,
  facts json,
  request json,
  tries json,
  exchanges json,
  constraint run_steps_pkey PRIMARY KEY (run_id, attempt, key)
) partition by range (run_id);
CREATE INDEX run_steps_created_at_idx ON ONLY public.run_steps USING brin (created_at);
alter table run_steps enable row level security;
create policy reach on run_steps as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = run_steps.run_id))));
create policy tenant on run_steps using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table run_steps to muster_app;
grant insert on table run_steps to muster_reach_app;
grant select on table run_steps to muster_reach_viewer;
grant select on table run_steps to muster_viewer;

create table run_totals (
  kind text not null,
  status text not null,
  error_code text not null,
  runs bigint not null,
  constraint run_totals_pkey PRIMARY KEY (kind, status, error_code)
);
alter table run_totals enable row level security;

create table runs (
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  parent_id uuid,
  title text not null,
  description text default ''::text not null,
  priority text default 'medium'::text not null,
  status text not null,
  agent_id uuid,
  team_id uuid,
  team_run_id uuid,
  step_idx integer,
  metadata jsonb default '{}'::jsonb not null,
  result text,
  error text,
  error_code text,
  cost_usd numeric(14,8) default 0 not null,
  finish_reason text,
  interaction json,
  attempt integer default 1 not null,
  scheduled_for timestamp with time zone,
  created_by uuid,
  cancelled_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  dispatched_at timestamp with time zone,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  conversation jsonb,
  segment integer default 0 not null,
  waited interval default '00:00:00'::interval not null,
  agent_version integer,
  client_tools jsonb,
  client_request json,
  source_kind text default 'api'::text not null,
  source_id uuid,
  fork jsonb,
  title_search tsvector generated always as (title_search(workspace_id, title)) stored not null,
  trace text,
  started_by uuid,
  started_key uuid,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_agent_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE SET NULL (agent_id),
  constraint runs_kind_check CHECK ((kind = ANY (ARRAY['task'::text, 'team_run'::text]))),
  constraint runs_parent_fkey FOREIGN KEY (workspace_id, parent_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE,
  constraint runs_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
  constraint runs_source_kind_check CHECK ((source_kind = ANY (ARRAY['api'::text, 'console'::text, 'schedule'::text, 'trigger'::text, 'a2a'::text, 'mcp'::text, 'fork'::text, 'page'::text, 'channel'::text, 'golden'::text]))),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'dispatched'::text, 'running'::text, 'waiting_for_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
  constraint runs_team_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE SET NULL (team_id),
  constraint runs_title_check CHECK (((kind = 'team_run'::text) OR ((length(title) >= 1) AND (length(title) <= 200)))),
  constraint runs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint runs_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX runs_active_idx ON public.runs USING btree (workspace_id) WHERE (status = ANY (ARRAY['running'::text, 'waiting_for_input'::text]));
CREATE INDEX runs_agent_cost_idx ON public.runs USING btree (agent_id, cost_usd DESC, id DESC) WHERE ((completed_at IS NOT NULL) AND (parent_id IS NULL) AND (agent_id IS NOT NULL));
CREATE INDEX runs_agent_duration_idx ON public.runs USING btree (agent_id, status, COALESCE(EXTRACT(epoch FROM (completed_at - started_at)), ('-1'::integer)::numeric) DESC, id DESC) WHERE ((completed_at IS NOT NULL) AND (parent_id IS NULL) AND (agent_id IS NOT NULL));
CREATE INDEX runs_agent_newest_idx ON public.runs USING btree (agent_id, created_at DESC, id DESC) WHERE (agent_id IS NOT NULL);
CREATE INDEX runs_all_conversations_idx ON public.runs USING btree (agent_id, created_at DESC, id DESC) WHERE ((conversation IS NOT NULL) AND (agent_id IS NOT NULL) AND ((source_kind = ANY (ARRAY['console'::text, 'channel'::text])) OR ((source_kind = 'fork'::text) AND (attempt > 1))));
CREATE INDEX runs_ended_idx ON public.runs USING btree (workspace_id, completed_at DESC) WHERE ((completed_at IS NOT NULL) AND (parent_id IS NULL));
CREATE INDEX runs_error_newest_idx ON public.runs USING btree (workspace_id, error_code, created_at DESC, id DESC) WHERE (error_code IS NOT NULL);
CREATE INDEX runs_finished_by_agent_idx ON public.runs USING btree (agent_id, completed_at DESC) WHERE (completed_at IS NOT NULL);
CREATE INDEX runs_forks_idx ON public.runs USING btree (((fork ->> 'run_id'::text))) WHERE (fork IS NOT NULL);
CREATE INDEX runs_mcp_calls_idx ON public.runs USING btree (source_id, created_at DESC, id DESC) WHERE ((source_kind = 'mcp'::text) AND (kind = 'task'::text) AND (parent_id IS NULL));
CREATE INDEX runs_newest_idx ON public.runs USING btree (workspace_id, kind, created_at DESC, id DESC);
CREATE INDEX runs_of_parent_idx ON public.runs USING btree (workspace_id, parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX runs_open_by_agent_idx ON public.runs USING btree (agent_id) WHERE ((status = ANY (ARRAY['pending'::text, 'dispatched'::text, 'running'::text, 'waiting_for_input'::text])) AND (agent_id IS NOT NULL));
CREATE INDEX runs_open_by_team_idx ON public.runs USING btree (team_id) WHERE ((status = ANY (ARRAY['pending'::text, 'dispatched'::text, 'running'::text, 'waiting_for_input'::text])) AND (team_id IS NOT NULL));
CREATE INDEX runs_scheduled_idx ON public.runs USING btree (scheduled_for) WHERE ((status = 'pending'::text) AND (scheduled_for IS NOT NULL) AND ((agent_id IS NOT NULL) OR (team_id IS NOT NULL)));
CREATE INDEX runs_source_newest_idx ON public.runs USING btree (workspace_id, source_kind, created_at DESC, id DESC) WHERE (parent_id IS NULL);
CREATE INDEX runs_status_cost_idx ON public.runs USING btree (workspace_id, status, cost_usd DESC, id DESC) WHERE ((completed_at IS NOT NULL) AND (parent_id IS NULL));
CREATE INDEX runs_status_duration_idx ON public.runs USING btree (workspace_id, status, COALESCE(EXTRACT(epoch FROM (completed_at - started_at)), ('-1'::integer)::numeric) DESC, id DESC) WHERE ((completed_at IS NOT NULL) AND (parent_id IS NULL));
CREATE INDEX runs_status_newest_idx ON public.runs USING btree (workspace_id, kind, status, created_at DESC, id DESC);
CREATE INDEX runs_task_forks_idx ON public.runs USING btree (((fork ->> 'task_id'::text))) WHERE (fork IS NOT NULL);
CREATE INDEX runs_team_newest_idx ON public.runs USING btree (team_id, created_at DESC, id DESC) WHERE (team_id IS NOT NULL);
CREATE INDEX runs_title_idx ON public.runs USING gin (title_search) WHERE (parent_id IS NULL);
alter table runs enable row level security;
create policy reach on runs as restrictive to muster_reach_viewer using (((agent_id = ANY (( SELECT current_reach() AS current_reach)::uuid[])) OR (team_id = ANY (( SELECT current_reach() AS current_reach)::uuid[]))));
create policy tenant on runs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_run_cancelled AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (new.status = 'cancelled'::text AND old.status <> 'cancelled'::text AND new.parent_id IS NULL AND new.cancelled_by IS NOT NULL) EXECUTE FUNCTION audit_cancel();
CREATE TRIGGER audit_run_deleted AFTER DELETE ON runs FOR EACH ROW WHEN (old.parent_id IS NULL) EXECUTE FUNCTION audit_run_deletion();
CREATE TRIGGER live_run AFTER INSERT OR UPDATE OF status, title, attempt ON runs FOR EACH ROW WHEN (new.parent_id IS NULL) EXECUTE FUNCTION announce_change('run', 'id', 'status');
CREATE TRIGGER live_run_deleted AFTER DELETE ON runs FOR EACH ROW WHEN (old.parent_id IS NULL) EXECUTE FUNCTION announce_change('run', 'id', 'status');
CREATE TRIGGER run_abandons_calls AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (old.status = 'waiting_for_input'::text AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text]))) EXECUTE FUNCTION announce_abandoned_calls();
CREATE TRIGGER run_budgets AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION delete_budgets();
CREATE TRIGGER run_deleted AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION delete_task_stream();
CREATE TRIGGER run_deleted_questions AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION delete_closed_questions();
CREATE TRIGGER run_deletion_abandons_calls AFTER DELETE ON runs FOR EACH ROW WHEN (old.status = 'waiting_for_input'::text) EXECUTE FUNCTION announce_abandoned_calls();
CREATE TRIGGER run_deliveries AFTER UPDATE ON runs REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION deliver_runs();
CREATE TRIGGER run_due AFTER INSERT OR UPDATE OF scheduled_for ON runs FOR EACH ROW WHEN (new.status = 'pending'::text AND new.scheduled_for IS NOT NULL) EXECUTE FUNCTION announce_due();
CREATE TRIGGER run_ended AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (new.parent_id IS NULL AND new.source_kind <> 'golden'::text AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) AND new.status <> old.status) EXECUTE FUNCTION record_run_end();
CREATE TRIGGER run_golden AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (new.source_kind = 'golden'::text AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) AND new.status <> old.status) EXECUTE FUNCTION note_golden_end();
CREATE TRIGGER run_golden_deleted AFTER DELETE ON runs FOR EACH ROW WHEN (old.source_kind = 'golden'::text AND (old.status <> ALL (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text]))) EXECUTE FUNCTION note_golden_end();
CREATE TRIGGER run_jobs AFTER DELETE ON runs FOR EACH ROW WHEN (old.status <> ALL (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) EXECUTE FUNCTION delete_jobs();
CREATE TRIGGER run_push AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (new.status <> old.status AND new.agent_id IS NOT NULL AND (new.status = ANY (ARRAY['running'::text, 'waiting_for_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))) EXECUTE FUNCTION push_task();
CREATE TRIGGER run_started_deliveries AFTER INSERT ON runs REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION deliver_runs();
CREATE TRIGGER run_stopped_waiting AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (old.status = 'waiting_for_input'::text AND new.status <> 'waiting_for_input'::text) EXECUTE FUNCTION close_task_question();
CREATE TRIGGER run_stops_waiting BEFORE UPDATE OF status ON runs FOR EACH ROW WHEN (old.status = 'waiting_for_input'::text AND new.status <> 'waiting_for_input'::text) EXECUTE FUNCTION add_wait();
CREATE TRIGGER run_traced AFTER UPDATE OF status ON runs FOR EACH ROW WHEN (new.trace ~~ '%-01'::text AND new.status <> old.status AND (new.status = ANY (ARRAY['waiting_for_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))) EXECUTE FUNCTION export_trace();
CREATE TRIGGER runs_count_added AFTER INSERT ON runs REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER runs_count_removed AFTER DELETE ON runs REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
CREATE TRIGGER waiting_run_deleted AFTER DELETE ON runs FOR EACH ROW WHEN (old.status = 'waiting_for_input'::text) EXECUTE FUNCTION close_task_question();
grant delete, insert, select, update on table runs to muster_app;
grant delete, insert, update on table runs to muster_reach_app;
grant select on table runs to muster_reach_viewer;
grant select on table runs to muster_viewer;

create table schedule_fires (
  id uuid not null,
  workspace_id uuid not null,
  schedule_id uuid not null,
  scheduled_at timestamp with time zone not null,
  outcome text not null,
  ticks integer not null,
  task_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint schedule_fires_pkey PRIMARY KEY (id),
  constraint schedule_fires_once UNIQUE (schedule_id, scheduled_at),
  constraint schedule_fires_outcome_check CHECK ((outcome = ANY (ARRAY['fired'::text, 'missed'::text, 'overlap'::text, 'quota'::text, 'manual'::text]))),
  constraint schedule_fires_workspace_id_schedule_id_fkey FOREIGN KEY (workspace_id, schedule_id) REFERENCES schedules(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX schedule_fires_created_at_idx ON public.schedule_fires USING brin (created_at);
CREATE INDEX schedule_fires_newest_idx ON public.schedule_fires USING btree (schedule_id, created_at DESC);
alter table schedule_fires enable row level security;
create policy tenant on schedule_fires using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER live_schedule_fire AFTER INSERT ON schedule_fires FOR EACH ROW EXECUTE FUNCTION announce_change('schedule', 'schedule_id', '');
grant insert on table schedule_fires to muster_app;
grant select on table schedule_fires to muster_viewer;

create table schedules (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  cron text not null,
  time_zone text not null,
  missed text not null,
  overlap text not null,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null,
  description text not null,
  priority text not null,
  metadata jsonb not null,
  next_times timestamp with time zone[] not null,
  next_at timestamp with time zone generated always as (next_times[1]) stored,
  last_fired_at timestamp with time zone,
  last_task_id uuid,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  planned_at timestamp with time zone default clock_timestamp() not null,
  constraint schedules_pkey PRIMARY KEY (id),
  constraint schedules_agent_fkey FOREIGN KEY (workspace_id, assigned_agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint schedules_assignee_check CHECK ((num_nonnulls(assigned_agent_id, assigned_team_id) = 1)),
  constraint schedules_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint schedules_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'once'::text, 'all'::text]))),
  constraint schedules_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint schedules_overlap_check CHECK ((overlap = ANY (ARRAY['allow'::text, 'skip'::text]))),
  constraint schedules_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
  constraint schedules_team_fkey FOREIGN KEY (workspace_id, assigned_team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  constraint schedules_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint schedules_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint schedules_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX schedules_agent_idx ON public.schedules USING btree (assigned_agent_id) WHERE (assigned_agent_id IS NOT NULL);
CREATE INDEX schedules_newest_idx ON public.schedules USING btree (workspace_id, created_at DESC);
CREATE INDEX schedules_next_idx ON public.schedules USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX schedules_planned_idx ON public.schedules USING btree (planned_at) WHERE (next_at IS NOT NULL);
CREATE INDEX schedules_team_idx ON public.schedules USING btree (assigned_team_id) WHERE (assigned_team_id IS NOT NULL);
alter table schedules enable row level security;
create policy reach on schedules as restrictive to muster_reach_viewer using (false);
create policy tenant on schedules using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_schedules AFTER INSERT OR DELETE OR UPDATE OF name, cron, time_zone, missed, overlap, is_active, assigned_agent_id, assigned_team_id, title, description, priority, metadata ON schedules FOR EACH ROW EXECUTE FUNCTION audit_change('schedule', 'id', 'name', 'name cron time_zone is_active assigned_agent_id assigned_team_id');
CREATE TRIGGER live_schedule AFTER INSERT OR DELETE OR UPDATE ON schedules FOR EACH ROW EXECUTE FUNCTION announce_change('schedule', 'id', '');
CREATE TRIGGER new_schedule_due AFTER INSERT ON schedules FOR EACH ROW WHEN (new.next_at IS NOT NULL) EXECUTE FUNCTION announce_due();
CREATE TRIGGER schedule_agent_reviewed BEFORE INSERT OR UPDATE OF assigned_agent_id ON schedules FOR EACH ROW WHEN (new.assigned_agent_id IS NOT NULL) EXECUTE FUNCTION require_reviewed_agent('assigned_agent_id');
CREATE TRIGGER schedule_due AFTER UPDATE OF next_times ON schedules FOR EACH ROW WHEN (new.next_at < COALESCE(old.next_at, 'infinity'::timestamp with time zone)) EXECUTE FUNCTION announce_due();
CREATE TRIGGER schedules_count_added AFTER INSERT ON schedules REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER schedules_count_removed AFTER DELETE ON schedules REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
CREATE TRIGGER schedules_limit AFTER INSERT ON schedules FOR EACH ROW EXECUTE FUNCTION limit_schedules();
grant delete, insert, update on table schedules to muster_app;
grant select on table schedules to muster_viewer;
grant select (id, name) on schedules to muster_reach_viewer;

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table service_accounts (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  client text,
  created_at timestamp with time zone default now() not null,
  removed_at timestamp with time zone,
  networks text[],
  constraint service_accounts_pkey PRIMARY KEY (id),
  constraint service_accounts_id_fkey FOREIGN KEY (id) REFERENCES users(id) ON DELETE CASCADE,
  constraint service_accounts_networks_check CHECK ((cardinality(networks) > 0)),
  constraint service_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX service_accounts_client_key ON public.service_accounts USING btree (workspace_id, client) WHERE (removed_at IS NULL);
CREATE INDEX service_accounts_workspace_idx ON public.service_accounts USING btree (workspace_id, created_at);
alter table service_accounts enable row level security;
create policy tenant on service_accounts using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_service_accounts AFTER UPDATE OF name, networks ON service_accounts FOR EACH ROW EXECUTE FUNCTION audit_change('service_account', 'id', 'name', 'name networks');
CREATE TRIGGER service_accounts_changed AFTER UPDATE OF networks ON service_accounts FOR EACH ROW EXECUTE FUNCTION announce_account_change();
CREATE TRIGGER service_accounts_renamed AFTER UPDATE OF name ON service_accounts FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION rename_service_account();
grant select on table service_accounts to muster_viewer;
grant update (name, removed_at, networks) on service_accounts to muster_admin;

create table sessions (
  id uuid not null,
  user_id uuid not null,
  last_workspace_id uuid not null,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  opened_by text default 'password'::text not null,
  passkey_id uuid,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_opened_by_check CHECK ((opened_by = ANY (ARRAY['password'::text, 'passkey'::text, 'provider'::text, 'setup_link'::text]))),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at_idx ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id, created_at DESC);
alter table sessions enable row level security;
CREATE TRIGGER audit_sessions AFTER INSERT ON sessions FOR EACH ROW WHEN (new.last_workspace_id IS NOT NULL) EXECUTE FUNCTION audit_sign_in();
CREATE TRIGGER session_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION announce_session_end();
CREATE TRIGGER session_raised AFTER UPDATE OF opened_by ON sessions FOR EACH ROW EXECUTE FUNCTION announce_session_end();

create table sign_in_attempts (
  subject text not null,
  count integer not null,
  resets_at timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_attempts_resets_at_idx ON public.sign_in_attempts USING btree (resets_at);
alter table sign_in_attempts enable row level security;

create table spent_sign_ins (
  state_hash text not null,
  expires_at timestamp with time zone not null,
  constraint spent_sign_ins_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX spent_sign_ins_expires_at_idx ON public.spent_sign_ins USING btree (expires_at);
alter table spent_sign_ins enable row level security;

create table stored_changes (
  workspace_id uuid not null,
  records bigint not null,
  stored_bytes bigint not null,
  constraint stored_changes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX stored_changes_workspace_idx ON public.stored_changes USING btree (workspace_id);
alter table stored_changes enable row level security;
create policy tenant on stored_changes using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table stored_changes to muster_viewer;

create table stored_totals (
  workspace_id uuid not null,
  records bigint default 0 not null,
  stored_bytes bigint default 0 not null,
  constraint stored_totals_pkey PRIMARY KEY (workspace_id),
  constraint stored_totals_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
) with (fillfactor=50);
alter table stored_totals enable row level security;
create policy tenant on stored_totals using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table stored_totals to muster_viewer;

create table task_event_pages (
  log_id uuid not null,
  first_seq integer not null,
  last_seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  events json[] storage m not null,
  created_at timestamp with time zone not null,
  constraint task_event_pages_pkey PRIMARY KEY (log_id, last_seq)
) partition by range (log_id);
CREATE INDEX task_event_pages_created_at_idx ON ONLY public.task_event_pages USING brin (created_at);
alter table task_event_pages enable row level security;
create policy reach on task_event_pages as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = task_event_pages.log_id))));
create policy tenant on task_event_pages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table task_event_pages to muster_reach_viewer;
grant select on table task_event_pages to muster_viewer;

create table task_events (
  log_id uuid not null,
  seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  key text,
  event json not null,
  created_at timestamp with time zone default now() not null,
  constraint task_events_pkey PRIMARY KEY (log_id, seq)
) partition by range (log_id);
CREATE INDEX task_events_created_at_idx ON ONLY public.task_events USING brin (created_at);
CREATE UNIQUE INDEX task_events_key_idx ON ONLY public.task_events USING btree (log_id, attempt, key) WHERE (key IS NOT NULL);
alter table task_events enable row level security;
create policy reach on task_events as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = task_events.log_id))));
create policy tenant on task_events using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id)))) with check (((workspace_id = ( SELECT current_workspace_id() AS current_workspace_id)) AND (EXISTS ( SELECT
   FROM task_streams s
  WHERE (s.log_id = task_events.log_id)))));
grant insert, select on table task_events to muster_app;
grant insert on table task_events to muster_reach_app;
grant select on table task_events to muster_reach_viewer;
grant select on table task_events to muster_viewer;

create table task_questions (
  subject_id uuid not null,
  workspace_id uuid not null,
  interaction_id uuid not null,
  tool_call_id text not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  deadline timestamp with time zone not null,
  question json not null,
  answers json default '{}'::json not null,
  answer_key text not null,
  stage integer default 0 not null,
  constraint task_questions_pkey PRIMARY KEY (subject_id)
);
CREATE INDEX task_questions_deadline_idx ON public.task_questions USING btree (deadline);
CREATE INDEX task_questions_workspace_idx ON public.task_questions USING btree (workspace_id, deadline, interaction_id);
alter table task_questions enable row level security;
create policy reach on task_questions as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = task_questions.subject_id))));
create policy tenant on task_questions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER live_question_asked AFTER INSERT OR DELETE OR UPDATE ON task_questions FOR EACH ROW EXECUTE FUNCTION announce_change('question', 'interaction_id', '');
CREATE TRIGGER question_continues_reply AFTER DELETE ON task_questions FOR EACH ROW WHEN ((old.question -> 'clientCalls'::text) IS NULL) EXECUTE FUNCTION continue_channel_reply();
CREATE TRIGGER question_due AFTER INSERT OR UPDATE OF deadline ON task_questions FOR EACH ROW WHEN (isfinite(new.deadline)) EXECUTE FUNCTION announce_due();
CREATE TRIGGER question_push_closed AFTER DELETE ON task_questions FOR EACH ROW EXECUTE FUNCTION push_closed_question();
CREATE TRIGGER question_pushed AFTER INSERT OR UPDATE OF stage ON task_questions FOR EACH ROW WHEN ((new.question -> 'clientCalls'::text) IS NULL) EXECUTE FUNCTION push_question();
grant select on table task_questions to muster_reach_viewer;
grant select on table task_questions to muster_viewer;
grant update (deadline, answers, stage) on task_questions to muster_app;
grant update (deadline, answers, stage) on task_questions to muster_reach_app;

create table task_streams (
  log_id uuid not null,
  workspace_id uuid not null,
  attempt integer not null,
  last_seq integer default 0 not null,
  first_seq integer default 1 not null,
  closed boolean default false not null,
  last_batch uuid,
  constraint task_streams_pkey PRIMARY KEY (log_id)
) with (fillfactor=70);
alter table task_streams enable row level security;
create policy reach on task_streams as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = task_streams.log_id))));
create policy tenant on task_streams using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id)))) with check (((workspace_id = ( SELECT current_workspace_id() AS current_workspace_id)) AND (EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = task_streams.log_id)))));
CREATE TRIGGER task_stream_closed AFTER UPDATE OF closed ON task_streams FOR EACH ROW WHEN (new.closed AND NOT old.closed AND (new.last_seq - new.first_seq) >= 32) EXECUTE FUNCTION queue_packing();
CREATE TRIGGER task_stream_deleted AFTER DELETE ON task_streams FOR EACH ROW EXECUTE FUNCTION delete_task_events();
CREATE TRIGGER task_stream_deleted_with_pages AFTER DELETE ON task_streams FOR EACH ROW EXECUTE FUNCTION delete_task_event_pages();
grant delete, insert, select, update on table task_streams to muster_app;
grant delete, insert, update on table task_streams to muster_reach_app;
grant select on table task_streams to muster_reach_viewer;
grant select on table task_streams to muster_viewer;

create table team_delegations (
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  version integer not null,
  agent_id uuid not null,
  instruction text not null,
  status text not null,
  result text,
  error text,
  score double precision,
  revisions integer default 0 not null,
  tokens_used integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint team_delegations_pkey PRIMARY KEY (id),
  constraint team_delegations_key UNIQUE (run_id, attempt, key),
  constraint team_delegations_score_check CHECK (((score >= (0)::double precision) AND (score <= (1)::double precision))),
  constraint team_delegations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'revision_requested'::text, 'accepted'::text, 'failed'::text]))),
  constraint team_delegations_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
alter table team_delegations enable row level security;
create policy reach on team_delegations as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = team_delegations.run_id))));
create policy tenant on team_delegations using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table team_delegations to muster_reach_viewer;
grant select on table team_delegations to muster_viewer;

create table team_members (
  id uuid not null,
  workspace_id uuid not null,
  team_id uuid not null,
  agent_id uuid not null,
  role text not null,
  "position" integer not null,
  config jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint team_members_pkey PRIMARY KEY (id),
  constraint team_members_role_check CHECK ((role = ANY (ARRAY['orchestrator'::text, 'worker'::text, 'reviewer'::text, 'participant'::text]))),
  constraint team_members_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint team_members_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX team_members_agent_idx ON public.team_members USING btree (agent_id);
CREATE INDEX team_members_team_idx ON public.team_members USING btree (team_id, "position");
alter table team_members enable row level security;
create policy reach on team_members as restrictive to muster_reach_viewer using ((team_id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on team_members using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER member_agent_reviewed BEFORE INSERT OR UPDATE OF agent_id ON team_members FOR EACH ROW EXECUTE FUNCTION require_reviewed_agent('agent_id');
grant delete, insert, update on table team_members to muster_app;
grant select on table team_members to muster_reach_viewer;
grant select on table team_members to muster_viewer;

create table team_memories (
  id uuid not null,
  workspace_id uuid not null,
  team_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  status text not null,
  task text not null,
  outcome text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint team_memories_pkey PRIMARY KEY (id),
  constraint team_memories_run UNIQUE (run_id, attempt),
  constraint team_memories_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text]))),
  constraint team_memories_tenant_key UNIQUE (workspace_id, id),
  constraint team_memories_workspace_id_team_id_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX team_memories_newest_idx ON public.team_memories USING btree (team_id, created_at DESC, id DESC);
alter table team_memories enable row level security;
create policy reach on team_memories as restrictive to muster_reach_viewer using ((team_id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on team_memories using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant delete on table team_memories to muster_app;
grant select on table team_memories to muster_reach_viewer;
grant select on table team_memories to muster_viewer;

create table team_messages (
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  sender_agent_id uuid,
  receiver_agent_id uuid,
  message_type text not null,
  content text not null,
  metadata jsonb default '{}'::jsonb not null,
  step_idx integer,
  tokens_used integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  attempt integer default 1 not null,
  key text,
  constraint team_messages_pkey PRIMARY KEY (id),
  constraint team_messages_key UNIQUE (run_id, attempt, key),
  constraint team_messages_message_type_check CHECK ((message_type = ANY (ARRAY['delegation'::text, 'handoff'::text, 'broadcast'::text, 'tool_call'::text, 'result'::text, 'system'::text, 'rejection'::text, 'revision_request'::text, 'discussion'::text]))),
  constraint team_messages_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id) REFERENCES runs(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX team_messages_run_idx ON public.team_messages USING btree (run_id, created_at, id);
alter table team_messages enable row level security;
create policy reach on team_messages as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = team_messages.run_id))));
create policy tenant on team_messages using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant insert on table team_messages to muster_app;
grant insert on table team_messages to muster_reach_app;
grant select on table team_messages to muster_reach_viewer;
grant select on table team_messages to muster_viewer;

create table teams (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  description text default ''::text not null,
  mode text not null,
  config jsonb not null,
  output_route_ids uuid[],
  is_marketplace boolean default false not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint teams_mode_check CHECK ((mode = ANY (ARRAY['pipeline'::text, 'orchestrator'::text, 'collaboration'::text]))),
  constraint teams_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint teams_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint teams_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX teams_newest_idx ON public.teams USING btree (workspace_id, created_at DESC);
alter table teams enable row level security;
create policy reach on teams as restrictive to muster_reach_viewer using ((id = ANY (( SELECT current_reach() AS current_reach)::uuid[])));
create policy tenant on teams using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_teams AFTER INSERT OR DELETE OR UPDATE OF name, description, mode, config, output_route_ids, is_marketplace ON teams FOR EACH ROW EXECUTE FUNCTION audit_change('team', 'id', 'name', 'name mode output_route_ids is_marketplace');
CREATE TRIGGER team_budgets AFTER DELETE ON teams FOR EACH ROW EXECUTE FUNCTION delete_budgets();
CREATE TRIGGER teams_check_output_routes BEFORE INSERT OR UPDATE OF output_route_ids ON teams FOR EACH ROW WHEN (new.output_route_ids <> '{}'::uuid[]) EXECUTE FUNCTION check_output_routes();
CREATE TRIGGER teams_count_added AFTER INSERT ON teams REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER teams_count_removed AFTER DELETE ON teams REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table teams to muster_app;
grant select on table teams to muster_reach_viewer;
grant select on table teams to muster_viewer;

create table trace_exports (
  subject_id uuid not null,
  attempt integer not null,
  workspace_id uuid not null,
  trace text not null,
  version integer default 1 not null,
  ready_at timestamp with time zone default clock_timestamp(),
  claimed_until timestamp with time zone,
  sent text[] default '{}'::text[] not null,
  constraint trace_exports_pkey PRIMARY KEY (subject_id, attempt),
  constraint trace_exports_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE
);
CREATE INDEX trace_exports_ready_idx ON public.trace_exports USING btree (workspace_id, ready_at);
alter table trace_exports enable row level security;
create policy tenant on trace_exports using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table trace_exports to muster_viewer;

create table trello_channels (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  list_id text,
  secret_ciphertext text not null,
  credentials_ciphertext text,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  priority text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint trello_channels_pkey PRIMARY KEY (id),
  constraint trello_channels_agent_fkey FOREIGN KEY (workspace_id, assigned_agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint trello_channels_assignee_check CHECK ((num_nonnulls(assigned_agent_id, assigned_team_id) = 1)),
  constraint trello_channels_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint trello_channels_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint trello_channels_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
  constraint trello_channels_team_fkey FOREIGN KEY (workspace_id, assigned_team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  constraint trello_channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint trello_channels_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX trello_channels_agent_idx ON public.trello_channels USING btree (assigned_agent_id) WHERE (assigned_agent_id IS NOT NULL);
CREATE INDEX trello_channels_newest_idx ON public.trello_channels USING btree (workspace_id, created_at DESC);
CREATE INDEX trello_channels_team_idx ON public.trello_channels USING btree (assigned_team_id) WHERE (assigned_team_id IS NOT NULL);
alter table trello_channels enable row level security;
create policy tenant on trello_channels using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_trello_channels AFTER INSERT OR DELETE OR UPDATE ON trello_channels FOR EACH ROW EXECUTE FUNCTION audit_change('trello_channel', 'id', 'name', 'name list_id is_active assigned_agent_id assigned_team_id');
CREATE TRIGGER credentials_key_is_known BEFORE INSERT OR UPDATE OF credentials_ciphertext ON trello_channels FOR EACH ROW WHEN (has_retired_key(new.credentials_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF secret_ciphertext ON trello_channels FOR EACH ROW WHEN (has_retired_key(new.secret_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER trello_agent_reviewed BEFORE INSERT OR UPDATE OF assigned_agent_id ON trello_channels FOR EACH ROW WHEN (new.assigned_agent_id IS NOT NULL) EXECUTE FUNCTION require_reviewed_agent('assigned_agent_id');
CREATE TRIGGER trello_channels_count_added AFTER INSERT ON trello_channels REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER trello_channels_count_removed AFTER DELETE ON trello_channels REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert on table trello_channels to muster_admin;
grant select (id, workspace_id, name, list_id, is_active, assigned_agent_id, assigned_team_id, priority, created_by, created_at) on trello_channels to muster_viewer;

create table trigger_deliveries (
  id uuid not null,
  workspace_id uuid not null,
  trigger_id uuid not null,
  delivery_key text,
  body_hash text not null,
  bytes integer not null,
  outcome text not null,
  reason text,
  task_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint trigger_deliveries_pkey PRIMARY KEY (id),
  constraint trigger_deliveries_delivery_key_check CHECK (((length(delivery_key) >= 1) AND (length(delivery_key) <= 255))),
  constraint trigger_deliveries_once UNIQUE (trigger_id, delivery_key),
  constraint trigger_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'refused'::text]))),
  constraint trigger_deliveries_workspace_id_trigger_id_fkey FOREIGN KEY (workspace_id, trigger_id) REFERENCES triggers(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX trigger_deliveries_created_at_idx ON public.trigger_deliveries USING brin (created_at);
CREATE INDEX trigger_deliveries_newest_idx ON public.trigger_deliveries USING btree (trigger_id, created_at DESC);
alter table trigger_deliveries enable row level security;
create policy tenant on trigger_deliveries using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER live_trigger_delivery AFTER INSERT ON trigger_deliveries FOR EACH ROW EXECUTE FUNCTION announce_change('trigger', 'trigger_id', '');
grant insert on table trigger_deliveries to muster_app;
grant select on table trigger_deliveries to muster_viewer;

create table triggers (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  token_hash text not null,
  token_prefix text not null,
  secret_ciphertext text,
  has_secret boolean generated always as ((secret_ciphertext IS NOT NULL)) stored not null,
  reject_repeats boolean default false not null,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null,
  description text not null,
  priority text not null,
  metadata jsonb not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint triggers_pkey PRIMARY KEY (id),
  constraint triggers_agent_fkey FOREIGN KEY (workspace_id, assigned_agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint triggers_assignee_check CHECK ((num_nonnulls(assigned_agent_id, assigned_team_id) = 1)),
  constraint triggers_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint triggers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint triggers_priority_check CHECK ((priority = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'urgent'::text]))),
  constraint triggers_team_fkey FOREIGN KEY (workspace_id, assigned_team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  constraint triggers_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint triggers_token_hash_key UNIQUE (token_hash),
  constraint triggers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint triggers_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX triggers_agent_idx ON public.triggers USING btree (assigned_agent_id) WHERE (assigned_agent_id IS NOT NULL);
CREATE INDEX triggers_newest_idx ON public.triggers USING btree (workspace_id, created_at DESC);
CREATE INDEX triggers_team_idx ON public.triggers USING btree (assigned_team_id) WHERE (assigned_team_id IS NOT NULL);
alter table triggers enable row level security;
create policy reach on triggers as restrictive to muster_reach_viewer using (false);
create policy tenant on triggers using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_triggers AFTER INSERT OR DELETE OR UPDATE ON triggers FOR EACH ROW EXECUTE FUNCTION audit_change('trigger', 'id', 'name', 'name is_active reject_repeats assigned_agent_id assigned_team_id');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF secret_ciphertext ON triggers FOR EACH ROW WHEN (has_retired_key(new.secret_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER live_trigger AFTER INSERT OR DELETE OR UPDATE ON triggers FOR EACH ROW EXECUTE FUNCTION announce_change('trigger', 'id', '');
CREATE TRIGGER trigger_agent_reviewed BEFORE INSERT OR UPDATE OF assigned_agent_id ON triggers FOR EACH ROW WHEN (new.assigned_agent_id IS NOT NULL) EXECUTE FUNCTION require_reviewed_agent('assigned_agent_id');
CREATE TRIGGER triggers_count_added AFTER INSERT ON triggers REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER triggers_count_removed AFTER DELETE ON triggers REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table triggers to muster_app;
grant select (id, name) on triggers to muster_reach_viewer;
grant select (id, workspace_id, name, token_prefix, has_secret, reject_repeats, is_active, assigned_agent_id, assigned_team_id, title, description, priority, metadata, created_by, created_at, updated_at) on triggers to muster_viewer;

create table unpacked_attempts (
  log_id uuid not null,
  attempt integer not null,
  constraint unpacked_attempts_pkey PRIMARY KEY (log_id, attempt)
);
alter table unpacked_attempts enable row level security;

create table unreferenced_blobs (
  key text not null,
  delete_after timestamp with time zone not null,
  deleting boolean default false not null,
  constraint unreferenced_blobs_pkey PRIMARY KEY (key)
);
CREATE INDEX unreferenced_blobs_delete_after_idx ON public.unreferenced_blobs USING btree (delete_after);
alter table unreferenced_blobs enable row level security;

create table usage_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid,
  team_id uuid,
  provider text not null,
  model text not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_usd numeric not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  interrupted_calls bigint not null,
  worst_case_tokens bigint not null,
  worst_case_cost_usd numeric not null,
  constraint usage_days_key UNIQUE NULLS NOT DISTINCT (workspace_id, day, agent_id, team_id, provider, model)
);
alter table usage_days enable row level security;
create policy tenant on usage_days using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table usage_days to muster_viewer;

create table usage_records (
  id uuid not null,
  workspace_id uuid not null,
  task_id uuid,
  agent_id uuid,
  attempt integer not null,
  step integer,
  provider text not null,
  model text not null,
  prompt_tokens integer not null,
  completion_tokens integer not null,
  cached_tokens integer default 0 not null,
  cache_write_tokens integer default 0 not null,
  reasoning_tokens integer default 0 not null,
  estimated_cost_usd numeric(14,8) not null,
  billing_model text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  team_run_id uuid,
  agent_version integer,
  team_id uuid,
  turn text,
  interrupted boolean default false not null,
  worst_case_tokens integer default 0 not null,
  worst_case_cost_usd numeric(14,8) default 0 not null,
  constraint usage_records_pkey PRIMARY KEY (id),
  constraint usage_records_billing_model_check CHECK ((billing_model = ANY (ARRAY['per-token'::text, 'subscription-quota'::text])))
);
CREATE INDEX usage_records_agent_idx ON public.usage_records USING btree (agent_id);
CREATE INDEX usage_records_created_at_idx ON public.usage_records USING brin (created_at);
CREATE INDEX usage_records_newest_idx ON public.usage_records USING btree (workspace_id, created_at DESC);
CREATE INDEX usage_records_task_idx ON public.usage_records USING btree (task_id, attempt, step);
CREATE INDEX usage_records_team_run_idx ON public.usage_records USING btree (team_run_id) WHERE (team_run_id IS NOT NULL);
alter table usage_records enable row level security;
create policy reach on usage_records as restrictive to muster_reach_viewer using (((EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = usage_records.task_id))) OR (EXISTS ( SELECT
   FROM runs r
  WHERE (r.id = usage_records.team_run_id)))));
create policy tenant on usage_records using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table usage_records to muster_app;
grant select on table usage_records to muster_reach_viewer;
grant select on table usage_records to muster_viewer;

create table usage_sums (
  is_only boolean default true not null,
  until timestamp with time zone not null,
  constraint usage_sums_pkey PRIMARY KEY (is_only),
  constraint usage_sums_is_only_check CHECK (is_only)
);
alter table usage_sums enable row level security;
create policy everybody on usage_sums for select using (true);
grant select on table usage_sums to muster_viewer;

create table users (
  id uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  email_proved boolean default true not null,
  question_mails text[] default '{}'::text[] not null,
  address_claimed boolean default false not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_question_mails_check CHECK ((question_mails <@ '{approvals,questions}'::text[]))
);
CREATE INDEX users_email_idx ON public.users USING btree (lower(email));
CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email)) WHERE email_proved;
alter table users enable row level security;
create policy service_accounts on users to muster_viewer using ((EXISTS ( SELECT
   FROM service_accounts s
  WHERE (s.id = users.id))));
create policy tenant on users using ((EXISTS ( SELECT
   FROM members m
  WHERE (m.user_id = users.id))));
grant select (id, email, name, created_at, updated_at) on users to muster_reach_viewer;
grant select (id, email, name, created_at, updated_at) on users to muster_viewer;

create table vapid_keys (
  public_key text not null,
  private_ciphertext text not null,
  created_at timestamp with time zone default now() not null,
  constraint vapid_keys_pkey PRIMARY KEY (public_key)
);
CREATE UNIQUE INDEX vapid_keys_one_idx ON public.vapid_keys USING btree ((true));
alter table vapid_keys enable row level security;
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF private_ciphertext ON vapid_keys FOR EACH ROW WHEN (has_retired_key(new.private_ciphertext)) EXECUTE FUNCTION reject_retired_key();

create table voice_profiles (
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  tone text not null,
  custom_instructions text default ''::text not null,
  output_format_hints text default ''::text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint voice_profiles_pkey PRIMARY KEY (id),
  constraint voice_profiles_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint voice_profiles_length_check CHECK (((length(custom_instructions) <= 10000) AND (length(output_format_hints) <= 10000))),
  constraint voice_profiles_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint voice_profiles_tone_check CHECK ((tone = ANY (ARRAY['Formal'::text, 'Casual'::text, 'Technical'::text, 'Creative'::text, 'Empathetic'::text, 'Custom'::text]))),
  constraint voice_profiles_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint voice_profiles_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX voice_profiles_newest_idx ON public.voice_profiles USING btree (workspace_id, created_at DESC);
alter table voice_profiles enable row level security;
create policy reach on voice_profiles as restrictive to muster_reach_viewer using ((EXISTS ( SELECT
   FROM agents a
  WHERE (a.voice_profile_id = voice_profiles.id))));
create policy tenant on voice_profiles using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER voice_profiles_count_added AFTER INSERT ON voice_profiles REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER voice_profiles_count_removed AFTER DELETE ON voice_profiles REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert, update on table voice_profiles to muster_app;
grant select on table voice_profiles to muster_reach_viewer;
grant select on table voice_profiles to muster_viewer;

create table webhook_subscriptions (
  id uuid not null,
  workspace_id uuid not null,
  target_url text not null,
  event text not null,
  agent_id uuid,
  team_id uuid,
  is_active boolean default true not null,
  secret_ciphertext text not null,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  previous_secret_ciphertext text,
  previous_secret_until timestamp with time zone,
  constraint webhook_subscriptions_pkey PRIMARY KEY (id),
  constraint webhook_subscriptions_agent_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES agents(workspace_id, id) ON DELETE CASCADE,
  constraint webhook_subscriptions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint webhook_subscriptions_event_check CHECK ((event = ANY (ARRAY['task_started'::text, 'task_completed'::text, 'task_failed'::text, 'task_waiting_for_input'::text, 'team_run_started'::text, 'team_run_completed'::text, 'team_run_failed'::text, 'audit_recorded'::text]))),
  constraint webhook_subscriptions_team_fkey FOREIGN KEY (workspace_id, team_id) REFERENCES teams(workspace_id, id) ON DELETE CASCADE,
  constraint webhook_subscriptions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE,
  constraint webhook_subscriptions_workspace_id_id_key UNIQUE (workspace_id, id)
);
CREATE INDEX webhook_subscriptions_event_idx ON public.webhook_subscriptions USING btree (workspace_id, event) WHERE is_active;
CREATE INDEX webhook_subscriptions_newest_idx ON public.webhook_subscriptions USING btree (workspace_id, created_at DESC);
alter table webhook_subscriptions enable row level security;
create policy tenant on webhook_subscriptions using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_webhooks AFTER INSERT OR DELETE OR UPDATE OF target_url, event, agent_id, team_id, is_active, secret_ciphertext ON webhook_subscriptions FOR EACH ROW EXECUTE FUNCTION audit_change('webhook', 'id', 'target_url', 'target_url event is_active');
CREATE TRIGGER data_key_is_known BEFORE INSERT OR UPDATE OF secret_ciphertext ON webhook_subscriptions FOR EACH ROW WHEN (has_retired_key(new.secret_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER previous_key_is_known BEFORE INSERT OR UPDATE OF previous_secret_ciphertext ON webhook_subscriptions FOR EACH ROW WHEN (has_retired_key(new.previous_secret_ciphertext)) EXECUTE FUNCTION reject_retired_key();
CREATE TRIGGER webhook_subscriptions_count_added AFTER INSERT ON webhook_subscriptions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added();
CREATE TRIGGER webhook_subscriptions_count_removed AFTER DELETE ON webhook_subscriptions REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed();
grant delete, insert on table webhook_subscriptions to muster_app;
grant select (secret_ciphertext) on webhook_subscriptions to muster_app;
grant update (is_active, secret_ciphertext, previous_secret_ciphertext, previous_secret_until) on webhook_subscriptions to muster_app;
grant select (id, workspace_id, target_url, event, agent_id, team_id, is_active, created_by, created_at) on webhook_subscriptions to muster_viewer;

create table workspace_slugs (
  slug text not null,
  workspace_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint workspace_slugs_pkey PRIMARY KEY (slug),
  constraint workspace_slugs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX workspace_slugs_workspace_id_idx ON public.workspace_slugs USING btree (workspace_id);
alter table workspace_slugs enable row level security;
create policy tenant on workspace_slugs using ((NOT (workspace_id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
grant select on table workspace_slugs to muster_viewer;

create table workspaces (
  id uuid not null,
  name text not null,
  plan text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  slug text not null,
  paused boolean default false not null,
  answer_links boolean default false not null,
  log_url text,
  trace_url text,
  run_links boolean default false not null,
  retention_tasks_days integer,
  held_at timestamp with time zone,
  require_passkeys boolean default false not null,
  approvals jsonb default '[]'::jsonb not null,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint workspaces_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'team'::text, 'enterprise'::text]))),
  constraint workspaces_retention_tasks_days_check CHECK ((retention_tasks_days >= 1)),
  constraint workspaces_slug_key UNIQUE (slug)
);
CREATE INDEX workspaces_deleted_idx ON public.workspaces USING btree (id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX workspaces_held_idx ON public.workspaces USING btree (id) WHERE (held_at IS NOT NULL);
alter table workspaces enable row level security;
create policy tenant on workspaces using ((NOT (id IS DISTINCT FROM ( SELECT current_workspace_id() AS current_workspace_id))));
CREATE TRIGGER audit_workspace AFTER UPDATE OF name, plan, paused, answer_links, run_links, require_passkeys, log_url, trace_url, retention_tasks_days, approvals ON workspaces FOR EACH ROW EXECUTE FUNCTION audit_change('workspace', 'id', 'name', 'name plan paused answer_links run_links require_passkeys log_url trace_url retention_tasks_days approvals');
CREATE TRIGGER audit_workspace_deletion BEFORE UPDATE OF deleted_at ON workspaces FOR EACH ROW WHEN (old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION audit_workspace_deletion();
CREATE TRIGGER live_workspace AFTER UPDATE OF paused ON workspaces FOR EACH ROW EXECUTE FUNCTION announce_change('workspace', 'id', '');
CREATE TRIGGER workspace_deleted AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION delete_workspace_usage();
CREATE TRIGGER workspace_deleted_counters AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION delete_workspace_counters();
CREATE TRIGGER workspaces_create_totals AFTER INSERT ON workspaces FOR EACH ROW EXECUTE FUNCTION create_totals();
CREATE TRIGGER workspaces_plan_changed AFTER UPDATE OF plan ON workspaces FOR EACH ROW EXECUTE FUNCTION announce_plan_change();
CREATE TRIGGER workspaces_require_passkeys AFTER UPDATE OF require_passkeys ON workspaces FOR EACH ROW WHEN (old.require_passkeys <> new.require_passkeys) EXECUTE FUNCTION announce_required_passkeys();
CREATE TRIGGER workspaces_slug BEFORE INSERT OR UPDATE OF name ON workspaces FOR EACH ROW EXECUTE FUNCTION set_workspace_slug();
grant select on table workspaces to muster_app;
grant select on table workspaces to muster_reach_viewer;
grant select on table workspaces to muster_viewer;
grant update (name, updated_at, paused, answer_links, log_url, trace_url, run_links, retention_tasks_days, require_passkeys, approvals) on workspaces to muster_admin;

create view agent_exports with (security_invoker=true) as
 SELECT id,
    json_build_object('name', name, 'description', description, 'model', model, 'fallback_model', fallback_model, 'fallback_models', fallback_models, 'provider', provider, 'system_prompt', system_prompt, 'temperature', temperature, 'max_tokens', max_tokens, 'reasoning', reasoning, 'output_schema', output_schema, 'prompt_caching', prompt_caching, 'tags', tags, 'tools', tools_without(tools, '{custom:}'::text[]), 'voice_profile', COALESCE(( SELECT jsonb_strip_nulls(jsonb_build_object('tone', v.tone, 'custom_instructions', NULLIF(v.custom_instructions, ''::text), 'output_format_hints', NULLIF(v.output_format_hints, ''::text))) AS jsonb_strip_nulls
           FROM voice_profiles v
          WHERE v.id = a.voice_profile_id), voice_profile), 'output_template', COALESCE(( SELECT jsonb_build_object('type', t.type, 'body', t.body) AS jsonb_build_object
           FROM output_templates t
          WHERE t.id = a.output_template_id), output_template), 'marketplace_tags', marketplace_tags, 'config', exported_config(workspace_id, config), 'needs_review', needs_review) AS data
   FROM agents a;
grant select on table agent_exports to muster_viewer;

create view agent_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    description,
    model,
    fallback_model,
    fallback_models,
    provider,
    system_prompt,
    temperature,
    max_tokens,
    reasoning,
    output_schema,
    prompt_caching,
    tags,
    tools,
        CASE
            WHEN (EXISTS ( SELECT
               FROM runs t
              WHERE t.agent_id = a.id AND t.source_kind <> 'golden'::text AND (t.status = ANY (ARRAY['dispatched'::text, 'running'::text, 'waiting_for_input'::text])))) THEN 'running'::text
            WHEN (EXISTS ( SELECT
               FROM team_members m
                 JOIN runs r ON r.team_id = m.team_id
              WHERE m.agent_id = a.id AND (r.status = ANY (ARRAY['running'::text, 'waiting_for_input'::text])))) THEN 'running'::text
            WHEN (( SELECT t.status
               FROM runs t
              WHERE t.agent_id = a.id AND t.source_kind <> 'golden'::text AND t.completed_at IS NOT NULL
              ORDER BY t.completed_at DESC
             LIMIT 1)) = 'failed'::text THEN 'failed'::text
            ELSE 'idle'::text
        END AS status,
    voice_profile,
    voice_profile_id,
    output_template,
    output_template_id,
    knowledge_base_ids,
    output_route_ids,
    is_marketplace,
    marketplace_tags,
    install_count,
    is_mcp_published,
    is_a2a_published,
    config,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at,
    version,
    needs_review
   FROM agents a;
grant select on table agent_records to muster_reach_viewer;
grant select on table agent_records to muster_viewer;

create view agent_version_details with (security_invoker=true) as
 SELECT r.agent_id,
    r.version,
    r.changed_by,
    r.created_at,
    r.changed,
    v.fields
   FROM agent_version_records r
     JOIN agent_versions v ON v.agent_id = r.agent_id AND v.version = r.version;
grant select on table agent_version_details to muster_reach_viewer;
grant select on table agent_version_details to muster_viewer;

create view agent_version_records with (security_invoker=true) as
 SELECT agent_id,
    version,
    changed_by,
    iso(created_at) AS created_at,
    ( SELECT COALESCE(json_agg(f.key ORDER BY f.key), '[]'::json) AS "coalesce"
           FROM agent_versions before
             CROSS JOIN json_each(v.fields) f(key, value)
          WHERE before.agent_id = v.agent_id AND before.version = (v.version - 1) AND ((before.fields -> f.key)::text) IS DISTINCT FROM f.value::text) AS changed
   FROM agent_versions v;
grant select on table agent_version_records to muster_reach_viewer;
grant select on table agent_version_records to muster_viewer;

create view alert_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    kind,
    threshold,
    window_minutes,
    min_runs,
    agent_id,
    team_id,
    watched_route_id,
    COALESCE(( SELECT g.name
           FROM agents g
          WHERE g.id = a.agent_id), ( SELECT t.name
           FROM teams t
          WHERE t.id = a.team_id), ( SELECT o.name
           FROM output_routes o
          WHERE o.id = a.watched_route_id)) AS target_name,
    route_id,
    ( SELECT o.name
           FROM output_routes o
          WHERE o.id = a.route_id) AS route_name,
    is_enabled,
    state,
    iso(since) AS since,
    last_value,
    iso(last_checked_at) AS last_checked_at,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM alerts a;
grant select on table alert_records to muster_viewer;

create view budget_records with (security_invoker=true) as
 SELECT b.id,
    b.workspace_id,
    b.scope,
    b.target_id,
    COALESCE(a.name, t.name, g.title) AS target_name,
    b.period,
    trim_scale(b.max_usd) AS max_usd,
    b.max_tokens,
    b.on_breach,
        CASE
            WHEN b.period <> 'run'::text OR w.key IS NOT NULL THEN json_build_object('key', COALESCE(w.key, budget_window(b.period, NULL::uuid, NULL::integer)), 'used_usd', trim_scale(COALESCE(w.used_usd, 0::numeric)), 'used_tokens', COALESCE(w.used_tokens, 0::bigint), 'reserved_usd', trim_scale(COALESCE(w.reserved_usd, 0::numeric)), 'reserved_tokens', COALESCE(w.reserved_tokens, 0::bigint), 'cap_usd', trim_scale(b.max_usd + COALESCE(w.extra_usd, 0::numeric)), 'cap_tokens', b.max_tokens + COALESCE(w.extra_tokens, 0::bigint))
            ELSE NULL::json
        END AS "window",
    b.created_by,
    iso(b.created_at) AS created_at,
    iso(b.updated_at) AS updated_at
   FROM budgets b
     LEFT JOIN LATERAL ( SELECT w_1.budget_id,
            w_1.key,
            w_1.workspace_id,
            w_1.used_usd,
            w_1.used_tokens,
            w_1.reserved_usd,
            w_1.reserved_tokens,
            w_1.extra_usd,
            w_1.extra_tokens,
            w_1.updated_at
           FROM budget_windows w_1
          WHERE w_1.budget_id = b.id AND
                CASE b.period
                    WHEN 'run'::text THEN b.scope = 'run'::text
                    ELSE w_1.key = budget_window(b.period, NULL::uuid, NULL::integer)
                END
          ORDER BY w_1.updated_at DESC
         LIMIT 1) w ON true
     LEFT JOIN LATERAL ( SELECT a_1.name
           FROM agents a_1
          WHERE b.scope = 'agent'::text AND a_1.id = b.target_id
         LIMIT 1) a ON true
     LEFT JOIN LATERAL ( SELECT t_1.name
           FROM teams t_1
          WHERE b.scope = 'team'::text AND t_1.id = b.target_id
         LIMIT 1) t ON true
     LEFT JOIN LATERAL ( SELECT g_1.title
           FROM agent_pages g_1
          WHERE b.scope = 'page'::text AND g_1.id = b.target_id
         LIMIT 1) g ON true;
grant select on table budget_records to muster_reach_viewer;
grant select on table budget_records to muster_viewer;

create view custom_tool_call_records with (security_invoker=true) as
 SELECT id,
    tool_id,
    task_id,
        CASE
            WHEN error IS NULL THEN 'success'::text
            ELSE 'failed'::text
        END AS status,
    http_status,
    duration_ms,
    error,
    iso(created_at) AS created_at
   FROM custom_tool_calls c;
grant select on table custom_tool_call_records to muster_viewer;

create view custom_tool_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    description,
    parameters,
    url,
    method,
    headers_shown AS headers,
    timeout_ms,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM custom_tools t;
grant select on table custom_tool_records to muster_viewer;

create view delivery_details with (security_invoker=true) as
 SELECT id,
    workspace_id,
    event,
    route_id,
    subscription_id,
    target_name,
    type,
    task_id,
    team_run_id,
    is_test,
    redelivery_of,
    status,
    attempt_count,
    http_code,
    error,
    next_attempt_at,
    created_at,
    completed_at,
    ( SELECT COALESCE(json_agg(json_build_object('id', a.id, 'attempt', a.attempt, 'status', a.status, 'http_code', a.http_code, 'error', a.error, 'request',
                CASE
                    WHEN r.event <> 'audit.recorded'::text OR has_table_privilege('audit_log'::text, 'select'::text) THEN a.request
                    ELSE ''::text
                END, 'response',
                CASE
                    WHEN r.event <> 'audit.recorded'::text OR has_table_privilege('audit_log'::text, 'select'::text) THEN a.response
                    ELSE ''::text
                END, 'duration_ms', a.duration_ms, 'created_at', iso(a.created_at)) ORDER BY a.created_at), '[]'::json) AS "coalesce"
           FROM delivery_attempts a
          WHERE a.delivery_id = r.id) AS attempts
   FROM delivery_records r;
grant select on table delivery_details to muster_viewer;

create view delivery_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    event,
    route_id,
    subscription_id,
    target_name,
    type,
    task_id,
    team_run_id,
    is_test,
    redelivery_of,
    status,
    attempt_count,
    http_code,
    error,
        CASE
            WHEN status = 'pending'::text THEN iso(next_attempt_at)
            ELSE NULL::text
        END AS next_attempt_at,
    iso(created_at) AS created_at,
    iso(completed_at) AS completed_at
   FROM deliveries d
  WHERE event <> 'mail.password_reset'::text;
grant select on table delivery_records to muster_viewer;

create view file_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    type,
    size,
    direction,
    task_id,
    run_id,
    attempt,
    created_by,
    iso(created_at) AS created_at,
    COALESCE(( SELECT title_of(r.*) AS title_of
           FROM runs r
          WHERE r.id = f.task_id), ( SELECT title_of(r.*) AS title_of
           FROM runs r
          WHERE r.id = f.run_id)) AS work_title
   FROM files f;
grant select on table file_records to muster_reach_viewer;
grant select on table file_records to muster_viewer;

create view golden_case_details with (security_invoker=true) as
 SELECT r.id,
    r.agent_id,
    r.name,
    r.source_run_id,
    r.source_attempt,
    c.input,
    r.expected,
    c.result,
    r.checks,
    c.tools,
    c.feedback,
    r.agent_version,
    r.cost_usd,
    r.tokens,
    r.duration_ms,
    r.created_by,
    r.created_at,
    r.updated_at
   FROM golden_case_records r
     JOIN golden_cases c ON c.id = r.id;
grant select on table golden_case_details to muster_viewer;

create view golden_case_records with (security_invoker=true) as
 SELECT id,
    agent_id,
    name,
    source_run_id,
    source_attempt,
    expected,
    checks,
    COALESCE(( SELECT json_agg(t.value ->> 'name'::text) AS json_agg
           FROM json_array_elements(c.tools) t(value)), '[]'::json) AS tools,
    agent_version,
    cost_usd::double precision AS cost_usd,
    tokens::double precision AS tokens,
    duration_ms,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM golden_cases c;
grant select on table golden_case_records to muster_viewer;

create view golden_run_details with (security_invoker=true) as
 SELECT id,
    agent_id,
    version,
    model,
    status,
    cases,
    running,
    passed,
    failed,
    diverged,
    cancelled,
    cost_usd,
    cost_usd_before,
    created_by,
    created_at,
    ended_at,
    COALESCE(( SELECT json_agg(json_build_object('case_id', r.case_id, 'name', r.name, 'run_id', r.run_id, 'status', r.status, 'reason', r.reason, 'checks', COALESCE(r.checks, '[]'::json), 'before', r.before, 'after', json_build_object('result', r.result, 'tools', COALESCE(r.tools, '[]'::json), 'cost_usd', r.cost_usd::double precision, 'tokens', r.tokens, 'duration_ms', r.duration_ms)) ORDER BY r."position") AS json_agg
           FROM golden_results r
          WHERE r.golden_run_id = g.id), '[]'::json) AS results
   FROM golden_run_records g;
grant select on table golden_run_details to muster_viewer;

create view golden_run_records with (security_invoker=true) as
 SELECT g.id,
    g.agent_id,
    g.version,
    g.model,
        CASE
            WHEN n.running > 0 THEN 'running'::text
            WHEN n.passed = n.cases THEN 'passed'::text
            ELSE 'failed'::text
        END AS status,
    n.cases,
    n.running,
    n.passed,
    n.failed,
    n.diverged,
    n.cancelled,
    n.cost_usd,
    n.cost_usd_before,
    g.created_by,
    iso(g.created_at) AS created_at,
        CASE
            WHEN n.running = 0 THEN iso(n.ended_at)
            ELSE NULL::text
        END AS ended_at
   FROM golden_runs g
     CROSS JOIN LATERAL ( SELECT count(*)::integer AS cases,
            count(*) FILTER (WHERE r.status = 'running'::text)::integer AS running,
            count(*) FILTER (WHERE r.status = 'passed'::text)::integer AS passed,
            count(*) FILTER (WHERE r.status = 'failed'::text)::integer AS failed,
            count(*) FILTER (WHERE r.status = 'diverged'::text)::integer AS diverged,
            count(*) FILTER (WHERE r.status = 'cancelled'::text)::integer AS cancelled,
            COALESCE(sum(r.cost_usd), 0::numeric)::double precision AS cost_usd,
            COALESCE(sum((r.before ->> 'cost_usd'::text)::numeric), 0::numeric)::double precision AS cost_usd_before,
            max(r.ended_at) AS ended_at
           FROM golden_results r
          WHERE r.golden_run_id = g.id) n;
grant select on table golden_run_records to muster_viewer;

create view google_connection_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    email,
    status,
    error,
    iso(expires_at) AS expires_at,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM google_connections g;
grant select on table google_connection_records to muster_viewer;

create view knowledge_base_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    description,
    embedding_model,
    ( SELECT count(*)::integer AS count
           FROM knowledge_documents d
          WHERE d.knowledge_base_id = b.id) AS documents,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM knowledge_bases b;
grant select on table knowledge_base_records to muster_viewer;

create view knowledge_document_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    knowledge_base_id,
    name,
    format,
    media_type,
    size,
    tags,
    status,
    error,
    warning,
    progress,
    attempt,
    passages,
    space AS embeddings,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM knowledge_documents d;
grant select on table knowledge_document_records to muster_viewer;

create view listed_mcp_tools with (security_invoker=true) as
 SELECT mcp_tools.workspace_id,
    mcp_tools.server_id,
    NULL::uuid AS user_id,
    mcp_tools.name,
    mcp_tools."position",
    mcp_tools.title,
    mcp_tools.description,
    mcp_tools.input_schema,
    mcp_tools.annotations,
    mcp_tools.issue,
    mcp_tools.hash,
    mcp_tools.approved_hash
   FROM mcp_tools
UNION ALL
 SELECT mcp_account_tools.workspace_id,
    mcp_account_tools.server_id,
    mcp_account_tools.user_id,
    mcp_account_tools.name,
    mcp_account_tools."position",
    mcp_account_tools.title,
    mcp_account_tools.description,
    mcp_account_tools.input_schema,
    mcp_account_tools.annotations,
    mcp_account_tools.issue,
    mcp_account_tools.hash,
    mcp_account_tools.hash AS approved_hash
   FROM mcp_account_tools;
grant select on table listed_mcp_tools to muster_viewer;

create view marketplace_agents as
 SELECT id,
    name,
    description,
    model,
    provider,
    tags,
    marketplace_tags,
    tools_without(tools, '{custom:,mcp:}'::text[]) AS tools,
    install_count,
    ( SELECT w.name
           FROM workspaces w
          WHERE w.id = a.workspace_id) AS publisher,
    created_at,
    workspace_id = (( SELECT current_workspace_id() AS current_workspace_id)) AS is_own
   FROM agents a
  WHERE is_marketplace AND (( SELECT current_workspace_id() AS current_workspace_id)) IS NOT NULL;
grant select on table marketplace_agents to muster_viewer;

create view mcp_account_records with (security_invoker=true) as
 SELECT id,
    server_id,
        CASE
            WHEN user_id IS NOT NULL THEN json_build_object('id', user_id, 'name', COALESCE(( SELECT u.name
               FROM users u
              WHERE u.id = a.user_id), 'Former member'::text))
            ELSE NULL::json
        END AS person,
    status,
    error,
    scope,
    iso(expires_at) AS expires_at,
    connected_by,
    iso(created_at) AS connected_at
   FROM mcp_accounts a;
grant select on table mcp_account_records to muster_viewer;

create view mcp_server_records with (security_invoker=true) as
 SELECT s.id,
    s.workspace_id,
    s.name,
    s.url,
    s.headers_shown AS headers,
    s.timeout_ms,
    s.is_enabled,
    s.info ->> 'name'::text AS server_name,
    s.info ->> 'version'::text AS server_version,
    s.info ->> 'protocolVersion'::text AS protocol_version,
    s.info ->> 'transport'::text AS transport,
    ( SELECT count(*)::integer AS count
           FROM listed_mcp_tools t
          WHERE t.server_id = s.id) AS tool_count,
    iso(s.tools_fetched_at) AS tools_fetched_at,
    s.last_error,
    s.created_by,
    iso(s.created_at) AS created_at,
    iso(s.updated_at) AS updated_at,
    s.on_change,
    s.oauth,
        CASE
            WHEN s.oauth IS NOT NULL THEN COALESCE(a.status, 'missing'::text)
            ELSE NULL::text
        END AS account_status,
    a.error AS account_error
   FROM mcp_servers s
     LEFT JOIN mcp_accounts a ON s.oauth IS NOT NULL AND a.server_id = s.id AND NOT a.user_id IS DISTINCT FROM
        CASE
            WHEN (s.oauth ->> 'account'::text) = 'person'::text THEN current_user_id()
            ELSE NULL::uuid
        END;
grant select on table mcp_server_records to muster_viewer;

create view output_route_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    kind,
    type,
    events,
    is_active,
    config,
    allowed_user_ids,
    members,
    agent_id,
    messages_per_minute,
    retry_delays,
    health,
    failures_in_row,
    iso(last_success_at) AS last_success_at,
    iso(last_failure_at) AS last_failure_at,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM output_routes r;
grant select on table output_route_records to muster_viewer;

create view output_template_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    type,
    body,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM output_templates t;
grant select on table output_template_records to muster_viewer;

create view period_totals with (security_invoker=true) as
 SELECT period_sums.workspace_id,
    period_sums.subject_id,
    period_sums.bucket,
    period_sums.start,
    period_sums.completed,
    period_sums.failed,
    period_sums.cancelled,
    period_sums.durations,
    period_sums.error_codes,
    period_sums.tokens,
    period_sums.cost_usd
   FROM period_sums
UNION ALL
 SELECT unsummed_periods.workspace_id,
    unsummed_periods.subject_id,
    unsummed_periods.bucket,
    unsummed_periods.start,
    unsummed_periods.completed,
    unsummed_periods.failed,
    unsummed_periods.cancelled,
    unsummed_periods.durations,
    unsummed_periods.error_codes,
    unsummed_periods.tokens,
    unsummed_periods.cost_usd
   FROM unsummed_periods;
grant select on table period_totals to muster_viewer;

create view remote_agent_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    card ->> 'name'::text AS name,
    card ->> 'description'::text AS description,
    base_url,
    card ->> 'version'::text AS version,
    card ->> 'protocol'::text AS protocol_version,
    card -> 'skills'::text AS skills,
    is_enabled,
    has_token,
    iso(card_fetched_at) AS card_fetched_at,
    card_error,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM remote_agents r;
grant select on table remote_agent_records to muster_viewer;

create view schedule_fire_records with (security_invoker=true) as
 SELECT id,
    schedule_id,
    outcome,
    iso(scheduled_at) AS scheduled_at,
    ticks,
    task_id,
    iso(created_at) AS created_at,
    round(EXTRACT(epoch FROM created_at - scheduled_at) * 1000::numeric)::bigint AS late_ms
   FROM schedule_fires f;
grant select on table schedule_fire_records to muster_viewer;

create view schedule_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    cron,
    time_zone,
    missed,
    overlap,
    is_active,
    assigned_agent_id,
    assigned_team_id,
    title,
    description,
    priority,
    metadata,
    ( SELECT COALESCE(json_agg(iso(t.at) ORDER BY t.at), '[]'::json) AS "coalesce"
           FROM unnest(s.next_times) t(at)) AS next_times,
    iso(last_fired_at) AS last_fired_at,
    last_task_id,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM schedules s;
grant select on table schedule_records to muster_viewer;

create view table_api.agents with (security_invoker=true) as
 SELECT a.id,
    a.workspace_id,
    a.name,
    a.description,
    a.model,
    a.fallback_model,
    a.fallback_models,
    a.provider,
    a.system_prompt,
    a.temperature,
    a.max_tokens,
    a.reasoning,
    a.output_schema::jsonb AS output_schema,
    a.prompt_caching,
    a.tags,
    a.tools,
    r.status,
    a.voice_profile,
    a.voice_profile_id,
    a.output_template,
    a.output_template_id,
    a.knowledge_base_ids,
    a.output_route_ids,
    a.is_marketplace,
    a.marketplace_tags,
    a.install_count,
    a.is_mcp_published,
    a.is_a2a_published,
    a.config,
    a.created_by,
    a.created_at,
    a.updated_at,
    a.needs_review
   FROM agents a
     LEFT JOIN agent_records r ON r.id = a.id;
grant select on table table_api.agents to muster_reach_viewer;
grant select on table table_api.agents to muster_viewer;

create view table_api.delivery_logs with (security_invoker=true) as
 SELECT a.id,
    a.workspace_id,
    a.delivery_id,
    d.route_id,
    d.subscription_id,
    d.task_id,
    d.team_run_id,
    d.event,
    a.attempt,
    a.status,
    a.http_code,
    a.error AS error_message,
    a.duration_ms,
    a.created_at
   FROM delivery_attempts a
     JOIN deliveries d ON d.id = a.delivery_id
  WHERE d.event <> 'mail.password_reset'::text;
grant select on table table_api.delivery_logs to muster_viewer;

create view table_api.listed_agents with (security_invoker=true, security_barrier=true) as
 SELECT agents.id,
    agents.workspace_id,
    agents.name,
    agents.description,
    agents.model,
    agents.fallback_model,
    agents.fallback_models,
    agents.provider,
    agents.system_prompt,
    agents.temperature,
    agents.max_tokens,
    agents.reasoning,
    agents.output_schema,
    agents.prompt_caching,
    agents.tags,
    agents.tools,
    agents.status,
    agents.voice_profile,
    agents.voice_profile_id,
    agents.output_template,
    agents.output_template_id,
    agents.knowledge_base_ids,
    agents.output_route_ids,
    agents.is_marketplace,
    agents.marketplace_tags,
    agents.install_count,
    agents.is_mcp_published,
    agents.is_a2a_published,
    agents.config,
    agents.created_by,
    agents.created_at,
    agents.updated_at,
    agents.needs_review
   FROM table_api.agents
  WHERE agents.is_marketplace
UNION ALL
 SELECT marketplace_agents.id,
    NULL::uuid AS workspace_id,
    marketplace_agents.name,
    marketplace_agents.description,
    marketplace_agents.model,
    NULL::text AS fallback_model,
    NULL::text[] AS fallback_models,
    marketplace_agents.provider,
    NULL::text AS system_prompt,
    NULL::double precision AS temperature,
    NULL::integer AS max_tokens,
    NULL::jsonb AS reasoning,
    NULL::jsonb AS output_schema,
    NULL::boolean AS prompt_caching,
    marketplace_agents.tags,
    marketplace_agents.tools,
    NULL::text AS status,
    NULL::jsonb AS voice_profile,
    NULL::uuid AS voice_profile_id,
    NULL::jsonb AS output_template,
    NULL::uuid AS output_template_id,
    NULL::uuid[] AS knowledge_base_ids,
    NULL::uuid[] AS output_route_ids,
    true AS is_marketplace,
    marketplace_agents.marketplace_tags,
    marketplace_agents.install_count,
    NULL::boolean AS is_mcp_published,
    NULL::boolean AS is_a2a_published,
    NULL::jsonb AS config,
    NULL::uuid AS created_by,
    marketplace_agents.created_at,
    NULL::timestamp with time zone AS updated_at,
    NULL::boolean AS needs_review
   FROM marketplace_agents
  WHERE NOT marketplace_agents.is_own;
grant select on table table_api.listed_agents to muster_viewer;

create view table_api.output_routes with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    kind,
    type,
    events,
    is_active,
    config,
    allowed_user_ids,
    members,
    agent_id,
    messages_per_minute,
    retry_delays,
    health,
    failures_in_row,
    last_success_at,
    last_failure_at,
    created_by,
    created_at,
    updated_at
   FROM output_routes;
grant select on table table_api.output_routes to muster_viewer;

create view table_api.output_templates with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    type,
    body,
    created_by,
    created_at,
    updated_at
   FROM output_templates;
grant select on table table_api.output_templates to muster_reach_viewer;
grant select on table table_api.output_templates to muster_viewer;

create view table_api.remote_agents with (security_invoker=true) as
 SELECT id,
    workspace_id,
    card ->> 'name'::text AS name,
    card ->> 'description'::text AS description,
    base_url,
    card ->> 'version'::text AS version,
    card ->> 'protocol'::text AS protocol_version,
    card -> 'skills'::text AS skills,
    is_enabled,
    card_fetched_at,
    card_error,
    created_by,
    created_at,
    updated_at
   FROM remote_agents r;
grant select on table table_api.remote_agents to muster_viewer;

create view table_api.tasks with (security_invoker=true) as
 SELECT id,
    workspace_id,
    title,
    description,
    priority,
    status,
    assigned_agent_id AS agent_id,
    assigned_team_id,
    team_run_id,
    metadata,
    result,
    error,
    interaction::jsonb AS interaction,
    attempt,
    scheduled_for,
    created_by,
    created_at,
    updated_at,
    dispatched_at,
    started_at,
    completed_at,
    finish_reason
   FROM tasks;
grant select on table table_api.tasks to muster_reach_viewer;
grant select on table table_api.tasks to muster_viewer;

create view table_api.team_delegations with (security_invoker=true) as
 SELECT id,
    workspace_id,
    run_id,
    key,
    agent_id,
    instruction,
    status,
    result,
    error,
    score,
    revisions,
    tokens_used,
    created_at,
    updated_at
   FROM team_delegations;
grant select on table table_api.team_delegations to muster_reach_viewer;
grant select on table table_api.team_delegations to muster_viewer;

create view table_api.team_members with (security_invoker=true) as
 SELECT id,
    workspace_id,
    team_id,
    agent_id,
    role,
    "position",
    config,
    created_at
   FROM team_members;
grant select on table table_api.team_members to muster_reach_viewer;
grant select on table table_api.team_members to muster_viewer;

create view table_api.team_messages with (security_invoker=true) as
 SELECT id,
    workspace_id,
    run_id,
    sender_agent_id,
    receiver_agent_id,
    message_type,
    content,
    metadata,
    step_idx,
    tokens_used,
    created_at
   FROM team_messages;
grant select on table table_api.team_messages to muster_reach_viewer;
grant select on table table_api.team_messages to muster_viewer;

create view table_api.team_runs with (security_invoker=true) as
 SELECT id,
    workspace_id,
    team_id,
    task_id,
    status,
    input_task,
    output,
    error,
    interaction::jsonb AS interaction,
    current_step_idx,
    attempt,
    created_by,
    created_at,
    updated_at,
    started_at,
    completed_at,
    finish_reason
   FROM team_runs;
grant select on table table_api.team_runs to muster_reach_viewer;
grant select on table table_api.team_runs to muster_viewer;

create view table_api.teams with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    description,
    mode,
    config,
    output_route_ids,
    is_marketplace,
    created_by,
    created_at,
    updated_at
   FROM teams;
grant select on table table_api.teams to muster_reach_viewer;
grant select on table table_api.teams to muster_viewer;

create view table_api.usage_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    task_id,
    agent_id,
    team_run_id,
    attempt,
    step,
    provider,
    model,
    prompt_tokens,
    completion_tokens,
    estimated_cost_usd,
    billing_model,
    created_at,
    agent_version,
    turn,
    cached_tokens,
    cache_write_tokens,
    reasoning_tokens,
    interrupted,
    worst_case_tokens,
    worst_case_cost_usd
   FROM usage_records;
grant select on table table_api.usage_records to muster_reach_viewer;
grant select on table table_api.usage_records to muster_viewer;

create view table_api.voice_profiles with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    tone,
    custom_instructions,
    output_format_hints,
    created_by,
    created_at,
    updated_at
   FROM voice_profiles;
grant select on table table_api.voice_profiles to muster_reach_viewer;
grant select on table table_api.voice_profiles to muster_viewer;

create view table_api.webhook_subscriptions with (security_invoker=true) as
 SELECT id,
    workspace_id,
    target_url,
    event,
    agent_id,
    team_id,
    is_active,
    created_by,
    created_at
   FROM webhook_subscriptions;
grant select on table table_api.webhook_subscriptions to muster_viewer;

create view task_log with (security_invoker=true) as
 SELECT task_events.log_id,
    task_events.seq,
    task_events.workspace_id,
    task_events.attempt,
    task_events.key,
    task_events.event,
    task_events.created_at
   FROM task_events
UNION ALL
 SELECT p.log_id,
    p.first_seq + e.n::integer - 1 AS seq,
    p.workspace_id,
    p.attempt,
    NULL::text AS key,
    e.event,
    p.created_at
   FROM task_event_pages p
     CROSS JOIN LATERAL unnest(p.events) WITH ORDINALITY e(event, n);
grant select on table task_log to muster_reach_viewer;
grant select on table task_log to muster_viewer;

create view task_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    title,
    description,
    priority,
    status,
    assigned_agent_id,
    assigned_team_id,
    team_run_id,
    metadata,
    result,
    error,
    interaction,
    ( SELECT to_json(total.*) AS to_json
           FROM ( SELECT COALESCE(sum(u.prompt_tokens), 0::bigint) AS prompt_tokens,
                    COALESCE(sum(u.completion_tokens), 0::bigint) AS completion_tokens,
                    COALESCE(sum(u.prompt_tokens + u.completion_tokens), 0::bigint) AS total_tokens,
                    COALESCE(sum(u.cached_tokens), 0::bigint) AS cached_tokens,
                    COALESCE(sum(u.cache_write_tokens), 0::bigint) AS cache_write_tokens,
                    COALESCE(sum(u.reasoning_tokens), 0::bigint) AS reasoning_tokens,
                    COALESCE(sum(u.estimated_cost_usd), 0::numeric)::double precision AS cost_usd
                   FROM usage_records u
                  WHERE u.task_id = t.id AND u.attempt = t.attempt) total) AS usage,
    attempt,
    iso(scheduled_for) AS scheduled_for,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at,
    iso(dispatched_at) AS dispatched_at,
    iso(started_at) AS started_at,
    iso(completed_at) AS completed_at,
    agent_version,
    ( SELECT COALESCE(json_agg(attachment(f.*) ORDER BY f.direction, f.created_at, f.id), '[]'::json) AS "coalesce"
           FROM files f
          WHERE f.task_id = t.id AND (f.attempt IS NULL OR f.attempt = t.attempt)) AS attachments,
    finish_reason,
    false AS result_truncated
   FROM tasks t;
grant select on table task_records to muster_reach_viewer;
grant select on table task_records to muster_viewer;

create view tasks with (security_invoker=true) as
 SELECT id,
    workspace_id,
    title,
    description,
    priority,
    status,
    agent_id AS assigned_agent_id,
    team_id AS assigned_team_id,
    team_run_id,
    metadata,
    result,
    error,
    interaction,
    attempt,
    scheduled_for,
    created_by,
    created_at,
    updated_at,
    dispatched_at,
    started_at,
    completed_at,
    conversation,
    segment,
    waited,
    agent_version,
    client_tools,
    source_kind,
    source_id,
    error_code,
    cost_usd,
    title_search,
    fork,
    cancelled_by,
    finish_reason,
    client_request,
    kind
   FROM runs
  WHERE kind = 'task'::text;
grant delete, insert, select, update on table tasks to muster_app;
grant delete, insert, update on table tasks to muster_reach_app;
grant select on table tasks to muster_reach_viewer;
grant select on table tasks to muster_viewer;

create view team_memory_records with (security_invoker=true) as
 SELECT id,
    team_id,
    run_id,
    attempt,
    status,
    task,
    outcome,
    iso(created_at) AS created_at
   FROM team_memories m;
grant select on table team_memory_records to muster_reach_viewer;
grant select on table team_memory_records to muster_viewer;

create view team_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    description,
    mode,
    config,
    output_route_ids,
    is_marketplace,
    ( SELECT COALESCE(json_agg(json_build_object('id', m.id, 'agent_id', m.agent_id, 'role', m.role, 'position', m."position", 'config', m.config) ORDER BY m."position"), '[]'::json) AS "coalesce"
           FROM team_members m
          WHERE m.team_id = t.id) AS members,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM teams t;
grant select on table team_records to muster_reach_viewer;
grant select on table team_records to muster_viewer;

create view team_run_details with (security_invoker=true) as
 SELECT id,
    team_id,
    workspace_id,
    task_id,
    status,
    input_task,
    output,
    error,
    interaction,
    current_step_idx,
    usage,
    attempt,
    created_by,
    created_at,
    updated_at,
    started_at,
    completed_at,
    forked_from,
    attachments,
    finish_reason,
    output_truncated,
    ( SELECT COALESCE(json_agg(json_build_object('id', m.id, 'run_id', m.run_id, 'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id, 'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx, 'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) ORDER BY m.created_at, m.id), '[]'::json) AS "coalesce"
           FROM team_messages m
          WHERE m.run_id = r.id AND m.attempt = r.attempt) AS messages,
    ( SELECT COALESCE(json_agg(json_build_object('id', d.id, 'run_id', d.run_id, 'key', d.key, 'agent_id', d.agent_id, 'instruction', d.instruction, 'status', d.status, 'result', d.result, 'error', d.error, 'score', d.score, 'revisions', d.revisions, 'tokens_used', d.tokens_used, 'created_at', iso(d.created_at), 'updated_at', iso(d.updated_at)) ORDER BY (length(d.key)), d.key), '[]'::json) AS "coalesce"
           FROM team_delegations d
          WHERE d.run_id = r.id AND d.attempt = r.attempt) AS delegations,
    usage_by_turn(id, attempt) AS usage_by_turn
   FROM team_run_records r;
grant select on table team_run_details to muster_reach_viewer;
grant select on table team_run_details to muster_viewer;

create view team_run_records with (security_invoker=true) as
 SELECT id,
    team_id,
    workspace_id,
    task_id,
    status,
    input_task,
    output,
    error,
    interaction,
    current_step_idx,
    ( SELECT to_json(total.*) AS to_json
           FROM ( SELECT COALESCE(sum(u.prompt_tokens), 0::bigint) AS prompt_tokens,
                    COALESCE(sum(u.completion_tokens), 0::bigint) AS completion_tokens,
                    COALESCE(sum(u.prompt_tokens + u.completion_tokens), 0::bigint) AS total_tokens,
                    COALESCE(sum(u.cached_tokens), 0::bigint) AS cached_tokens,
                    COALESCE(sum(u.cache_write_tokens), 0::bigint) AS cache_write_tokens,
                    COALESCE(sum(u.reasoning_tokens), 0::bigint) AS reasoning_tokens,
                    COALESCE(sum(u.estimated_cost_usd), 0::numeric)::double precision AS cost_usd
                   FROM usage_records u
                  WHERE u.team_run_id = r.id AND u.attempt = r.attempt) total) AS usage,
    attempt,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at,
    iso(started_at) AS started_at,
    iso(completed_at) AS completed_at,
        CASE
            WHEN fork IS NOT NULL THEN json_build_object('run_id', fork -> 'run_id'::text, 'from_step', fork -> 'from_step'::text)
            ELSE NULL::json
        END AS forked_from,
        CASE
            WHEN task_id IS NULL THEN ( SELECT COALESCE(json_agg(attachment(f.*) ORDER BY f.direction, f.created_at, f.id), '[]'::json) AS "coalesce"
               FROM files f
              WHERE f.run_id = r.id AND (f.attempt IS NULL OR f.attempt = r.attempt))
            ELSE ( SELECT COALESCE(json_agg(attachment(f.*) ORDER BY f.direction, f.created_at, f.id), '[]'::json) AS "coalesce"
               FROM files f
              WHERE f.task_id = r.task_id AND (f.attempt IS NULL OR f.attempt = r.attempt))
        END AS attachments,
    finish_reason,
    false AS output_truncated
   FROM team_runs r;
grant select on table team_run_records to muster_reach_viewer;
grant select on table team_run_records to muster_viewer;

create view team_runs with (security_invoker=true) as
 SELECT id,
    workspace_id,
    team_id,
    parent_id AS task_id,
    status,
    title AS input_task,
    result AS output,
    error,
    interaction,
    step_idx AS current_step_idx,
    attempt,
    created_by,
    created_at,
    updated_at,
    started_at,
    completed_at,
    segment,
    fork,
    waited,
    source_kind,
    source_id,
    error_code,
    cost_usd,
    title_search,
    cancelled_by,
    finish_reason,
    kind
   FROM runs
  WHERE kind = 'team_run'::text;
grant delete, insert, update on table team_runs to muster_app;
grant delete, insert, update on table team_runs to muster_reach_app;
grant select on table team_runs to muster_reach_viewer;
grant select on table team_runs to muster_viewer;

create view trello_channel_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    list_id,
    is_active,
    assigned_agent_id,
    assigned_team_id,
    priority,
    created_by,
    iso(created_at) AS created_at
   FROM trello_channels c;
grant select on table trello_channel_records to muster_viewer;

create view trigger_delivery_records with (security_invoker=true) as
 SELECT id,
    trigger_id,
    outcome,
    reason,
    delivery_key,
    bytes,
    task_id,
    iso(created_at) AS created_at
   FROM trigger_deliveries d;
grant select on table trigger_delivery_records to muster_viewer;

create view trigger_records with (security_invoker=true) as
 SELECT t.id,
    t.workspace_id,
    t.name,
    t.token_prefix,
    t.has_secret,
    t.is_active,
    t.assigned_agent_id,
    t.assigned_team_id,
    t.title,
    t.description,
    t.priority,
    t.metadata,
    t.created_by,
    iso(t.created_at) AS created_at,
    iso(t.updated_at) AS updated_at,
    last.outcome AS last_outcome,
    iso(last.created_at) AS last_delivery_at,
    t.reject_repeats
   FROM triggers t
     LEFT JOIN LATERAL ( SELECT d.outcome,
            d.created_at
           FROM trigger_deliveries d
          WHERE d.trigger_id = t.id
          ORDER BY d.created_at DESC
         LIMIT 1) last ON true;
grant select on table trigger_records to muster_viewer;

create view unsummed_periods with (security_invoker=true) as
 SELECT e.workspace_id,
    s.subject_id,
    b.bucket,
    date_trunc(b.bucket, e.hour, 'UTC'::text) AS start,
    (e.status = 'completed'::text)::integer AS completed,
    (e.status = 'failed'::text)::integer AS failed,
    (e.status = 'cancelled'::text)::integer AS cancelled,
        CASE
            WHEN e.status <> 'cancelled'::text AND e.duration_bucket >= 0 THEN jsonb_build_object(e.duration_bucket, 1)
            ELSE '{}'::jsonb
        END AS durations,
        CASE
            WHEN e.error_code <> ''::text THEN jsonb_build_object(e.error_code, 1)
            ELSE '{}'::jsonb
        END AS error_codes,
    0::bigint AS tokens,
    0::numeric AS cost_usd
   FROM run_ends e
     CROSS JOIN LATERAL ( VALUES (e.workspace_id), (e.agent_id), (e.team_id)) s(subject_id)
     CROSS JOIN ( VALUES ('hour'::text), ('day'::text)) b(bucket)
  WHERE s.subject_id IS NOT NULL
UNION ALL
 SELECT u.workspace_id,
    s.subject_id,
    b.bucket,
    date_trunc(b.bucket, u.created_at, 'UTC'::text) AS start,
    0 AS completed,
    0 AS failed,
    0 AS cancelled,
    '{}'::jsonb AS durations,
    '{}'::jsonb AS error_codes,
    u.prompt_tokens::bigint + u.completion_tokens AS tokens,
    u.estimated_cost_usd AS cost_usd
   FROM usage_records u
     CROSS JOIN LATERAL ( VALUES (u.workspace_id), (u.agent_id)) s(subject_id)
     CROSS JOIN ( VALUES ('hour'::text), ('day'::text)) b(bucket)
  WHERE u.created_at >= (( SELECT usage_sums.until
           FROM usage_sums)) AND s.subject_id IS NOT NULL;
grant select on table unsummed_periods to muster_viewer;

create view usage_by_day with (security_invoker=true) as
 SELECT usage_days.workspace_id,
    usage_days.day,
    usage_days.agent_id,
    usage_days.team_id,
    usage_days.provider,
    usage_days.model,
    usage_days.calls,
    usage_days.prompt_tokens,
    usage_days.completion_tokens,
    usage_days.cost_usd,
    usage_days.cached_tokens,
    usage_days.cache_write_tokens,
    usage_days.reasoning_tokens,
    usage_days.interrupted_calls,
    usage_days.worst_case_tokens,
    usage_days.worst_case_cost_usd
   FROM usage_days
UNION ALL
 SELECT usage_records.workspace_id,
    (usage_records.created_at AT TIME ZONE 'UTC'::text)::date AS day,
    usage_records.agent_id,
    usage_records.team_id,
    usage_records.provider,
    usage_records.model,
    (NOT usage_records.interrupted)::integer::bigint AS calls,
    usage_records.prompt_tokens::bigint AS prompt_tokens,
    usage_records.completion_tokens::bigint AS completion_tokens,
    usage_records.estimated_cost_usd AS cost_usd,
    usage_records.cached_tokens::bigint AS cached_tokens,
    usage_records.cache_write_tokens::bigint AS cache_write_tokens,
    usage_records.reasoning_tokens::bigint AS reasoning_tokens,
    usage_records.interrupted::integer::bigint AS interrupted_calls,
    usage_records.worst_case_tokens::bigint AS worst_case_tokens,
    usage_records.worst_case_cost_usd
   FROM usage_records
  WHERE usage_records.created_at >= (( SELECT usage_sums.until
           FROM usage_sums));
grant select on table usage_by_day to muster_viewer;

create view voice_profile_records with (security_invoker=true) as
 SELECT id,
    workspace_id,
    name,
    tone,
    custom_instructions,
    output_format_hints,
    created_by,
    iso(created_at) AS created_at,
    iso(updated_at) AS updated_at
   FROM voice_profiles v;
grant select on table voice_profile_records to muster_viewer;

create view webhook_subscription_records with (security_invoker=true) as
 SELECT id,
    target_url,
    event,
    agent_id,
    team_id,
    is_active,
    iso(created_at) AS created_at
   FROM webhook_subscriptions s;
grant select on table webhook_subscription_records to muster_viewer;

create view workspace_quotas with (security_invoker=true) as
 SELECT w.id AS workspace_id,
    w.plan,
    t.records + c.records AS records,
    q.records AS max_records,
    t.stored_bytes + c.stored_bytes AS stored_bytes,
    q.stored_bytes AS max_stored_bytes,
    q.schedules AS max_schedules,
    q.alerts AS max_alerts
   FROM workspaces w
     JOIN stored_totals t ON t.workspace_id = w.id
     LEFT JOIN plan_quotas q ON q.plan = w.plan
     CROSS JOIN LATERAL ( SELECT COALESCE(sum(stored_changes.records), 0::numeric)::bigint AS records,
            COALESCE(sum(stored_changes.stored_bytes), 0::numeric)::bigint AS stored_bytes
           FROM stored_changes
          WHERE stored_changes.workspace_id = w.id) c;
grant select on table workspace_quotas to muster_viewer;

CREATE OR REPLACE FUNCTION public.acts_himself(person uuid, key uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select key is null or exists (select from api_keys k where k.id = key and k.created_by = person and k.app is not null)
$function$;
revoke execute on function acts_himself(uuid,uuid) from public;

CREATE OR REPLACE FUNCTION public.add_counts(a jsonb, b jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a = '{}'::jsonb) THEN b WHEN (b = '{}'::jsonb) THEN a ELSE (SELECT jsonb_object_agg(e.key, e.runs) AS jsonb_object_agg FROM (SELECT each_count.key, sum((each_count.value)::integer) AS runs FROM (SELECT jsonb_each.key, jsonb_each.value FROM jsonb_each(add_counts.a) jsonb_each(key, value) UNION ALL SELECT jsonb_each.key, jsonb_each.value FROM jsonb_each(add_counts.b) jsonb_each(key, value)) each_count GROUP BY each_count.key) e) END;

CREATE OR REPLACE FUNCTION public.add_to_receipt(subject uuid, what text, rows bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  update erasures set removed = removed || jsonb_build_object(what, coalesce((removed->>what)::bigint, 0) + rows)
  where subject_id = subject and rows > 0
$function$;
revoke execute on function add_to_receipt(uuid,text,bigint) from public;

CREATE OR REPLACE FUNCTION public.add_usage(since timestamp with time zone, before timestamp with time zone, workspace uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_days as d
  select u.workspace_id, (u.created_at at time zone 'UTC')::date, u.agent_id, u.team_id, u.provider, u.model,
    count(*) filter (where not u.interrupted), sum(u.prompt_tokens), sum(u.completion_tokens),
    sum(u.estimated_cost_usd), sum(u.cached_tokens), sum(u.cache_write_tokens), sum(u.reasoning_tokens),
    count(*) filter (where u.interrupted), sum(u.worst_case_tokens), sum(u.worst_case_cost_usd)
  from usage_records u where u.created_at >= since and u.created_at < before
    and (workspace is null or u.workspace_id = workspace)
  group by 1, 2, 3, 4, 5, 6
  on conflict (workspace_id, day, agent_id, team_id, provider, model) do update set
    calls = d.calls + excluded.calls, prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
    completion_tokens = d.completion_tokens + excluded.completion_tokens, cost_usd = d.cost_usd + excluded.cost_usd,
    cached_tokens = d.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = d.cache_write_tokens + excluded.cache_write_tokens,
    reasoning_tokens = d.reasoning_tokens + excluded.reasoning_tokens,
    interrupted_calls = d.interrupted_calls + excluded.interrupted_calls,
    worst_case_tokens = d.worst_case_tokens + excluded.worst_case_tokens,
    worst_case_cost_usd = d.worst_case_cost_usd + excluded.worst_case_cost_usd;
  insert into period_sums as p
  select u.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, u.created_at, 'UTC'), 0, 0, 0, '{}', '{}',
    sum(u.prompt_tokens + u.completion_tokens), sum(u.estimated_cost_usd)
  from usage_records u
  cross join lateral (values (u.workspace_id), (u.agent_id)) s (subject_id)
  cross join (values ('hour'), ('day')) b (bucket)
  where u.created_at >= since and u.created_at < before
    and (workspace is null or u.workspace_id = workspace) and s.subject_id is not null
  group by 1, 2, 3, 4
  on conflict (workspace_id, subject_id, bucket, start) do update set
    tokens = p.tokens + excluded.tokens, cost_usd = p.cost_usd + excluded.cost_usd;
end $function$;
revoke execute on function add_usage(timestamp with time zone,timestamp with time zone,uuid) from public;

CREATE OR REPLACE FUNCTION public.add_wait()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.waited := old.waited
    + coalesce((select clock_timestamp() - q.asked_at from task_questions q where q.subject_id = old.id), '0');
  return new;
end $function$;
revoke execute on function add_wait() from public;

CREATE OR REPLACE FUNCTION public.agent_snapshot(agent agents)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN json_build_object('id', CASE WHEN (agent).needs_review THEN reject_unreviewed(agent) ELSE (agent).id END, 'version', (agent).version, 'name', (agent).name, 'provider', (agent).provider, 'model', (agent).model, 'fallback_model', (agent).fallback_model, 'fallback_models', (agent).fallback_models, 'system_prompt', (agent).system_prompt, 'temperature', (agent).temperature, 'max_tokens', (agent).max_tokens, 'reasoning', (agent).reasoning, 'output_schema', (agent).output_schema, 'prompt_caching', (agent).prompt_caching, 'tools', (agent).tools, 'knowledge_base_ids', (agent).knowledge_base_ids, 'config', (agent).config, 'workspace_approvals', (SELECT w.approvals FROM workspaces w WHERE (w.id = (agent_snapshot.agent).workspace_id)), 'voice', COALESCE((SELECT jsonb_build_object('tone', v.tone, 'custom_instructions', v.custom_instructions, 'output_format_hints', v.output_format_hints) AS jsonb_build_object FROM voice_profiles v WHERE ((v.id = (agent_snapshot.agent).voice_profile_id) AND (NOT (v.workspace_id IS DISTINCT FROM current_workspace_id())))), (agent).voice_profile), 'template', COALESCE((SELECT jsonb_build_object('type', t.type, 'body', t.body) AS jsonb_build_object FROM output_templates t WHERE ((t.id = (agent_snapshot.agent).output_template_id) AND (NOT (t.workspace_id IS DISTINCT FROM current_workspace_id())))), (agent).output_template));

CREATE OR REPLACE FUNCTION public.agent_version_fields(agent agents)
 RETURNS json
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN json_build_object('name', (agent).name, 'model', (agent).model, 'fallback_models', to_jsonb((agent).fallback_models), 'provider', (agent).provider, 'system_prompt', (agent).system_prompt, 'temperature', (agent).temperature, 'max_tokens', (agent).max_tokens, 'reasoning', (agent).reasoning, 'output_schema', (agent).output_schema, 'prompt_caching', (agent).prompt_caching, 'tools', to_jsonb((agent).tools), 'voice_profile', (agent).voice_profile, 'voice_profile_id', (agent).voice_profile_id, 'output_template', (agent).output_template, 'output_template_id', (agent).output_template_id, 'knowledge_base_ids', to_jsonb((agent).knowledge_base_ids), 'config', (agent).config);

CREATE OR REPLACE FUNCTION public.agents_of_reached_team(team uuid, fork jsonb)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT json_agg(changed_agent_snapshot(a.*, COALESCE(((agents_of_reached_team.fork -> 'agents'::text) -> (a.id)::text), '{}'::jsonb)) ORDER BY m."position") AS json_agg FROM (team_members m JOIN agents a ON ((a.id = m.agent_id))) WHERE ((m.team_id = agents_of_reached_team.team) AND (m.workspace_id = current_workspace_id()) AND (m.team_id = ANY (current_reach()))));
revoke execute on function agents_of_reached_team(uuid,jsonb) from public;
grant execute on function agents_of_reached_team(uuid,jsonb) to muster_reach_viewer;
grant execute on function agents_of_reached_team(uuid,jsonb) to muster_viewer;

CREATE OR REPLACE FUNCTION public.announce_abandoned_calls()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from remote_calls c
      where c.subject_id = old.id and c.ended_at is null and c.remote_task_id is not null) then
    perform pg_notify('muster_remote_calls', '');
  end if;
  return null;
end $function$;
revoke execute on function announce_abandoned_calls() from public;

CREATE OR REPLACE FUNCTION public.announce_account_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('muster_keys', key_hash) from api_keys
  where workspace_id = old.workspace_id and created_by = old.id;
  return null;
end $function$;
revoke execute on function announce_account_change() from public;

CREATE OR REPLACE FUNCTION public.announce_budget_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_budgets', coalesce(new.workspace_id, old.workspace_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  workspace uuid;
  changed jsonb;
begin
  if is_moving() then return null; end if;
  if tg_table_name = 'workspaces' then workspace := new.id;
  else workspace := coalesce(new.workspace_id, old.workspace_id);
  end if;
  if not exists (
    select from live_viewers v where v.workspace_id = workspace and v.seen_at > clock_timestamp() - interval '30 seconds'
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  perform pg_notify('muster_changes', concat_ws(' ', workspace, tg_argv[0], changed->>tg_argv[1],
    case when tg_op = 'DELETE' then 'deleted' else coalesce(changed->>tg_argv[2], '-') end, iso(clock_timestamp())));
  return null;
end $function$;
revoke execute on function announce_change() from public;

CREATE OR REPLACE FUNCTION public.announce_data_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_data_keys', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  due timestamptz;
begin
  if is_moving() then return null; end if;
  case tg_table_name
    when 'runs' then due := new.scheduled_for;
    when 'schedules' then due := new.next_at;
    when 'alerts' then due := new.check_at;
    else due := new.deadline;
  end case;
  perform pg_notify('muster_due', floor(extract(epoch from due) * 1000)::bigint::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_events(log_id uuid, seq bigint)
 RETURNS void
 LANGUAGE sql
RETURN pg_notify('muster_events'::text, ((((log_id || ' '::text) || seq) || ' '::text) || current_setting('application_name'::text)));

CREATE OR REPLACE FUNCTION public.announce_gate(gate model_gates)
 RETURNS model_gates
 LANGUAGE plpgsql
AS $function$
begin
  if gate.announced_at < clock_timestamp() - interval '5 seconds' then
    perform pg_notify('muster_gates', gate.id || ' ' || current_setting('application_name'));
    gate.announced_at := clock_timestamp();
  end if;
  return gate;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_key_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_keys', old.key_hash);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_member_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('muster_keys', key_hash) from api_keys
  where workspace_id = old.workspace_id and created_by = old.user_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_member_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('muster_sessions', id::text) from sessions where user_id = old.user_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_plan_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_plans', new.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_provider_key_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_provider_keys', coalesce(new.workspace_id, old.workspace_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_required_passkeys()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('muster_sessions', s.id::text)
  from members m join sessions s on s.user_id = m.user_id where m.workspace_id = new.id and s.opened_by = 'password';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('muster_sessions', old.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.asked_members(workspace uuid, ask json)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select m.user_id from members m
  where m.workspace_id = workspace and (current_workspace_id() is null or m.workspace_id = current_workspace_id())
    and (m.role <> 'viewer' or m.can_answer)
    and not exists (select from service_accounts s where s.id = m.user_id)
    and ((ask->'people')::jsonb ? m.user_id::text
      or array_position('{viewer,member,admin,owner}'::text[], m.role)
        >= array_position('{viewer,member,admin,owner}'::text[], ask->>'role')
      or exists (select from output_routes o
        where o.id = (ask->>'channel')::uuid and o.workspace_id = workspace and o.kind = 'people'
          and o.members @> jsonb_build_array(jsonb_build_object('member', m.user_id))))
$function$;
revoke execute on function asked_members(uuid,json) from public;
grant execute on function asked_members(uuid,json) to muster_reach_viewer;
grant execute on function asked_members(uuid,json) to muster_viewer;

CREATE OR REPLACE FUNCTION public.assign_times(of_receiver text, first_at timestamp with time zone, gap interval)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 WITH queued AS (
          SELECT jobs.id,
             jobs.priority
            FROM jobs
           WHERE ((jobs.lane = assign_times.of_receiver) AND (jobs.kind = 'delivery'::text) AND (jobs.state = 'queued'::text) AND (jobs.run_at IS NULL))
         UNION ALL
          SELECT jobs.id,
             jobs.priority
            FROM jobs
           WHERE ((jobs.lane = assign_times.of_receiver) AND (jobs.kind = 'delivery'::text) AND (jobs.state = 'queued'::text) AND (jobs.run_at IS NOT NULL))
         ), times AS (
          SELECT queued.id,
             (assign_times.first_at + (((row_number() OVER (ORDER BY queued.priority, queued.id) - 1))::double precision * assign_times.gap)) AS run_at
            FROM queued
         ), moved AS (
          UPDATE jobs j SET run_at = t.run_at
            FROM times t
           WHERE ((j.id = t.id) AND (j.state = 'queued'::text))
           RETURNING j.subject_id,
             j.run_at
         ), shown AS (
          UPDATE deliveries d SET next_attempt_at = m.run_at
            FROM moved m
           WHERE (d.id = m.subject_id)
           RETURNING d.id
         )
  UPDATE receiver_paces p SET next_at = (assign_times.first_at + ((( SELECT count(*) AS count
            FROM shown))::double precision * p.gap))
   WHERE (p.receiver = assign_times.of_receiver);
END;
revoke execute on function assign_times(text,timestamp with time zone,interval) from public;

CREATE OR REPLACE FUNCTION public.attachment(file files)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN json_build_object('id', (file).id, 'name', (file).name, 'type', (file).type, 'size', (file).size, 'direction', (file).direction);

CREATE OR REPLACE FUNCTION public.audit_answer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform write_audit(new.workspace_id, 'question.answered', 'run',
    coalesce((select r.parent_id from runs r where r.id = new.subject_id), new.subject_id),
    (select title_of(r) from runs r where r.id = new.subject_id),
    jsonb_strip_nulls(jsonb_build_object('question', jsonb_build_array(null, new.request->'title'),
      'answered_by', case when new.answered_vendor_id is not null then jsonb_build_array(null,
        coalesce(new.answered_name, (select u.name from users u where u.id = new.answered_by)) || ' (' || new.answered_via || ' ' || new.answered_vendor_id || ')') end)));
  return null;
end $function$;
revoke execute on function audit_answer() from public;

CREATE OR REPLACE FUNCTION public.audit_answer_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() then return null; end if;
  perform write_audit(new.workspace_id,
    case tg_op when 'INSERT' then 'question.link_created' else 'question.link_revoked' end, 'run',
    coalesce((select r.parent_id from runs r where r.id = new.subject_id), new.subject_id),
    (select title_of(r) from runs r where r.id = new.subject_id),
    '{}');
  return null;
end $function$;
revoke execute on function audit_answer_link() from public;

CREATE OR REPLACE FUNCTION public.audit_cancel()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform write_audit(new.workspace_id, 'run.cancelled', 'run', new.id, title_of(new), '{}');
  return null;
end $function$;
revoke execute on function audit_cancel() from public;

CREATE OR REPLACE FUNCTION public.audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  subject jsonb := case when tg_op = 'DELETE' then before else after end;
  shown text[] := string_to_array(tg_argv[3], ' ');
  changes jsonb;
  kind text := tg_argv[0];
  subject_name text := shown_value(tg_argv[2], subject->tg_argv[2])#>>'{}';
begin
  if is_moving() then return null; end if;
  select coalesce(jsonb_object_agg(regexp_replace(key, '_(ciphertext|hash)$', ''),
      case when key = any(shown) then jsonb_build_array(shown_value(key, before->key), shown_value(key, after->key)) end), '{}')
    into changes
    from jsonb_object_keys(before || after) as key
    where coalesce(before->key, 'null') <> coalesce(after->key, 'null')
      -- When a rotated key's replacement is deleted, replaced_by becomes null; the log has only the deletion.
      and not (tg_op = 'UPDATE' and key = 'replaced_by' and after->>key is null)
      and case tg_op when 'UPDATE' then
        key = any(shown) or key not in ('created_at', 'updated_at', 'version', 'install_count', 'fallback_model',
          'last4', 'host', 'last_used_at', 'failed_attempts', 'headers_shown', 'has_token', 'has_secret', 'has_code', 'token_prefix',
          'next_times', 'next_at', 'planned_at', 'warn_at', 'refresh_id', 'refreshing_until', 'state', 'since', 'last_value', 'last_checked_at', 'check_at')
        else key = any(shown) end
      -- The rotation of the encryption key changes no secret.
      and not (tg_op = 'UPDATE' and current_user_id() is null and key like '%ciphertext'
        and data_key_of(before->>key) <> data_key_of(after->>key));
  if tg_op = 'UPDATE' and changes = '{}' then return null; end if;
  if kind = 'member' then
    select case when s.id is null then 'member' else 'service_account' end, coalesce(s.name, u.email)
      into kind, subject_name
      from users u left join service_accounts s on s.id = u.id where u.id = (subject->>'user_id')::uuid;
  elsif kind = 'golden_gate' then
    subject_name := (select a.name from agents a where a.id = (subject->>'agent_id')::uuid);
  elsif kind = 'budget' then
    subject_name := coalesce(budget_target_name((subject->>'target_id')::uuid), subject_name);
  end if;
  -- An erasure writes no names.
  if current_setting('muster.erasing', true) = 'on' then
    subject_name := null;
    changes := '{}';
  end if;
  perform write_audit(
    coalesce(subject->>'workspace_id', subject->>'id')::uuid,
    kind || case
      when tg_op = 'INSERT' then '.created'
      when tg_op = 'DELETE' and current_setting('muster.leaked', true) = 'on' then '.leaked'
      when tg_op = 'DELETE' then '.deleted'
      when changes ? 'replaced_by' then '.rotated'
      else '.changed' end,
    kind, (subject->>nullif(tg_argv[1], ''))::uuid, subject_name, changes,
    -- A person who accepts an invitation joins without a role to act with.
    case when tg_argv[0] = 'member' and tg_op = 'INSERT' then (subject->>'user_id')::uuid end);
  return null;
end $function$;
revoke execute on function audit_change() from public;

CREATE OR REPLACE FUNCTION public.audit_entry(a audit_log)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN json_build_object('id', (a).id, 'at', iso((a).at), 'actor', CASE WHEN ((a).actor_id IS NOT NULL) THEN json_build_object('id', (a).actor_id, 'name', COALESCE((SELECT u.name FROM users u WHERE (u.id = (audit_entry.a).actor_id)), CASE WHEN ((a).changes ? 'plan'::text) THEN 'Operator of the instance'::text ELSE former_name((a).actor_id) END)) ELSE NULL::json END, 'key', CASE WHEN ((a).key_id IS NOT NULL) THEN json_build_object('id', (a).key_id, 'label', (a).key_label) ELSE NULL::json END, 'action', (a).action, 'subject', json_build_object('kind', (a).subject_kind, 'id', (a).subject_id, 'name', (a).subject_name), 'changes', (a).changes);

CREATE OR REPLACE FUNCTION public.audit_export(kind text, id uuid, name text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform write_audit(current_workspace_id(), audit_export.kind || '.exported', audit_export.kind, audit_export.id,
    audit_export.name, '{}');
end $function$;
revoke execute on function audit_export(text,uuid,text) from public;
grant execute on function audit_export(text,uuid,text) to muster_viewer;

CREATE OR REPLACE FUNCTION public.audit_failed_sign_in(address text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select write_audit(m.workspace_id, 'session.rejected', 'session', null, u.email, '{}')
  from users u join members m on m.user_id = u.id where lower(u.email) = lower(address)
$function$;
revoke execute on function audit_failed_sign_in(text) from public;

CREATE OR REPLACE FUNCTION public.audit_mcp_tool()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then '{}' else to_jsonb(new) end;
  server mcp_servers;
  changes jsonb;
begin
  if is_moving() then return null; end if;
  select * into server from mcp_servers where id = coalesce(after->>'server_id', before->>'server_id')::uuid;
  -- Tools that come or go with their server are part of its registration or deletion.
  if server.id is null or server.created_at >= transaction_timestamp() then return null; end if;
  -- Tools of before this was recorded have no hash.
  if tg_op = 'UPDATE' and old.hash in (new.hash, '')
      and (server.on_change = 'use' or new.approved_hash is not distinct from old.approved_hash) then
    return null;
  end if;
  -- A server that changes its tools all the time does not fill the log.
  if (select count(*) from (select from audit_log a where a.workspace_id = server.workspace_id
      and a.subject_kind = 'mcp_tool' and a.at > clock_timestamp() - interval '1 hour' limit 200) recent) >= 200 then
    return null;
  end if;
  select coalesce(jsonb_object_agg(key, jsonb_build_array(before->key, after->key)), '{}') into changes
    from unnest(array['title', 'description', 'input_schema', 'annotations', 'hash', 'approved_hash']) as key
    where coalesce(before->key, 'null') <> coalesce(after->key, 'null') and tg_op <> 'DELETE';
  perform write_audit(server.workspace_id,
    'mcp_tool.' || case
      when tg_op = 'INSERT' then 'created'
      when tg_op = 'DELETE' then 'deleted'
      when old.hash <> new.hash then 'changed'
      else 'approved' end,
    'mcp_tool', server.id, server.name || '/' || coalesce(after->>'name', before->>'name'), changes);
  return null;
end $function$;
revoke execute on function audit_mcp_tool() from public;

CREATE OR REPLACE FUNCTION public.audit_passkey(owner uuid, action text, passkey uuid, name text, actor uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  select write_audit(m.workspace_id, audit_passkey.action, 'passkey', passkey, audit_passkey.name || ' of ' || u.email,
    '{}', actor)
  from users u join members m on m.user_id = u.id where u.id = owner
$function$;
revoke execute on function audit_passkey(uuid,text,uuid,text,uuid) from public;

CREATE OR REPLACE FUNCTION public.audit_run_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- One entry says how many expired.
  if current_setting('muster.expires', true) = 'on' then return null; end if;
  perform write_audit(old.workspace_id, 'run.deleted', 'run', old.id, title_of(old),
    jsonb_build_object('status', jsonb_build_array(old.status, null)));
  return null;
end $function$;
revoke execute on function audit_run_deletion() from public;

CREATE OR REPLACE FUNCTION public.audit_run_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() then return null; end if;
  perform write_audit(new.workspace_id, case tg_op when 'INSERT' then 'run.link_created' else 'run.link_revoked' end, 'run',
    new.run_id, (select title_of(r) from runs r where r.id = new.run_id),
    jsonb_build_object('expires_at', jsonb_build_array(null, iso(new.expires_at))));
  return null;
end $function$;
revoke execute on function audit_run_link() from public;

CREATE OR REPLACE FUNCTION public.audit_sign_in()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform write_audit(new.last_workspace_id, 'session.created', 'session', new.id,
    (select email from users where id = new.user_id), '{}', new.user_id);
  return null;
end $function$;
revoke execute on function audit_sign_in() from public;

CREATE OR REPLACE FUNCTION public.audit_workspace_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform write_audit(old.id, 'workspace.deleted', 'workspace', old.id, old.name, '{}');
  return new;
end $function$;
revoke execute on function audit_workspace_deletion() from public;

CREATE OR REPLACE FUNCTION public.budget_target_name(target uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select name from agents where id = target
  union all select name from teams where id = target
  union all select title_of(r) from runs r where r.id = target
  union all select title from agent_pages where id = target
$function$;
revoke execute on function budget_target_name(uuid) from public;

CREATE OR REPLACE FUNCTION public.budget_window(period text, run_id uuid, attempt integer)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE period WHEN 'run'::text THEN ((run_id || '.'::text) || attempt) WHEN 'day'::text THEN to_char((now() AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD'::text) WHEN 'month'::text THEN to_char((now() AT TIME ZONE 'UTC'::text), 'YYYY-MM'::text) ELSE 'total'::text END;

CREATE OR REPLACE FUNCTION public.budget_window_start(period text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN CASE period WHEN 'total'::text THEN '-infinity'::timestamp with time zone ELSE (date_trunc(period, (now() AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text) END;

CREATE OR REPLACE FUNCTION public.changed_agent_snapshot(agent agents, changes jsonb)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN changed_fields(agent_snapshot(agent), (changes)::json);

CREATE OR REPLACE FUNCTION public.changed_fields(given json, changes json)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT json_object_agg(field.key, COALESCE((changed_fields.changes -> field.key), field.value)) AS json_object_agg FROM json_each(changed_fields.given) field(key, value));

CREATE OR REPLACE FUNCTION public.charge_reservations(charges json)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '100ms'
AS $function$
declare
  ids uuid[] := array(select c.id from json_to_recordset(charges) as c (id uuid));
begin
  perform b.id from budgets b
    where b.id = any(array(select unnest(r.budget_ids) from budget_reservations r where r.id = any(ids)))
    order by b.id for no key update;
  perform record_interrupted(json_agg(r.usage)) from (
    select r.usage from json_to_recordset(charges) as c (id uuid, usd numeric)
    join budget_reservations r on r.id = c.id and c.usd is null and r.usage is not null for update of r
  ) r having count(*) > 0;
  with ended as (
    delete from budget_reservations r using json_to_recordset(charges) as c (id uuid, usd numeric, tokens bigint)
    where r.id = c.id
    returning r.budget_ids, r.keys, r.usd as held_usd, r.tokens as held_tokens,
      coalesce(c.usd, r.usd) as usd, coalesce(c.tokens, r.tokens) as tokens
  ),
  moved as (
    select w.budget_id, w.key, sum(e.usd) as usd, sum(e.tokens) as tokens,
      sum(e.held_usd) as held_usd, sum(e.held_tokens) as held_tokens
    from ended e, unnest(e.budget_ids, e.keys) as w (budget_id, key) group by 1, 2
  )
  update budget_windows w set used_usd = w.used_usd + m.usd, used_tokens = w.used_tokens + m.tokens,
    reserved_usd = w.reserved_usd - m.held_usd, reserved_tokens = w.reserved_tokens - m.held_tokens,
    updated_at = clock_timestamp()
  from moved m where w.budget_id = m.budget_id and w.key = m.key;
end $function$;
revoke execute on function charge_reservations(json) from public;

CREATE OR REPLACE FUNCTION public.check_knowledge_bases()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  known bigint;
begin
  if is_moving() then return new; end if;
  select count(*) into known from (
    select from knowledge_bases b
    where b.id = any (new.knowledge_base_ids) and b.workspace_id is not distinct from new.workspace_id
    order by b.id for key share) b;
  if known < (select count(distinct id) from unnest(new.knowledge_base_ids) id) then
    raise foreign_key_violation using constraint = 'agents_knowledge_base_ids_fkey', table = 'agents',
      message = 'An agent names a knowledge base that its workspace does not have.';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.check_output_routes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() then return new; end if;
  if exists (
    select from unnest(new.output_route_ids) as named (id)
    where (tg_op = 'INSERT' or named.id <> all (coalesce(old.output_route_ids, '{}')))
      and not exists (
        select from output_routes r where r.id = named.id and r.workspace_id is not distinct from new.workspace_id)
  ) then
    raise foreign_key_violation using constraint = tg_table_name || '_output_route_ids_fkey', table = tg_table_name,
      message = 'A list names an output route that its workspace does not have.';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_slug(workspace uuid, name text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  candidate text := slug_of(name);
  tries integer := 2;
begin
  loop
    insert into workspace_slugs (slug, workspace_id) values (candidate, workspace) on conflict do nothing;
    if exists (select from workspace_slugs s where s.slug = candidate and s.workspace_id = workspace) then
      return candidate;
    end if;
    tries := tries + 1;
    candidate := slug_of(name) || '-' || left(replace(gen_random_uuid()::text, '-', ''), tries);
  end loop;
end $function$;
revoke execute on function claim_slug(uuid,text) from public;

CREATE OR REPLACE FUNCTION public.close_gate(call json, told json, closed_ms double precision, in_last_minute integer)
 RETURNS TABLE(rejections integer)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  g model_gates;
  now_at timestamptz;
begin
  insert into model_gates (id, provider, model) values (call->>'gate', call->>'provider', call->>'model')
  on conflict (id) do nothing;
  select * into strict g from model_gates where id = call->>'gate' for update;
  now_at := clock_timestamp();
  g := learn_limits(g, told);
  -- Rejections of the same moment count once. The rejection of a quiet process, or one for a few seconds, says nothing of
  -- a limit a minute.
  if closed_ms >= 5000 and (g.guessed_at is null or g.guessed_at < now_at - interval '5 seconds')
    and (g.is_guess or g.requests is null and in_last_minute >= 30)
  then
    g.requests := greatest(1, least(g.requests * 0.5, in_last_minute));
    g.guessed_at := now_at;
    g.is_guess := true;
  end if;
  insert into model_gate_waits as w (job_id, step, gate_id, provider, model, workspace_id, turn, until, ahead, reason, rejections)
  select j.id, call->>'step', g.id, g.provider, g.model, (call->>'workspaceId')::uuid, g.turn,
    now_at + closed_ms * interval '1 ms', 0, 'closed', 1
  from jobs j where j.id = (call->>'jobId')::uuid
  on conflict (job_id, step) do update set rejections = w.rejections + 1, is_waiting = true, until = excluded.until,
    reason = 'closed', gate_id = excluded.gate_id, provider = excluded.provider, model = excluded.model
  returning w.rejections into rejections;
  g := announce_gate(g);
  update model_gates m set requests = g.requests, requests_left = g.requests_left, requests_full_at = g.requests_full_at,
    tokens = g.tokens, tokens_left = g.tokens_left, tokens_full_at = g.tokens_full_at, is_guess = g.is_guess,
    guessed_at = g.guessed_at, told = g.told, announced_at = g.announced_at, busy_at = now_at,
    changed_at = now_at, closed_until = greatest(m.closed_until, now_at + closed_ms * interval '1 ms')
  where m.id = g.id;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.close_task_question()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from task_questions where subject_id = old.id;
    return null;
  end if;
  -- A cancelled run's question is in its steps only. A wait for a client's tools is not a question to a person.
  with deleted as (delete from task_questions where subject_id = old.id returning *),
  unanswered as (
    insert into run_steps (run_id, attempt, key, workspace_id, result, started_at, ended_at, facts, request)
    select subject_id, old.attempt, answer_key, workspace_id, 'null', asked_at, clock_timestamp(),
      json_build_object('label', coalesce(question->'prompt'->>'title', question->>'title'), 'unanswered', true),
      question
    from deleted where new.status in ('failed', 'cancelled')
    on conflict do nothing
  )
  insert into closed_questions (interaction_id, workspace_id, subject_id, state, request, asked_at, deadline)
  select interaction_id, workspace_id, subject_id,
    case new.status when 'running' then 'answered' else 'expired' end, coalesce(old.interaction, '{}'), asked_at, deadline
  from deleted where new.status in ('running', 'failed') and question->'clientCalls' is null
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.continue_channel_reply()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into deliveries (workspace_id, event_id, event, task_id, route_id, target_name, type, host)
  select m.workspace_id, e.id, e.event, m.task_id, o.id, o.name, o.type, o.host
  from runs r
  join channel_messages m on m.workspace_id = r.workspace_id and m.task_id = r.id and m.attempt = r.attempt
  join delivery_events e on e.id = m.id
  join output_routes o on o.id = m.route_id
  join workspaces w on w.id = m.workspace_id and w.deleted_at is null
  where r.id = old.subject_id
  order by m.id desc limit 1;
  return null;
end $function$;
revoke execute on function continue_channel_reply() from public;

CREATE OR REPLACE FUNCTION public.count_added()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, part.bytes);
    end loop;
  elsif tg_table_name = 'runs' then
    -- A run of a task is part of the task.
    for part in select workspace_id, count(*) as records from added where parent_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_agent_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := old.version + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_removed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, -part.bytes);
    end loop;
  elsif tg_table_name = 'runs' then
    for part in select workspace_id, count(*) as records from removed where parent_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_run_ends(max integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  counted integer;
begin
  if not exists (select from run_ends) or not pg_try_advisory_xact_lock(hashtext('muster_counters')) then
    return 0;
  end if;
  with taken as (
    delete from run_ends e where e.ctid = any(array(select o.ctid from run_ends o limit max))
    returning e.*
  ),
  ends as (
    select t.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, t.hour, 'UTC') as start, t.status,
      t.error_code, t.duration_bucket, count(*) as runs
    from taken t
    cross join lateral (values (t.workspace_id), (t.agent_id), (t.team_id)) s (subject_id)
    cross join (values ('hour'), ('day')) b (bucket)
    where s.subject_id is not null
    group by 1, 2, 3, 4, 5, 6, 7
  ),
  counts as (
    select workspace_id, subject_id, bucket, start,
      coalesce(sum(runs) filter (where status = 'completed'), 0) as completed,
      coalesce(sum(runs) filter (where status = 'failed'), 0) as failed,
      coalesce(sum(runs) filter (where status = 'cancelled'), 0) as cancelled
    from ends group by 1, 2, 3, 4
  ),
  durations as (
    select workspace_id, subject_id, bucket, start, jsonb_object_agg(duration_bucket, runs) as map
    from (
      select workspace_id, subject_id, bucket, start, duration_bucket, sum(runs) as runs from ends
      where status <> 'cancelled' and duration_bucket >= 0 group by 1, 2, 3, 4, 5
    ) d
    group by 1, 2, 3, 4
  ),
  codes as (
    select workspace_id, subject_id, bucket, start, jsonb_object_agg(error_code, runs) as map
    from (
      select workspace_id, subject_id, bucket, start, error_code, sum(runs) as runs from ends
      where error_code <> '' group by 1, 2, 3, 4, 5
    ) c
    group by 1, 2, 3, 4
  ),
  added as (
    insert into period_sums as p
    select workspace_id, subject_id, bucket, start, completed, failed, cancelled, coalesce(d.map, '{}'),
      coalesce(c.map, '{}'), 0, 0
    from counts
    left join durations d using (workspace_id, subject_id, bucket, start)
    left join codes c using (workspace_id, subject_id, bucket, start)
    on conflict (workspace_id, subject_id, bucket, start) do update set
      completed = p.completed + excluded.completed, failed = p.failed + excluded.failed,
      cancelled = p.cancelled + excluded.cancelled, durations = add_counts(p.durations, excluded.durations),
      error_codes = add_counts(p.error_codes, excluded.error_codes)
  ),
  totalled as (
    insert into run_totals as r
    select case when t.team_id is null then 'task' else 'team_run' end, t.status, t.error_code, count(*)
    from taken t group by 1, 2, 3
    on conflict (kind, status, error_code) do update set runs = r.runs + excluded.runs
  )
  select count(*) into counted from taken;
  return counted;
end $function$;
revoke execute on function count_run_ends(integer) from public;

CREATE OR REPLACE FUNCTION public.count_stored(workspace uuid, more_records bigint, more_bytes bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  quota workspace_quotas;
  is_checked constant boolean not null := coalesce(more_records > 0 and workspace = current_workspace_id(), false);
begin
  if is_checked and exists (select from workspaces w where w.id = workspace and w.held_at is not null) then
    raise exception using errcode = 'MQ002', message =
      'The operator of this instance holds this workspace: it can be read, but nothing new is stored or started in it.';
  end if;
  perform from stored_totals t where t.workspace_id = workspace for update skip locked;
  if found then
    with folded as (
      delete from stored_changes c where c.workspace_id = workspace returning c.records, c.stored_bytes
    )
    update stored_totals t
    set records = t.records + more_records + f.records, stored_bytes = t.stored_bytes + more_bytes + f.stored_bytes
    from (select coalesce(sum(records), 0) as records, coalesce(sum(stored_bytes), 0) as stored_bytes from folded) f,
      workspaces w left join plan_quotas q on q.plan = w.plan
    where t.workspace_id = workspace and w.id = workspace
    returning w.id, w.plan, t.records, q.records, t.stored_bytes, q.stored_bytes, q.schedules,
      q.alerts into quota;
  else
    insert into stored_changes (workspace_id, records, stored_bytes)
    select w.id, more_records, more_bytes from workspaces w where w.id = workspace;
    if is_checked then select * into quota from workspace_quotas q where q.workspace_id = workspace; end if;
  end if;
  if is_checked and quota.records > quota.max_records then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s records (agents, tasks, runs, files and others together), which this would exceed. Delete some, or ask the operator for a larger plan.',
      quota.plan, quota.max_records);
  end if;
  if is_checked and more_bytes > 0 and quota.stored_bytes > quota.max_stored_bytes then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s MiB of files and documents, which this would exceed. Delete some, or ask the operator for a larger plan.',
      quota.plan, quota.max_stored_bytes / 1048576);
  end if;
end $function$;
revoke execute on function count_stored(uuid,bigint,bigint) from public;

CREATE OR REPLACE FUNCTION public.create_service_account(account uuid, workspace uuid, name text, role text, client text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  workspace := coalesce(current_workspace_id(), workspace);
  insert into users (id, email, name, email_proved)
    values (account, account || '@service-accounts.invalid', create_service_account.name, false);
  insert into service_accounts (id, workspace_id, name, client)
    values (account, workspace, create_service_account.name, create_service_account.client);
  insert into members (workspace_id, user_id, role) values (workspace, account, create_service_account.role);
end $function$;
revoke execute on function create_service_account(uuid,uuid,text,text,text) from public;
grant execute on function create_service_account(uuid,uuid,text,text,text) to muster_admin;

CREATE OR REPLACE FUNCTION public.create_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into stored_totals (workspace_id) values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.current_key_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('muster.key_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.current_reach()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('muster.reach'::text, true), ''::text))::uuid[];

CREATE OR REPLACE FUNCTION public.current_user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('muster.user_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.current_workspace_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('muster.workspace_id'::text, true), ''::text))::uuid;

CREATE OR REPLACE FUNCTION public.data_key_of(encrypted text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (strpos(encrypted, '.'::text) = 0) THEN 0 ELSE (split_part(encrypted, '.'::text, 1))::integer END;

CREATE OR REPLACE FUNCTION public.delete_budgets()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from budgets where target_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_closed_questions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from closed_questions where subject_id = old.id;
  delete from answer_links where subject_id = old.id;
  delete from question_votes where subject_id = old.id;
  delete from run_links where run_id = old.id;
  delete from feedback where run_id = old.id;
  return null;
end $function$;
revoke execute on function delete_closed_questions() from public;

CREATE OR REPLACE FUNCTION public.delete_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from jobs where subject_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_marketplace_installs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from marketplace_installs where agent_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_task_event_pages()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from task_event_pages where log_id = old.log_id;
  delete from unpacked_attempts where log_id = old.log_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_task_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from task_events where log_id = old.log_id;
  delete from run_steps where run_id = old.log_id;
  delete from run_executions where run_id = old.log_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_task_stream()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from task_streams where log_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.delete_workspace_counters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from run_ends where workspace_id = old.id;
  delete from period_sums where workspace_id = old.id;
  delete from usage_days where workspace_id = old.id;
  return null;
end $function$;
revoke execute on function delete_workspace_counters() from public;

CREATE OR REPLACE FUNCTION public.delete_workspace_usage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from usage_records where workspace_id = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.deliver_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  happened delivery_events;
  entry jsonb;
begin
  if is_moving() then return null; end if;
  if not exists (select from output_routes r
      where r.workspace_id = new.workspace_id and r.is_active and 'audit.recorded' = any (r.events))
    and not exists (select from webhook_subscriptions s
      where s.workspace_id = new.workspace_id and s.is_active and s.event = 'audit_recorded') then
    return null;
  end if;
  entry := audit_entry(new);
  happened.id := gen_random_uuid();
  happened.workspace_id := new.workspace_id;
  happened.event := 'audit.recorded';
  happened.attempt := 1;
  happened.title := new.action || coalesce(': ' || new.subject_name, '');
  happened.worker := coalesce(entry->'actor'->>'name', '');
  happened.status := 'completed';
  happened.result := jsonb_pretty(entry);
  happened.happened_at := new.at;
  perform record_deliveries(array[row(happened, null, null, true, null)::new_delivery_event]);
  return null;
end $function$;
revoke execute on function deliver_audit() from public;

CREATE OR REPLACE FUNCTION public.deliver_question(asked uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with question as (
    select v.*, coalesce(a.output_route_ids, m.output_route_ids) as route_ids, r.parent_id, trace_below(r) as trace,
      coalesce((select p.title from runs p where p.id = r.parent_id), title_of(r)) as subject,
      concat_ws(E'\n\n', v.title, nullif(r.interaction->>'description', '')) as text
    from delivery_events v
    join runs r on r.id = coalesce(v.task_id, v.team_run_id)
    left join agents a on a.id = r.agent_id
    left join teams m on m.id = r.team_id
    where v.id = asked
  ),
  named as (
    select (s.stage->'ask'->>'channel')::uuid as id, s.number <= t.stage + 1 as is_due
    from task_questions t
    cross join lateral json_array_elements(t.question->'policy'->'stages') with ordinality s (stage, number)
    where t.interaction_id = asked and s.stage->'ask'->>'channel' is not null
  ),
  routes as (
    select o.id, o.kind, o.name, o.type, o.host from question q
    join output_routes o on o.workspace_id = q.workspace_id and o.is_active and 'task.waiting_for_input' = any (o.events)
    where case when o.kind = 'people' and exists (select from named)
        then exists (select from named n where n.id = o.id and n.is_due)
        else (q.route_ids is null or o.id = any (q.route_ids)) and not exists (
          select from task_questions t where t.interaction_id = asked and t.stage > 0) end
      and not exists (select from deliveries d where d.event_id = asked and d.route_id = o.id)
    union all
    -- The conversation in a channel that the run answers.
    (select o.id, 'people', o.name, o.type, o.host from question q
    join channel_messages m on m.workspace_id = q.workspace_id and m.task_id = q.task_id and m.attempt = q.attempt
    join output_routes o on o.id = m.route_id and o.is_active
    where not exists (select from deliveries d where d.event_id = asked and d.route_id = o.id)
    order by m.id desc limit 1)
  ),
  told as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      happened_at)
    select gen_random_uuid(), q.workspace_id, 'task.waiting_for_input', coalesce(q.parent_id, q.task_id),
      case when q.parent_id is null then q.team_run_id end, q.attempt, q.subject, q.worker, q.status, q.text, q.happened_at
    from question q where exists (select from routes where kind = 'results')
    returning id, event, task_id, team_run_id, 'results' as kind
  ),
  events as (
    select id, event, task_id, team_run_id, 'people' as kind from question
    union all
    select id, event, task_id, team_run_id, kind from told
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, target_name, type, host, trace)
  select q.workspace_id, e.id, e.event, e.task_id, e.team_run_id, o.id, o.name, o.type, o.host, q.trace
  from question q cross join routes o join events e on e.kind = o.kind
$function$;
revoke execute on function deliver_question(uuid) from public;

CREATE OR REPLACE FUNCTION public.deliver_runs()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  changed uuid[];
begin
  if is_moving() then return null; end if;
  -- Usually there is nothing to deliver, so this case must be cheap. Routes receive only ends, nobody golden runs.
  if tg_op = 'INSERT' then
    changed := array(
      select n.id from after n
      where n.status = 'running' and n.source_kind <> 'golden'
        and exists (select from webhook_subscriptions s where s.workspace_id = n.workspace_id));
  else
    changed := array(
      select n.id from before o join after n on n.id = o.id
      where n.status <> o.status and n.source_kind <> 'golden'
        and (n.status in ('completed', 'failed') or n.status = 'waiting_for_input' and n.kind = 'task'
          or n.status = 'running' and o.status in ('pending', 'dispatched'))
        and (exists (select from webhook_subscriptions s where s.workspace_id = n.workspace_id)
          or n.status in ('completed', 'failed')
            and exists (select from output_routes r where r.workspace_id = n.workspace_id)));
  end if;
  if changed = '{}' then return null; end if;
  perform record_deliveries(array_agg(row(
    row(gen_random_uuid(), r.workspace_id,
      r.kind || '.' || case r.status when 'running' then 'started' else r.status end,
      case r.kind when 'task' then r.id end, case r.kind when 'team_run' then r.id end, r.attempt,
      coalesce((select p.title from runs p where p.id = r.parent_id), title_of(r)), coalesce(a.name, m.name, ''),
      r.status, coalesce(r.result, ''), r.error, coalesce(r.completed_at, clock_timestamp()), clock_timestamp(),
      r.finish_reason)::delivery_events,
    -- The run of a team's task has events of its own; routes receive those.
    r.agent_id, r.team_id, r.agent_id is not null or r.kind = 'team_run',
    coalesce(a.output_route_ids, m.output_route_ids))::new_delivery_event))
  from runs r
  left join agents a on a.id = r.agent_id
  left join teams m on m.id = r.team_id
  where r.id = any (changed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_partition(parent text, before timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  part record;
  is_kept boolean;
begin
  perform set_config('lock_timeout', '100ms', true);
  for part in
    select p.*, format('select is_range_in_use(%L, %L) or exists (select from %I where created_at >= %L)',
      p.first_id, p.next_id, p.name, before) as look
    from partitions_of(parent::regclass) p where p.next_id <= first_id_of(before) order by p.next_id
  loop
    execute part.look into is_kept;
    continue when is_kept;
    -- A run may be retried meanwhile: what counts is what is so under the lock.
    execute format('lock table %I in access exclusive mode', parent);
    execute part.look into is_kept;
    if is_kept then return null; end if;
    execute format('drop table %I', part.name);
    return part.name;
  end loop;
  return null;
end $function$;
revoke execute on function drop_partition(text,timestamp with time zone) from public;

CREATE OR REPLACE FUNCTION public.duration_bucket(duration interval)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (duration IS NULL) THEN ('-1'::integer)::double precision ELSE floor((((4)::double precision * ln((GREATEST((1)::numeric, (EXTRACT(epoch FROM duration) * (1000)::numeric)))::double precision)) / ln((2)::double precision))) END)::smallint;

CREATE OR REPLACE FUNCTION public.edit_posted_question(asked uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with posted as (
    select d.* from deliveries d
    where d.event_id = asked and d.status <> 'failed' and d.type in ('slack', 'discord', 'telegram')
      and (d.posted is not null or d.status = 'pending')
      and (current_workspace_id() is null or d.workspace_id = current_workspace_id())
  ),
  changed as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      happened_at)
    select gen_random_uuid(), workspace_id, 'question.changed', task_id, team_run_id, attempt, title, worker, status,
      result, clock_timestamp()
    from delivery_events where id = asked and exists (select from posted)
    returning id
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, target_name, type, host, closes)
  select p.workspace_id, c.id, 'question.changed', p.task_id, p.team_run_id, p.route_id, p.target_name, p.type, p.host,
    p.id
  from posted p cross join changed c
$function$;
revoke execute on function edit_posted_question(uuid) from public;
grant execute on function edit_posted_question(uuid) to muster_app;
grant execute on function edit_posted_question(uuid) to muster_reach_app;

CREATE OR REPLACE FUNCTION public.end_member_sessions(member uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from members where workspace_id = current_workspace_id() and user_id = member) then return; end if;
  delete from sessions where user_id = member;
  perform write_audit(current_workspace_id(), 'session.deleted', 'member', member,
    (select email from users where id = member), '{}');
end $function$;
revoke execute on function end_member_sessions(uuid) from public;
grant execute on function end_member_sessions(uuid) to muster_admin;

CREATE OR REPLACE FUNCTION public.enqueue_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  lanes text;
begin
  if is_moving() then return null; end if;
  with created as (
    select d.*, d.host || '/' || d.workspace_id || '/' || d.target_id as receiver from inserted d where d.status = 'pending'
  ),
  locked as (
    select p.receiver from receiver_paces p
    where p.receiver in (select receiver from created) and is_paced(p) order by p.receiver for update
  ),
  paced as (
    update receiver_paces p set next_at = greatest(p.next_at, clock_timestamp()) + n.deliveries * p.gap
    from locked join (select receiver, count(*) as deliveries from created group by receiver) n using (receiver)
    where p.receiver = locked.receiver
    returning p.receiver, p.gap, p.next_at - n.deliveries * p.gap as first_at
  ),
  timed as (
    select c.*, p.first_at + (row_number() over (partition by c.receiver order by c.id) - 1) * p.gap as slot
    from created c left join paced p using (receiver)
  ),
  queued as (
    insert into jobs (id, workspace_id, kind, subject_id, attempt, priority, state, receiver, input, run_at)
    select t.id, t.workspace_id, 'delivery', t.id, 1, priority_number('medium'), 'queued', t.receiver, '{}',
      case when t.slot > clock_timestamp() then t.slot end
    from timed t
    returning subject_id, lane, run_at
  ),
  shown as (
    update deliveries d set next_attempt_at = q.run_at from queued q where d.id = q.subject_id and q.run_at is not null
  )
  select string_agg(distinct lane, ' ') into lanes from queued where run_at is null;
  -- The trigger also fires for an event without a receiver.
  if lanes is null then return null; end if;
  -- A longer notification is an error. The keeper's poll finds lanes that are not announced.
  perform pg_notify('muster_deliveries', current_setting('application_name') || ' ' || left(lanes, 7000));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.erase_access(person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  address text := (select lower(email) from users where id = person);
  keys uuid[] := array(select id from api_keys where created_by = person);
  part record;
  removed bigint;
begin
  perform set_config('muster.erasing', 'on', true);
  update erasures set workspaces = array(select workspace_id from members where user_id = person)
    where subject_id = person and workspaces = '{}';
  update users set password_hash = null, question_mails = '{}' where id = person;
  perform erase_in_channels(person);
  for part in select * from (values
    ('sessions', 'user_id = $1'),
    ('passkeys', 'user_id = $1'),
    ('identities', 'user_id = $1'),
    ('password_resets', 'user_id = $1'),
    ('push_devices', 'user_id = $1'),
    ('oauth_states', 'user_id = $1'),
    ('oauth_records', 'key_id = any($3) or strpos(payload::text, $1::text) > 0'),
    ('answer_links', 'created_by = $1'),
    ('run_links', 'created_by = $1'),
    ('google_connections', 'connected_by = $1 or lower(email) = $2'),
    ('mcp_accounts', 'user_id = $1 or connected_by = $1'),
    ('mcp_sign_ins', 'user_id = $1'),
    ('invitations', 'invited_by = $1 or lower(email) = $2'),
    ('api_keys', 'created_by = $1'),
    ('members', 'user_id = $1')
  ) as parts (name, condition) loop
    execute format('with gone as (delete from %I where %s returning 1) select count(*) from gone', part.name, part.condition)
      into removed using person, address, keys;
    perform add_to_receipt(person, part.name, removed);
  end loop;
  with changed as (
    update audit_log a set key_label = case when a.key_id = any(keys) then null else a.key_label end,
      subject_name = case when a.subject_kind = 'key' and a.subject_id = any(keys) then null else a.subject_name end,
      changes = case when a.subject_kind = 'key' and a.subject_id = any(keys) then a.changes - 'label' else a.changes end
    where a.key_id = any(keys) or a.subject_kind = 'key' and a.subject_id = any(keys)
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'audit_log', removed);
end $function$;
revoke execute on function erase_access(uuid) from public;

CREATE OR REPLACE FUNCTION public.erase_in_channels(person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  removed bigint;
begin
  with known as (
    select r.id as route_id, m->>'user_id' as vendor_id from output_routes r, jsonb_array_elements(r.members) m
    where m->>'member' = person::text
  ),
  changed as (
    update channel_messages c set person_name = 'Erased person', person_id = 'erased' from known k
    where c.route_id = k.route_id and c.person_id = k.vendor_id
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'channel_messages', removed);
  with changed as (
    update output_routes r set members = (
      select coalesce(jsonb_agg(m order by n), '[]') from jsonb_array_elements(r.members) with ordinality e (m, n)
      where m->>'member' <> person::text)
    where strpos(r.members::text, person::text) > 0
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'output_routes', removed);
end $function$;
revoke execute on function erase_in_channels(uuid) from public;

CREATE OR REPLACE FUNCTION public.erase_texts(person uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  known users;
  address text;
  places uuid[];
  is_name_unique boolean;
  removed bigint;
begin
  select workspaces into places from erasures where subject_id = person and ended_at is null for update;
  if not found then return; end if;
  select * into known from users where id = person;
  address := lower(known.email);
  -- A short name is a part of other words.
  is_name_unique := length(known.name) >= 4;
  -- What was in progress when the access ended, such as a sign-in.
  perform erase_access(person);
  with changed as (
    update audit_log a set subject_name = null, changes = '{}'
    where strpos(lower(a.subject_name), address) > 0 or strpos(lower(a.changes::text), address) > 0
      or a.action = 'question.answered' and a.workspace_id = any(places) and is_name_unique
        and strpos(a.changes::text, known.name) > 0
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'audit_log', removed);
  with changed as (
    update deliveries d set target_name = 'Erased person'
    where d.type in ('web_push', 'mail') and (lower(d.target_name) = address
      or d.target_name = known.name and d.workspace_id = any(places))
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'deliveries', removed);
  with changed as (
    update delivery_events v set title = case when strpos(lower(v.title), address) > 0 then '' else v.title end,
      worker = case when v.worker = known.name then '' else v.worker end, result = ''
    where (v.event = 'audit.recorded' or v.event like 'mail.%')
      and (strpos(lower(v.title || ' ' || v.result), address) > 0
        or v.workspace_id = any(places) and (v.worker = known.name or is_name_unique and strpos(v.result, known.name) > 0))
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'delivery_events', removed);
  with changed as (
    update delivery_attempts t set request = '', response = ''
    where t.workspace_id = any(places) and (strpos(lower(t.request || ' ' || t.response), address) > 0
      or is_name_unique and strpos(t.request || ' ' || t.response, known.name) > 0)
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'delivery_attempts', removed);
  with changed as (
    update closed_questions q set answered_name = case when q.answered_by is null then 'Erased person' end,
      answered_vendor_id = null
    where q.answered_by = person and (q.answered_name is not null or q.answered_vendor_id is not null)
      or q.workspace_id = any(places) and q.answered_name = known.name
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'closed_questions', removed);
  with changed as (
    update channel_messages c set person_name = 'Erased person'
    where c.workspace_id = any(places) and c.person_name = known.name
    returning 1
  )
  select count(*) into removed from changed;
  perform add_to_receipt(person, 'channel_messages', removed);
  update users set name = 'Erased person', email = 'erased-' || id || '@erased.invalid', email_proved = false,
    updated_at = now() where id = person;
  perform add_to_receipt(person, 'users', 1);
  update erasures set ended_at = clock_timestamp(), workspaces = '{}' where subject_id = person;
end $function$;
revoke execute on function erase_texts(uuid) from public;

CREATE OR REPLACE FUNCTION public.export_trace()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  number integer := 0;
begin
  if tg_table_name = 'runs' then number := new.attempt; end if;
  insert into trace_exports (subject_id, attempt, workspace_id, trace)
  values (new.id, number, new.workspace_id, new.trace)
  on conflict (subject_id, attempt) do update
    set version = trace_exports.version + 1, ready_at = coalesce(trace_exports.ready_at, clock_timestamp());
  return null;
end $function$;
revoke execute on function export_trace() from public;

CREATE OR REPLACE FUNCTION public.exported_config(workspace uuid, config jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  rules text := config->>'approvals';
  person record;
  route record;
begin
  if rules is null then return config; end if;
  for person in
    select u.id, u.email from members m join users u on u.id = m.user_id
    where m.workspace_id = workspace and position(u.id::text in rules) > 0
  loop
    rules := replace(rules, to_json(person.id::text)::text, to_json(person.email)::text);
  end loop;
  for route in
    select o.id, o.name from output_routes o where o.workspace_id = workspace and position(o.id::text in rules) > 0
  loop
    rules := replace(rules, to_json(route.id::text)::text, to_json(route.name)::text);
  end loop;
  return jsonb_set(config, '{approvals}', rules::jsonb);
end $function$;
revoke execute on function exported_config(uuid,jsonb) from public;
grant execute on function exported_config(uuid,jsonb) to muster_viewer;

CREATE OR REPLACE FUNCTION public.find_costly(min_cost numeric, max integer)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select case when count(*) <= max then coalesce(array_agg(f.id), '{}') end
  from unnest(array['completed', 'failed', 'cancelled']) s (status)
  cross join lateral (
    select id from runs
    where workspace_id = current_workspace_id() and status = s.status and parent_id is null
      and completed_at is not null and cost_usd >= min_cost
      and is_reached(agent_id, team_id)
    order by cost_usd desc limit max + 1
  ) f
$function$;
revoke execute on function find_costly(numeric,integer) from public;
grant execute on function find_costly(numeric,integer) to muster_reach_viewer;
grant execute on function find_costly(numeric,integer) to muster_viewer;

CREATE OR REPLACE FUNCTION public.find_titles(words tsquery, max integer, before timestamp with time zone, before_id uuid)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET jit TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
declare
  workspace constant uuid := current_workspace_id();
  mine constant tsquery := format('%L', workspace)::tsquery;
begin
  if 100 < (
    select count(*) from (
      (select title_search from runs where workspace_id = workspace and kind = 'task' and created_at <= before
       order by created_at desc limit 2000)
      union all
      (select title_search from runs
       where workspace_id = workspace and kind = 'team_run' and parent_id is null and created_at <= before
       order by created_at desc limit 2000)
    ) newest where title_search @@ words
  ) then
    return null;
  end if;
  -- As two conditions, because one with both words would read all rows of the workspace in the index. `offset 0` keeps
  -- the planner from walking the workspace in the order of creation.
  return array(
    select id from (
      select id, created_at from runs
      where parent_id is null and title_search @@ words and title_search @@ mine
        and is_reached(agent_id, team_id) offset 0
    ) found
    where (created_at, id) < (before, before_id)
    order by created_at desc, id desc limit max
  );
end $function$;
revoke execute on function find_titles(tsquery,integer,timestamp with time zone,uuid) from public;
grant execute on function find_titles(tsquery,integer,timestamp with time zone,uuid) to muster_reach_viewer;
grant execute on function find_titles(tsquery,integer,timestamp with time zone,uuid) to muster_viewer;

CREATE OR REPLACE FUNCTION public.first_id_of(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM moment) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE OR REPLACE FUNCTION public.former_name(person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN CASE WHEN (EXISTS (SELECT FROM users u WHERE ((u.id = former_name.person) AND (u.email = (('erased-'::text || former_name.person) || '@erased.invalid'::text))))) THEN 'Erased person'::text ELSE 'Former member'::text END;
revoke execute on function former_name(uuid) from public;
grant execute on function former_name(uuid) to muster_reach_viewer;
grant execute on function former_name(uuid) to muster_viewer;

CREATE OR REPLACE FUNCTION public.gate_time(now_at timestamp with time zone, next_at timestamp with time zone, own double precision, others double precision, a_minute double precision, still_left double precision, full_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (a_minute IS NULL) THEN now_at ELSE GREATEST((GREATEST(next_at, now_at) + (((others - GREATEST((0)::double precision, ((a_minute / (20)::double precision) - own))) / a_minute) * '00:01:00'::interval)), CASE WHEN ((full_at > now_at) AND (still_left < (LEAST(own, a_minute) + others))) THEN (full_at + ((GREATEST((0)::double precision, (others - GREATEST(still_left, (0)::double precision))) / a_minute) * '00:01:00'::interval)) ELSE NULL::timestamp with time zone END) END;

CREATE OR REPLACE FUNCTION public.golden_agent(run runs, agent agents)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT agent_snapshot(json_populate_record(golden_agent.agent, (((g.candidate)::jsonb || jsonb_build_object('fallback_model', ((g.candidate -> 'fallback_models'::text) -> 0), 'version', g.version)))::json)) AS agent_snapshot FROM golden_runs g WHERE ((g.id = (golden_agent.run).source_id) AND (g.workspace_id = (golden_agent.run).workspace_id)));
revoke execute on function golden_agent(runs,agents) from public;
grant execute on function golden_agent(runs,agents) to muster_reach_viewer;
grant execute on function golden_agent(runs,agents) to muster_viewer;

CREATE OR REPLACE FUNCTION public.golden_gate_fault(agent agents)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;
revoke execute on function golden_gate_fault(agents) from public;
grant execute on function golden_gate_fault(agents) to muster_viewer;

CREATE OR REPLACE FUNCTION public.golden_input(run runs)
 RETURNS json
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT json_build_object('tools', COALESCE(c.tools, '[]'::json), 'expected', COALESCE(c.expected, ''::text), 'checks', COALESCE(c.checks, '[]'::json), 'judges', COALESCE((SELECT json_object_agg(a.id, agent_snapshot(a.*)) AS json_object_agg FROM agents a WHERE ((a.workspace_id = (golden_input.run).workspace_id) AND (a.id IN (SELECT ((k.value ->> 'agent_id'::text))::uuid AS uuid FROM json_array_elements(c.checks) k(value) WHERE ((k.value ->> 'type'::text) = 'judge'::text))))), '{}'::json)) AS json_build_object FROM (((SELECT (golden_input.run).id AS run_id) this LEFT JOIN golden_results r ON ((r.run_id = this.run_id))) LEFT JOIN golden_cases c ON (((c.id = r.case_id) AND (c.workspace_id = (golden_input.run).workspace_id)))));
revoke execute on function golden_input(runs) from public;
grant execute on function golden_input(runs) to muster_reach_viewer;
grant execute on function golden_input(runs) to muster_viewer;

CREATE OR REPLACE FUNCTION public.has_retired_key(encrypted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select data_key_of(encrypted) < (select min(generation) from data_keys)
$function$;

CREATE OR REPLACE FUNCTION public.hold_to_gate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;
revoke execute on function hold_to_gate() from public;

CREATE OR REPLACE FUNCTION public.index_pending_passages()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select gin_clean_pending_list('passages_search_idx');
$function$;
revoke execute on function index_pending_passages() from public;
grant execute on function index_pending_passages() to muster_app;

CREATE OR REPLACE FUNCTION public.inherited_facts(facts json)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((COALESCE((facts)::jsonb, '{}'::jsonb) - 'costUsd'::text) - 'waitMs'::text) - 'tries'::text) || '{"takenOver": true}'::jsonb))::json;

CREATE OR REPLACE FUNCTION public.install_marketplace_agent(listed_id uuid, copy_id uuid, installed_by uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;
revoke execute on function install_marketplace_agent(uuid,uuid,uuid) from public;
grant execute on function install_marketplace_agent(uuid,uuid,uuid) to muster_app;

CREATE OR REPLACE FUNCTION public.is_moving()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (COALESCE(current_setting('muster.moving'::text, true), ''::text) = 'on'::text);
revoke execute on function is_moving() from public;
grant execute on function is_moving() to muster_reach_viewer;
grant execute on function is_moving() to muster_viewer;

CREATE OR REPLACE FUNCTION public.is_paced(p receiver_paces)
 RETURNS boolean
 LANGUAGE sql
RETURN (GREATEST((p).next_at, ((p).limited_at + '00:10:00'::interval)) > clock_timestamp());

CREATE OR REPLACE FUNCTION public.is_range_in_use(first_id uuid, next_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from jobs j join runs r on r.id = j.subject_id
    cross join unnest(array[r.id, r.parent_id, (r.fork->>'run_id')::uuid, (r.fork->>'task_id')::uuid]) u (id)
    where u.id >= coalesce(first_id, '00000000-0000-0000-0000-000000000000') and u.id < next_id)
$function$;
revoke execute on function is_range_in_use(uuid,uuid) from public;

CREATE OR REPLACE FUNCTION public.is_reached(agent_id uuid, team_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((current_reach() IS NULL) OR (agent_id = ANY (current_reach())) OR (team_id = ANY (current_reach())));

CREATE OR REPLACE FUNCTION public.iso(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text);

CREATE OR REPLACE FUNCTION public.job_of_ingest(document_id uuid)
 RETURNS SETOF new_job
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT d.workspace_id,
     d.attempt,
     1,
     json_build_object('workspaceId', d.workspace_id, 'documentId', d.id, 'attempt', d.attempt) AS json_build_object
    FROM knowledge_documents d
   WHERE ((d.id = job_of_ingest.document_id) AND (d.status = 'pending'::text));
END;

CREATE OR REPLACE FUNCTION public.job_of_task(task_id uuid)
 RETURNS SETOF new_job
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT t.workspace_id,
     t.attempt,
     priority_number(t.priority) AS priority_number,
     json_build_object('workspaceId', t.workspace_id, 'taskId', t.id, 'attempt', t.attempt, 'trace', t.trace, 'title', t.title, 'description', t.description, 'conversation', t.conversation, 'clientTools', t.client_tools, 'agent',
         CASE
             WHEN ((t.client_request -> 'agent'::text) IS NULL) THEN agent.forked
             ELSE changed_fields(agent.forked, (t.client_request -> 'agent'::text))
         END, 'pageId',
         CASE
             WHEN (t.source_kind = 'page'::text) THEN t.source_id
             ELSE NULL::uuid
         END, 'hasFiles', (( SELECT true
            FROM files f
           WHERE ((f.task_id = t.id) AND (f.direction = 'input'::text))
          LIMIT 1) IS NOT NULL), 'hasBudgets', (( SELECT true
            FROM budgets b
           WHERE (b.workspace_id = t.workspace_id)
          LIMIT 1) IS NOT NULL), 'hasJournal', (fork.made IS NOT NULL), 'asides', COALESCE((fork.made -> 'asides'::text), '{}'::jsonb), 'golden',
         CASE t.source_kind
             WHEN 'golden'::text THEN golden_input(t.*)
             ELSE NULL::json
         END) AS json_build_object
    FROM (((runs t
      JOIN agents a ON ((a.id = t.agent_id)))
      CROSS JOIN LATERAL ( SELECT
                 CASE
                     WHEN ((t.attempt = 1) OR (t.conversation IS NULL)) THEN t.fork
                     ELSE NULL::jsonb
                 END AS made) fork)
      CROSS JOIN LATERAL ( SELECT
                 CASE
                     WHEN (t.source_kind = 'golden'::text) THEN COALESCE(golden_agent(t.*, a.*), agent_snapshot(a.*))
                     WHEN (t.fork IS NULL) THEN agent_snapshot(a.*)
                     ELSE changed_agent_snapshot(a.*, COALESCE((t.fork -> 'agent'::text), '{}'::jsonb))
                 END AS forked) agent)
   WHERE ((t.id = job_of_task.task_id) AND (t.status = ANY (ARRAY['dispatched'::text, 'running'::text])));
END;

CREATE OR REPLACE FUNCTION public.job_of_team_run(run_id uuid)
 RETURNS SETOF new_job
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT r.workspace_id,
     r.attempt,
     priority_number(COALESCE(( SELECT k.priority
            FROM runs k
           WHERE (k.id = r.parent_id)), 'medium'::text)) AS priority_number,
     json_build_object('workspaceId', r.workspace_id, 'runId', r.id, 'attempt', r.attempt, 'taskId', r.parent_id, 'inputTask', r.title, 'trace', trace_of(r.*), 'given', COALESCE((r.fork -> 'given'::text), '[]'::jsonb), 'asides',
         CASE
             WHEN (t.mode = 'pipeline'::text) THEN '{}'::jsonb
             ELSE COALESCE((r.fork -> 'steps'::text), '{}'::jsonb)
         END, 'hasJournal', (jsonb_array_length(COALESCE((r.fork -> 'journal'::text), '[]'::jsonb)) > 0), 'hasBudgets', (( SELECT true
            FROM budgets b
           WHERE (b.workspace_id = r.workspace_id)
          LIMIT 1) IS NOT NULL), 'team', json_build_object('id', t.id, 'name', t.name, 'mode', t.mode, 'config', team_config_of_run(r.*, t.*)), 'agents', COALESCE(
         CASE
             WHEN (current_reach() IS NOT NULL) THEN agents_of_reached_team(t.id, r.fork)
             ELSE ( SELECT json_agg(changed_agent_snapshot(a.*, COALESCE(((r.fork -> 'agents'::text) -> (a.id)::text), '{}'::jsonb)) ORDER BY m."position") AS json_agg
                FROM (team_members m
                  JOIN agents a ON ((a.id = m.agent_id)))
               WHERE (m.team_id = t.id))
         END, '[]'::json)) AS json_build_object
    FROM (runs r
      JOIN teams t ON ((t.id = r.team_id)))
   WHERE ((r.id = job_of_team_run.run_id) AND (r.kind = 'team_run'::text) AND (r.status = 'pending'::text));
END;

CREATE OR REPLACE FUNCTION public.learn_limits(gate model_gates, told json)
 RETURNS model_gates
 LANGUAGE plpgsql
AS $function$
declare
  now_at timestamptz := clock_timestamp();
  told_by bigint := told->>'by';
  since double precision;
begin
  if told is null or coalesce(told_by, gate.told) < gate.told then return gate; end if;
  since := case when told_by is null then coalesce((told->>'unanswered')::double precision, 0) else gate.passed - told_by end;
  gate.told := coalesce(told_by, gate.told);
  if told->>'requests' is not null then
    gate.requests_left := least((told->>'requestsLeft')::double precision - since,
      case when told_by is null and gate.requests_full_at > now_at then gate.requests_left end);
    gate.requests := told->>'requests';
    gate.requests_full_at := now_at + (told->>'requestsFullInMs')::double precision * interval '1 ms';
    gate.is_guess := false;
  end if;
  if told->>'tokens' is not null then
    gate.tokens_left := least((told->>'tokensLeft')::double precision,
      case when told_by is null and gate.tokens_full_at > now_at then gate.tokens_left end);
    gate.tokens := told->>'tokens';
    gate.tokens_full_at := now_at + (told->>'tokensFullInMs')::double precision * interval '1 ms';
  end if;
  return gate;
end $function$;

CREATE OR REPLACE FUNCTION public.leave_channels()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() or not exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null) then
    return null;
  end if;
  update output_routes o set members = coalesce((
    select jsonb_agg(m.person order by m.number) from jsonb_array_elements(o.members) with ordinality m (person, number)
    where m.person->>'member' <> old.user_id::text), '[]')
  where o.workspace_id = old.workspace_id
    and o.members @> jsonb_build_array(jsonb_build_object('member', old.user_id));
  return null;
end $function$;
revoke execute on function leave_channels() from public;

CREATE OR REPLACE FUNCTION public.lexeme_query(lexeme text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (((''''::text || replace(replace(lexeme, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text))::tsquery;

CREATE OR REPLACE FUNCTION public.limit_alerts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  quota workspace_quotas;
begin
  if is_moving() then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('muster.alerts.' || new.workspace_id, 0));
  select * into quota from workspace_quotas q where q.workspace_id = new.workspace_id;
  if (select count(*) from (
    select from alerts a where a.workspace_id = new.workspace_id limit quota.max_alerts + 1
  ) counted) > quota.max_alerts then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s %s, which this would exceed. Delete one, or ask the operator for a larger plan.',
      quota.plan, quota.max_alerts, case quota.max_alerts when 1 then 'alert' else 'alerts' end);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.limit_schedules()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  quota workspace_quotas;
begin
  if is_moving() then return null; end if;
  perform pg_advisory_xact_lock(hashtextextended('muster.schedules.' || new.workspace_id, 0));
  select * into quota from workspace_quotas q where q.workspace_id = new.workspace_id;
  if (select count(*) from (
    select from schedules s where s.workspace_id = new.workspace_id limit quota.max_schedules + 1
  ) counted) > quota.max_schedules then
    raise exception using errcode = 'MQ001', message = format(
      'Nothing was stored: the plan %s allows %s %s, which this would exceed. Delete one, or ask the operator for a larger plan.',
      quota.plan, quota.max_schedules, case quota.max_schedules when 1 then 'schedule' else 'schedules' end);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.live_processes()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT (count(*))::integer AS count FROM executors WHERE (executors.parent_id IS NULL));

CREATE OR REPLACE FUNCTION public.lock_custom_tools(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select t.id from custom_tools t
  where t.id = any(ids) and t.workspace_id is not distinct from current_workspace_id()
  for key share
$function$;
revoke execute on function lock_custom_tools(uuid[]) from public;
grant execute on function lock_custom_tools(uuid[]) to muster_app;

CREATE OR REPLACE FUNCTION public.lock_mcp_servers(names text[])
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.name from mcp_servers s
  where s.name = any(names) and s.workspace_id is not distinct from current_workspace_id()
  for key share
$function$;
revoke execute on function lock_mcp_servers(text[]) from public;
grant execute on function lock_mcp_servers(text[]) to muster_app;

CREATE OR REPLACE FUNCTION public.mailed_members(asked task_questions)
 RETURNS SETOF users
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.* from members m join users u on u.id = m.user_id
  where m.workspace_id = asked.workspace_id and (m.role <> 'viewer' or m.can_answer)
    and case when coalesce(asked.question->'policy', asked.question->'approvers') is null then 'questions'
      else 'approvals' end = any (u.question_mails)
    and (asked.question->'policy' is null or u.id in (select question_voters_left(asked, asked.stage)))
$function$;
revoke execute on function mailed_members(task_questions) from public;

CREATE OR REPLACE FUNCTION public.make_partitions(parent text, key text, weeks integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  first_id uuid;
  next_id uuid;
  name text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('muster.partitions', 0)) then return; end if;
  perform set_config('lock_timeout', '100ms', true);
  loop
    first_id := coalesce((select max(p.next_id::text)::uuid from partitions_of(parent::regclass) p),
      first_id_of(date_trunc('week', now(), 'UTC')));
    exit when moment_of(first_id) > now() + interval '14 days';
    next_id := first_id_of(moment_of(first_id) + make_interval(hours => 168 * weeks));
    name := parent || '_' || left(replace(first_id::text, '-', ''), 12);
    execute format('create table %I (like %I including defaults including storage)', name, parent);
    execute format('alter table %I enable row level security', name);
    execute format('lock table %I in access exclusive mode', parent || '_other');
    execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
      insert into %5$I select * from moved', parent || '_other', key, first_id, next_id, name);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first_id, next_id);
  end loop;
end $function$;
revoke execute on function make_partitions(text,text,integer) from public;

CREATE OR REPLACE FUNCTION public.may_start(workspace_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('muster.start ' || may_start.workspace_id, 0));
  return not (select w.paused or w.held_at is not null from workspaces w where w.id = may_start.workspace_id);
end $function$;

CREATE OR REPLACE FUNCTION public.may_work(workspace_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('muster.start ' || may_work.workspace_id, 0));
  return (select w.held_at is null from workspaces w where w.id = may_work.workspace_id);
end $function$;

CREATE OR REPLACE FUNCTION public.moment_of(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_timestamp((((((('x'::text || "left"(replace((id)::text, '-'::text, ''::text), 12)))::bit(48))::bigint)::numeric / 1000.0))::double precision);

CREATE OR REPLACE FUNCTION public.next_key_warning(expires_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
RETURN (SELECT min((next_key_warning.expires_at - before.before)) AS min FROM unnest(ARRAY['14 days'::interval, '3 days'::interval]) before(before) WHERE ((next_key_warning.expires_at - before.before) > clock_timestamp()));

CREATE OR REPLACE FUNCTION public.note_answered(message uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE channel_messages m SET outcome = 'answered'::text, text = ''::text, files = '[]'::jsonb
   WHERE ((m.id = note_answered.message) AND (m.workspace_id = current_workspace_id()));
END;
revoke execute on function note_answered(uuid) from public;
grant execute on function note_answered(uuid) to muster_app;

CREATE OR REPLACE FUNCTION public.note_golden_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;
revoke execute on function note_golden_end() from public;

CREATE OR REPLACE FUNCTION public.note_taken_up(message uuid, task uuid, of_attempt integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE channel_messages m SET task_id = note_taken_up.task, attempt = note_taken_up.of_attempt, text = ''::text, files = '[]'::jsonb
   WHERE ((m.id = note_taken_up.message) AND (m.workspace_id = current_workspace_id()));
 UPDATE delivery_events e SET task_id = note_taken_up.task, attempt = note_taken_up.of_attempt
   WHERE ((e.id = note_taken_up.message) AND (e.workspace_id = current_workspace_id()));
 UPDATE deliveries d SET task_id = note_taken_up.task, posted = NULL::jsonb
   WHERE ((d.event_id = note_taken_up.message) AND (d.workspace_id = current_workspace_id()));
END;
revoke execute on function note_taken_up(uuid,uuid,integer) from public;
grant execute on function note_taken_up(uuid,uuid,integer) to muster_app;

CREATE OR REPLACE FUNCTION public.open_budget_windows(call budget_call)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into budget_windows (budget_id, key, workspace_id, used_usd, used_tokens)
  select b.id, k.key, b.workspace_id, coalesce(u.usd, 0), coalesce(u.tokens, 0)
  from budgets b
  cross join lateral (select budget_window(b.period, call.run_id, call.attempt) as key) k
  left join lateral (select w.key from budget_windows w where w.budget_id = b.id and w.key = k.key limit 1) w on true
  left join lateral (
    select sum(u.estimated_cost_usd + u.worst_case_cost_usd) as usd,
      sum(u.prompt_tokens + u.completion_tokens + u.worst_case_tokens) as tokens
    from (
      select * from usage_records r where r.team_run_id = call.run_id
      union all
      select * from usage_records t where t.task_id = call.run_id and t.team_run_id is null
    ) u
    where b.period = 'run' and u.attempt = call.attempt and (b.scope <> 'agent' or u.agent_id = b.target_id)
  ) u on true
  where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id and w.key is null
$function$;
revoke execute on function open_budget_windows(budget_call) from public;

CREATE OR REPLACE FUNCTION public.open_request(request text, deadline timestamp with time zone)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN (((("left"(request, '-1'::integer) || ',"expiresAt":'::text) || COALESCE((to_json(iso(deadline)))::text, 'null'::text)) || '}'::text))::json;

CREATE OR REPLACE FUNCTION public.pace_receiver(of_receiver text, wait interval, claimed_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  paced receiver_paces;
begin
  insert into receiver_paces as p (receiver, gap, next_at, limited_at)
  values (of_receiver, '1 second', clock_timestamp() + wait, clock_timestamp())
  on conflict (receiver) do update set
    gap = case when is_paced(p) then least(p.gap * 2, interval '1 minute') else excluded.gap end,
    next_at = excluded.next_at, limited_at = excluded.limited_at
    where p.limited_at < pace_receiver.claimed_at
  returning * into paced;
  if not found then select * into paced from receiver_paces where receiver = of_receiver; end if;
  perform assign_times(of_receiver, greatest(paced.limited_at + wait, clock_timestamp()), paced.gap);
end $function$;
revoke execute on function pace_receiver(text,interval,timestamp with time zone) from public;

CREATE OR REPLACE FUNCTION public.partitions_of(parent regclass)
 RETURNS TABLE(name text, first_id uuid, next_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname::text, substring(b.bounds from 'FROM \(''([0-9a-f-]+)''')::uuid,
    substring(b.bounds from 'TO \(''([0-9a-f-]+)''')::uuid
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  cross join lateral pg_get_expr(c.relpartbound, c.oid) b (bounds)
  where i.inhparent = parent
$function$;
revoke execute on function partitions_of(regclass) from public;

CREATE OR REPLACE FUNCTION public.pass_gate(call json, told json)
 RETURNS TABLE(passed bigint, until timestamp with time zone, wait_ms double precision, ahead integer, reason text, rejections integer, has_waited boolean, is_calm boolean, a_minute double precision)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  g model_gates;
  mine model_gate_waits;
  now_at timestamptz;
  size double precision := greatest((call->>'tokens')::double precision, 1);
  cost double precision;
  others bigint;
  open_at timestamptz;
begin
  insert into model_gates (id, provider, model) values (call->>'gate', call->>'provider', call->>'model')
  on conflict (id) do nothing;
  select * into strict g from model_gates where id = call->>'gate' for update;
  now_at := clock_timestamp();
  g := learn_limits(g, told);
  if told is not null and told->>'by' is null then g.busy_at := now_at; end if;
  -- A guess that proves too low is raised by a fifth each minute.
  if g.is_guess and g.guessed_at < now_at - interval '1 minute' then
    g.requests := g.requests * 1.2 + 1;
    g.guessed_at := now_at;
  end if;

  select * into mine from model_gate_waits w
  where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step' and w.gate_id = g.id;
  has_waited := coalesce(mine.is_waiting, false);
  rejections := coalesce(mine.rejections, 0);
  if not has_waited then
    mine.turn := greatest(g.turn, (g.turns->>(call->>'workspaceId'))::double precision);
    mine.since := now_at;
  end if;
  select count(*) into others from (
    select from model_gate_waits w
    where w.gate_id = g.id and w.is_waiting and (w.turn, w.since) < (mine.turn, mine.since)
      and exists (select from jobs j where j.id = w.job_id)
    order by w.turn, w.since limit 1000) first;
  ahead := others;
  a_minute := g.requests;
  open_at := greatest(g.closed_until,
    gate_time(now_at, g.requests_at, 1, others, g.requests, g.requests_left, g.requests_full_at),
    gate_time(now_at, g.tokens_at, size, size * others, g.tokens, g.tokens_left, g.tokens_full_at));

  cost := greatest(1 / nullif(g.requests, 0), size / nullif(g.tokens, 0), 1e-9);
  if not has_waited then
    g.turns := g.turns || jsonb_build_object(call->>'workspaceId', mine.turn + cost);
  end if;
  if open_at <= now_at then
    g.passed := g.passed + 1;
    g.requests_left := g.requests_left - 1;
    g.tokens_left := g.tokens_left - size;
    g.requests_at := greatest(g.requests_at, now_at) + coalesce(1 / nullif(g.requests, 0), 0) * interval '1 minute';
    g.tokens_at := greatest(g.tokens_at, now_at) + coalesce(size / nullif(g.tokens, 0), 0) * interval '1 minute';
    g.turn := greatest(g.turn, mine.turn);
    select coalesce(jsonb_object_agg(key, value), '{}') into g.turns
    from jsonb_each(g.turns) where value::double precision > g.turn;
    passed := g.passed;
    delete from model_gate_waits w
    where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step' and w.rejections = 0;
    update model_gate_waits w set is_waiting = false
    where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step';
    is_calm := g.busy_at < now_at - interval '1 minute'
      and coalesce(g.requests_left > g.requests / 2 or g.requests_full_at <= now_at, true)
      and coalesce(g.tokens_left > g.tokens / 2 or g.tokens_full_at <= now_at, true)
      and not exists (
        select from model_gate_waits w join jobs j on j.id = w.job_id where w.gate_id = g.id and w.is_waiting);
  else
    until := open_at;
    wait_ms := extract(epoch from open_at - now_at) * 1000;
    reason := case when g.closed_until > now_at then 'closed' else 'limit' end;
    is_calm := false;
    insert into model_gate_waits as w (job_id, step, gate_id, provider, model, workspace_id, turn, since, until, ahead, reason)
    select j.id, call->>'step', g.id, g.provider, g.model, (call->>'workspaceId')::uuid, mine.turn, mine.since, open_at, others, reason
    from jobs j where j.id = (call->>'jobId')::uuid
    on conflict (job_id, step) do update set gate_id = excluded.gate_id,
      provider = excluded.provider, model = excluded.model, turn = excluded.turn, since = excluded.since,
      until = excluded.until, ahead = excluded.ahead, reason = excluded.reason, is_waiting = true;
    g := announce_gate(g);
    g.busy_at := now_at;
  end if;
  update model_gates m set requests = g.requests, requests_left = g.requests_left, requests_full_at = g.requests_full_at,
    tokens = g.tokens, tokens_left = g.tokens_left, tokens_full_at = g.tokens_full_at, is_guess = g.is_guess,
    guessed_at = g.guessed_at, passed = g.passed, told = g.told, requests_at = g.requests_at, tokens_at = g.tokens_at,
    turn = g.turn, turns = g.turns, announced_at = g.announced_at, busy_at = g.busy_at,
    changed_at = now_at
  where m.id = g.id;
  return next;
end $function$;

CREATE OR REPLACE FUNCTION public.passage_vector(workspace uuid, scope uuid, heading text, content text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((setweight(to_tsvector('english'::regconfig, COALESCE(heading, ''::text)), 'B'::"char") || to_tsvector('english'::regconfig, content)) || array_to_tsvector(ARRAY[scope_lexeme(workspace, scope)]));

CREATE OR REPLACE FUNCTION public.permits_granted(allowed integer, used integer, wanted integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (wanted = 0) THEN 0 ELSE GREATEST(0, LEAST((allowed - used), GREATEST(wanted, LEAST((allowed / 1500), 64)))) END;

CREATE OR REPLACE FUNCTION public.plan_key_warning()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.warn_at := case when new.replaced_by is null and new.app is null then next_key_warning(new.expires_at) end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.priority_number(priority text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_position(ARRAY['urgent'::text, 'high'::text, 'medium'::text, 'low'::text], priority);

CREATE OR REPLACE FUNCTION public.process_name(executor_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (SELECT ((executors.host || ':'::text) || executors.pid) FROM executors WHERE (executors.id = process_name.executor_id));

CREATE OR REPLACE FUNCTION public.push_closed_question()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  closed uuid := gen_random_uuid();
  shown uuid[] := array(
    select d.id from deliveries d where d.event_id = old.interaction_id and d.status <> 'failed'
      and (d.type = 'web_push' and d.host not like '%push.apple.com'
        or d.type in ('slack', 'discord', 'telegram') and (d.posted is not null or d.status = 'pending')));
begin
  if shown = '{}'
    or not exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null) then
    return null;
  end if;
  insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
    happened_at)
  select closed, workspace_id, 'question.closed', task_id, team_run_id, attempt, title, worker, status, result,
    clock_timestamp()
  from delivery_events where id = old.interaction_id;
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name,
    type, host, closes)
  select d.workspace_id, closed, 'question.closed', d.task_id, d.team_run_id, d.route_id, d.subscription_id,
    d.target_name, d.type, d.host, d.id
  from deliveries d where d.id = any (shown);
  return null;
end $function$;
revoke execute on function push_closed_question() from public;

CREATE OR REPLACE FUNCTION public.push_question()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() then return null; end if;
  if not exists (
    select from members m join push_devices p on p.user_id = m.user_id
    where m.workspace_id = new.workspace_id and (m.role <> 'viewer' or m.can_answer)
  ) and not exists (
    select from output_routes o
    where o.workspace_id = new.workspace_id and o.is_active and 'task.waiting_for_input' = any (o.events)
  ) and not exists (
    select from channel_messages m where m.workspace_id = new.workspace_id and m.task_id = new.subject_id
  ) and not exists (select from mailed_members(new)) then
    return null;
  end if;
  insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
    happened_at)
  select new.interaction_id, new.workspace_id, 'question.asked', case r.kind when 'task' then r.id end,
    case r.kind when 'team_run' then r.id end, r.attempt, coalesce(r.interaction->>'title', title_of(r)),
    coalesce(a.name, e.name, ''), 'waiting_for_input', new.interaction_id::text, new.asked_at
  from runs r left join agents a on a.id = r.agent_id left join teams e on e.id = r.team_id
  where r.id = new.subject_id
  on conflict do nothing;
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, subscription_id, target_name, type, host)
  select v.workspace_id, v.id, v.event, v.task_id, v.team_run_id, p.id, u.name, 'web_push', p.host
  from delivery_events v
  join members m on m.workspace_id = v.workspace_id and (m.role <> 'viewer' or m.can_answer)
  join users u on u.id = m.user_id
  join push_devices p on p.user_id = u.id
  where v.id = new.interaction_id
    and (new.question->'policy' is null or m.user_id in (select question_voters(new, new.stage)))
    and not exists (select from deliveries d where d.event_id = v.id and d.subscription_id = p.id);
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, subscription_id, target_name, type, host)
  select v.workspace_id, v.id, v.event, v.task_id, v.team_run_id, u.id, u.name, 'mail', 'mail'
  from delivery_events v cross join mailed_members(new) u
  where v.id = new.interaction_id
    and not exists (select from deliveries d where d.event_id = v.id and d.subscription_id = u.id);
  if tg_op = 'UPDATE' then perform edit_posted_question(new.interaction_id); end if;
  perform deliver_question(new.interaction_id);
  return null;
end $function$;
revoke execute on function push_question() from public;

CREATE OR REPLACE FUNCTION public.push_stored_config()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  task runs;
begin
  if is_moving() then return null; end if;
  select * into task from runs where id = new.task_id;
  if task.status in ('running', 'waiting_for_input', 'completed', 'failed', 'cancelled') then
    perform record_push_deliveries(task, new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.push_task()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from push_configs p where p.task_id = new.id) then
    perform record_push_deliveries(new, null);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.question_escalations(asked task_questions)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT json_agg(json_build_object('at', iso(((question_escalations.asked).asked_at + make_interval(secs => ((((((question_escalations.asked).question -> 'policy'::text) -> 'stages'::text) -> (n.n - 1)) ->> 'seconds'::text))::double precision))), 'people', COALESCE((SELECT json_agg(json_build_object('id', v.id, 'name', voter_name(v.id)) ORDER BY (voter_name(v.id)), v.id) AS json_agg FROM (SELECT w.id FROM question_voters(question_escalations.asked, n.n) w(id) EXCEPT SELECT w.id FROM question_voters(question_escalations.asked, (n.n - 1)) w(id)) v), '[]'::json)) ORDER BY n.n) AS json_agg FROM generate_series(((question_escalations.asked).stage + 1), (json_array_length((((question_escalations.asked).question -> 'policy'::text) -> 'stages'::text)) - 1)) n(n)), '[]'::json);

CREATE OR REPLACE FUNCTION public.question_problem(asked task_questions)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select format('%s needed, and only %s of those asked may still answer. %s',
    case missing.count when 1 then '1 more approval is' else missing.count || ' more approvals are' end, able.now,
    case when able.later >= missing.count then 'It waits for the next escalation.'
      else case policy->>'ending' when 'fail' then 'The run fails at the deadline.'
        when 'deny' then 'The call is denied at the deadline.' else 'The call is allowed at the deadline.' end end)
  from (select asked.question->'policy' as policy) p
  cross join lateral (
    select (policy->>'need')::integer - (select count(*) from question_votes v
      where v.interaction_id = asked.interaction_id and v.approved) as count) missing
  cross join lateral (
    select (select count(*) from question_voters_left(asked, asked.stage)) as now,
      (select count(*) from question_voters_left(asked, json_array_length(policy->'stages') - 1)) as later) able
  where policy is not null and able.now < missing.count
$function$;

CREATE OR REPLACE FUNCTION public.question_voters(asked task_questions, last integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select distinct m.id
  from json_array_elements(asked.question->'policy'->'stages') with ordinality s (stage, number)
  cross join lateral asked_members(asked.workspace_id, s.stage->'ask') m (id)
  where s.number <= last + 1
    and not (asked.question->'policy'->'excluded')::jsonb ? m.id::text
$function$;
revoke execute on function question_voters(task_questions,integer) from public;
grant execute on function question_voters(task_questions,integer) to muster_reach_viewer;
grant execute on function question_voters(task_questions,integer) to muster_viewer;

CREATE OR REPLACE FUNCTION public.question_voters_left(asked task_questions, last integer)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
AS $function$
  select v.id from question_voters(asked, last) v (id)
  where not exists (select from question_votes d where d.interaction_id = asked.interaction_id and d.user_id = v.id)
$function$;

CREATE OR REPLACE FUNCTION public.question_votes_of(question uuid)
 RETURNS json
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT json_agg(json_build_object('by', json_build_object('id', v.user_id, 'name', voter_name(v.user_id)), 'approved', v.approved, 'via', v.via, 'at', iso(v.at)) ORDER BY v.at, v.user_id) AS json_agg FROM question_votes v WHERE (v.interaction_id = question_votes_of.question)), '[]'::json);

CREATE OR REPLACE FUNCTION public.queue_packing()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into unpacked_attempts values (new.log_id, new.attempt) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_deliveries(happened new_delivery_event[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  with events as (select (n.event).*, n.agent_id, n.team_id, n.goes_to_routes, n.route_ids from unnest(happened) n),
  targets as (
    select e.id as event_id, r.* from events e
    cross join lateral (
      select r.id as route_id, null::uuid as subscription_id, r.name, r.type, r.host
      from output_routes r
      where e.goes_to_routes and r.workspace_id = e.workspace_id and r.is_active and e.event = any (r.events)
        and (e.route_ids is null or r.id = any (e.route_ids))
      union all
      select null, s.id, s.target_url, 'webhook', coalesce(substring(s.target_url from '^[a-z]+://([^/?#]+)'), '')
      from webhook_subscriptions s
      where s.workspace_id = e.workspace_id and s.is_active and s.event = replace(e.event, '.', '_')
        and (s.agent_id is null or s.agent_id = e.agent_id) and (s.team_id is null or s.team_id = e.team_id)) r
  ),
  stored as (
    insert into delivery_events (id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result,
      error, happened_at, finish_reason)
    select id, workspace_id, event, task_id, team_run_id, attempt, title, worker, status, result, error, happened_at,
      nullif(finish_reason, 'stop')
    from events where id in (select event_id from targets)
  )
  insert into deliveries (workspace_id, event_id, event, task_id, team_run_id, route_id, subscription_id, target_name,
    type, host, trace)
  select e.workspace_id, e.id, e.event, e.task_id, e.team_run_id, t.route_id, t.subscription_id, t.name, t.type, t.host,
    (select trace_below(r) from runs r where r.id = coalesce(e.task_id, e.team_run_id))
  from targets t join events e on e.id = t.event_id;
end $function$;
revoke execute on function record_deliveries(new_delivery_event[]) from public;

CREATE OR REPLACE FUNCTION public.record_interrupted(calls json)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into usage_records (id, workspace_id, task_id, team_run_id, team_id, agent_id, agent_version, attempt, step,
    turn, provider, model, prompt_tokens, completion_tokens, estimated_cost_usd, billing_model, cached_tokens,
    cache_write_tokens, reasoning_tokens, interrupted, worst_case_tokens, worst_case_cost_usd)
  select u.id, w.id, u.task_id, u.team_run_id, u.team_id, u.agent_id, u.agent_version, u.attempt, u.step,
    u.turn, u.provider, u.model, u.prompt_tokens, u.completion_tokens, u.estimated_cost_usd, u.billing_model,
    coalesce(u.cached_tokens, 0), coalesce(u.cache_write_tokens, 0), coalesce(u.reasoning_tokens, 0), true,
    u.worst_case_tokens, u.worst_case_cost_usd
  from json_populate_recordset(null::usage_records, calls) u join workspaces w on w.id = u.workspace_id
  on conflict (id) do nothing
$function$;
revoke execute on function record_interrupted(json) from public;

CREATE OR REPLACE FUNCTION public.record_push_deliveries(task runs, config_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  new_event uuid := gen_random_uuid();
  event_name text := 'task.' || case task.status when 'running' then 'started' else task.status end;
begin
  insert into delivery_events (id, workspace_id, event, task_id, attempt, title, worker, status, result, error,
    happened_at)
  values (new_event, task.workspace_id, event_name, task.id, task.attempt, task.title,
    coalesce((select name from agents where id = task.agent_id), ''), task.status, coalesce(task.result, ''),
    task.error, coalesce(task.completed_at, task.updated_at));
  insert into deliveries (workspace_id, event_id, event, task_id, subscription_id, target_name, type, host, trace)
  select task.workspace_id, new_event, event_name, task.id, p.id, p.url, 'a2a_push',
    coalesce(substring(p.url from '^[a-z]+://([^/?#]+)'), ''), trace_below(task)
  from push_configs p where p.task_id = task.id and (config_id is null or p.id = config_id);
end $function$;
revoke execute on function record_push_deliveries(runs,uuid) from public;

CREATE OR REPLACE FUNCTION public.record_run_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into run_ends
  values (new.id, new.attempt, new.workspace_id, new.agent_id, new.team_id,
    date_trunc('hour', new.completed_at, 'UTC'), new.status,
    case new.status when 'failed' then coalesce(new.error_code, '') else '' end,
    duration_bucket(new.completed_at - new.started_at))
  on conflict do nothing;
  return null;
end $function$;
revoke execute on function record_run_end() from public;

CREATE OR REPLACE FUNCTION public.reference_blob()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from unreferenced_blobs where key = new.blob_key and not deleting;
  if not found then raise exception 'The content % was not stored in time.', new.blob_key; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.reject_deletion_of_used_knowledge_base()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Deleting a whole workspace deletes its agents as well.
  if exists (select from workspaces w where w.id = old.workspace_id and w.deleted_at is null)
    and exists (select from agents a where a.workspace_id = old.workspace_id and old.id = any (a.knowledge_base_ids)) then
    raise foreign_key_violation using constraint = 'knowledge_bases_used_by_agents', table = 'knowledge_bases',
      message = 'Agents name this knowledge base.';
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.reject_retired_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The encryption key was changed meanwhile; send the request again.' using errcode = 'MQ003';
end $function$;

CREATE OR REPLACE FUNCTION public.reject_unreviewed(agent agents)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  raise exception using errcode = 'MQ002', message = format(
    'The agent "%s" is a copy from the marketplace that waits for a review. Read its prompt and tools, then confirm it: '
    'set needs_review to false, or use muster agents confirm %s.', agent.name, agent.id);
end $function$;

CREATE OR REPLACE FUNCTION public.release_blob()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into unreferenced_blobs (key, delete_after) values (old.blob_key, now());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rename_service_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update users set name = new.name, updated_at = now() where id = new.id;
  return null;
end $function$;
revoke execute on function rename_service_account() from public;

CREATE OR REPLACE FUNCTION public.require_reviewed_agent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_moving() then return new; end if;
  perform reject_unreviewed(a) from agents a
  where a.id = (to_jsonb(new)->>tg_argv[0])::uuid and a.needs_review;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_budgets(calls json)
 RETURNS TABLE(n integer, verdict text, standing json)
 LANGUAGE plpgsql
 SET lock_timeout TO '100ms'
AS $function$
declare
  call budget_call;
  position integer := 0;
begin
  perform b.id from budgets b
    where b.target_id = any(array(
      select unnest(c.targets) from json_populate_recordset(null::budget_call, calls) as c))
    order by b.id for no key update;
  for call in select * from json_populate_recordset(null::budget_call, calls) loop
    position := position + 1;
    -- A repeated call: the first response was lost.
    if exists (select from budget_reservations r where r.id = call.id) then
      return query select position, 'granted', null::json;
      continue;
    end if;
    if exists (select from task_streams s where s.log_id = call.run_id) and not exists (
      select from jobs j where j.subject_id = call.run_id and j.attempt = call.attempt and j.state = 'running'
    ) then
      return query select position, 'ended', null::json;
      continue;
    end if;
    perform charge_reservations(json_agg(json_build_object('id', r.id))) from budget_reservations r
      where r.run_id = call.run_id and r.attempt = call.attempt and r.step = call.step having count(*) > 0;
    perform open_budget_windows(call);
    return query select position, reserved.verdict, reserved.standing from reserve_call(call) reserved;
  end loop;
end $function$;
revoke execute on function reserve_budgets(json) from public;

CREATE OR REPLACE FUNCTION public.reserve_call(call budget_call, OUT verdict text, OUT standing json)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
begin
  select
      case when s.fits then 'wait' when s.usd is null and s.max_usd is not null then 'unpriced' else 'exceeded' end,
      to_json(s)
    into verdict, standing
    from (
      select b.id, b.scope, b.target_id, b.period, b.on_breach, w.key, call.usd, call.tokens,
        trim_scale(b.max_usd) as max_usd, trim_scale(w.used_usd) as used_usd,
        trim_scale(w.reserved_usd) as reserved_usd, trim_scale(w.extra_usd) as extra_usd,
        b.max_tokens, w.used_tokens, w.reserved_tokens, w.extra_tokens,
        (b.max_usd is null or coalesce(w.used_usd + call.usd <= b.max_usd + w.extra_usd, false))
          and (b.max_tokens is null or w.used_tokens + call.tokens <= b.max_tokens + w.extra_tokens) as fits
      from budgets b
      join budget_windows w on w.budget_id = b.id and w.key = budget_window(b.period, call.run_id, call.attempt)
      where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id
    ) s
    where not s.fits
      or s.used_usd + s.reserved_usd + s.usd > s.max_usd + s.extra_usd
      or s.used_tokens + s.reserved_tokens + s.tokens > s.max_tokens + s.extra_tokens
    -- Budgets that end the run come first, then those that ask, then those that wait.
    order by s.fits, s.on_breach desc, s.id limit 1;
  if verdict is not null then return; end if;
  with held as (
    update budget_windows w set reserved_usd = w.reserved_usd + coalesce(call.usd, 0),
      reserved_tokens = w.reserved_tokens + call.tokens, updated_at = clock_timestamp()
    from budgets b
    where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id
      and w.budget_id = b.id and w.key = budget_window(b.period, call.run_id, call.attempt)
    returning w.budget_id, w.key
  ),
  kept as (
    insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens, usage)
    select call.id, call.workspace_id, call.run_id, call.attempt, call.step,
      array_agg(h.budget_id), array_agg(h.key), coalesce(call.usd, 0), call.tokens, call.usage
    from held h having count(*) > 0
    returning id
  )
  select case when count(*) = 0 then 'free' else 'granted' end into verdict from kept;
end $function$;
revoke execute on function reserve_call(budget_call) from public;

CREATE OR REPLACE FUNCTION public.revoke_leaked_keys(hashes text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('muster.leaked', 'on', true);
  return query delete from api_keys where key_hash = any (hashes) returning key_hash;
end $function$;
revoke execute on function revoke_leaked_keys(text[]) from public;

CREATE OR REPLACE FUNCTION public.save_agent_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if is_moving() then return null; end if;
  insert into agent_versions (workspace_id, agent_id, version, fields, changed_by)
  values (new.workspace_id, new.id, new.version, agent_version_fields(new), current_user_id());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.scope_lexeme(workspace uuid, scope uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ((workspace || ' '::text) || scope);

CREATE OR REPLACE FUNCTION public.search_passages(question text, scopes uuid[], documents uuid[], most integer)
 RETURNS TABLE(id uuid, score double precision)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  sampled constant integer := 300;
  -- A word is common if this many passages of the sample contain it.
  common constant integer := 15;
  enough constant integer := 2000;
  weights constant real[] := '{0.1, 0.3, 0.3, 0.3}';
  scope_filter tsquery := (
    select string_agg(lexeme_query(scope_lexeme(current_workspace_id(), scope))::text, ' | ')::tsquery
    from unnest(scopes) scope);
  total double precision;
  -- The words that passages contain, rarest first, and the number of passages with each.
  words tsquery[];
  counts double precision[];
  singles integer := 0;
  chosen double precision := 0;
  expected double precision;
  sought tsquery;
begin
  if scope_filter is null then return; end if;
  with sample as materialized (
    select s.place, (select p.search from passages p where p.id = s.id) as search
    from unnest(scopes) as asked (scope)
    cross join lateral (
      select p.id, uuid_hash(p.id) as place from passages p
      where p.scope = asked.scope and p.workspace_id is not distinct from (select current_workspace_id())
      order by uuid_hash(p.id) limit sampled
    ) s
    order by s.place limit sampled
  ), size as materialized (
    select count(*) as taken, case
      when count(*) < sampled then count(*)
      else count(*) * 2 ^ 32 / (max(place) + 2 ^ 31 + 1)
    end as total
    from sample
  ), seen as materialized (
    select w.word, (select count(*) from sample where sample.search @@ w.word) as n
    from (select lexeme_query(lexeme) as word from unnest(to_tsvector('pg_catalog.english', question)) limit 32) w
  ), counted as materialized (
    select seen.word, seen.n * size.total / size.taken as estimate, case
      when size.taken < sampled or seen.n >= common then null
      else (select count(*) from (select from passages p where p.search @@ (scope_filter && seen.word) limit enough) p)
    end as n
    from seen, size where size.taken > 0
  ), known as (
    select word, case when n < enough then n else greatest(n, estimate) end as n from counted
  )
  select (select size.total from size), array_agg(word order by n, word::text), array_agg(n order by n, word::text)
  into total, words, counts from known where n > 0;
  if words is null then return; end if;
  for i in 1 .. cardinality(words) loop
    if chosen + counts[i] <= enough then
      sought := coalesce(sought || words[i], words[i]);
      chosen := chosen + counts[i];
      singles := i;
    else
      for j in singles + 1 .. i - 1 loop
        expected := counts[i] * counts[j] / total;
        continue when chosen + expected > enough;
        sought := coalesce(sought || (words[i] && words[j]), words[i] && words[j]);
        chosen := chosen + expected;
      end loop;
    end if;
  end loop;
  if sought is null then
    select string_agg(word::text, ' & ')::tsquery into sought from unnest(words) word;
  end if;
  return query
    select found.id, found.score from (
      select p.id, (
        select sum(ln(1 + (total - t.count + 0.5) / (t.count + 0.5)) * ts_rank(weights, p.search, t.word, 1))
        from unnest(words, counts) as t (word, count) where p.search @@ t.word
      ) as score
      from passages p
      where p.search @@ (scope_filter && sought) and (documents is null or p.document_id = any (documents))
      limit enough
    ) found
    order by found.score desc, found.id
    limit most;
end $function$;
revoke execute on function search_passages(text,uuid[],uuid[],integer) from public;
grant execute on function search_passages(text,uuid[],uuid[],integer) to muster_viewer;

CREATE OR REPLACE FUNCTION public.set_workspace_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' or slug_of(new.name) <> slug_of(old.name) then
    new.slug := claim_slug(new.id, case when is_moving() then new.slug else new.name end);
  end if;
  return new;
end $function$;
revoke execute on function set_workspace_slug() from public;

CREATE OR REPLACE FUNCTION public.shown_value(key text, value jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN CASE WHEN ((key = ANY (ARRAY['url'::text, 'base_url'::text, 'target_url'::text])) AND (jsonb_typeof(value) = 'string'::text)) THEN to_jsonb(regexp_replace(regexp_replace((value #>> '{}'::text[]), '[?#].*$'::text, ''::text), '//[^/@]*@'::text, '//'::text)) ELSE value END;
revoke execute on function shown_value(text,jsonb) from public;

CREATE OR REPLACE FUNCTION public.slug_of(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when slug ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then 'w-' || slug
    when slug = '' then 'workspace' else slug end
  from (select btrim(left(regexp_replace(lower(regexp_replace(normalize(name, NFKD), U&'[\0300-\036F]', '', 'g')),
    '[^a-z0-9]+', '-', 'g'), 40), '-') as slug) as made
$function$;

CREATE OR REPLACE FUNCTION public.starter_of(run uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select case
      when r.started_by is not null then case when acts_himself(r.started_by, r.started_key) then r.started_by end
      when r.source_kind = 'console' then r.created_by
      when r.source_kind = 'mcp' and acts_himself(r.created_by, r.source_id) then r.created_by
    end
  from runs r where r.id = coalesce((select p.parent_id from runs p where p.id = run), run)
$function$;
revoke execute on function starter_of(uuid) from public;

CREATE OR REPLACE FUNCTION public.subject_totals(subjects uuid[], since timestamp with time zone, before timestamp with time zone)
 RETURNS TABLE(subject_id uuid, completed integer, failed integer, cancelled integer, durations jsonb, tokens bigint, cost_usd numeric)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT t.subject_id,
     t.completed,
     t.failed,
     t.cancelled,
     t.durations,
     t.tokens,
     t.cost_usd
    FROM (whole_periods(subject_totals.since, subject_totals.before) p(bucket, since, before)
      JOIN period_sums t ON (((t.bucket = p.bucket) AND (t.start >= p.since) AND (t.start < p.before))))
   WHERE ((t.workspace_id = current_workspace_id()) AND (t.subject_id = ANY (subject_totals.subjects)))
 UNION ALL
  SELECT t.subject_id,
     t.completed,
     t.failed,
     t.cancelled,
     t.durations,
     t.tokens,
     t.cost_usd
    FROM unsummed_periods t
   WHERE ((t.workspace_id = current_workspace_id()) AND (t.subject_id = ANY (subject_totals.subjects)) AND (t.bucket = 'hour'::text) AND (t.start >= subject_totals.since) AND (t.start < subject_totals.before));
END;

CREATE OR REPLACE FUNCTION public.sum_usage()
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  since timestamptz;
  before timestamptz;
begin
  if not exists (select from usage_sums where until < clock_timestamp() - interval '2 hours')
    or not pg_try_advisory_xact_lock(hashtext('muster_counters')) then
    return false;
  end if;
  select until into since from usage_sums for update;
  before := least(date_trunc('hour', clock_timestamp() - interval '1 hour', 'UTC'), since + interval '1 day');
  if before <= since then return false; end if;
  perform add_usage(since, before);
  update usage_sums set until = before;
  return true;
end $function$;
revoke execute on function sum_usage() from public;

CREATE OR REPLACE FUNCTION public.team_config_of_run(run runs, team teams)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (((run).fork IS NULL) OR ((team).mode <> 'pipeline'::text)) THEN (team).config ELSE jsonb_set((team).config, '{steps}'::text[], (SELECT COALESCE(jsonb_agg((s.step || COALESCE((((team_config_of_run.run).fork -> 'steps'::text) -> ((s.place - 1))::text), '{}'::jsonb)) ORDER BY s.place), '[]'::jsonb) AS "coalesce" FROM jsonb_array_elements(((team_config_of_run.team).config -> 'steps'::text)) WITH ORDINALITY s(step, place))) END;

CREATE OR REPLACE FUNCTION public.time_ordered_id()
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (OVERLAY(replace((gen_random_uuid())::text, '-'::text, ''::text) PLACING (lpad(to_hex(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint), 12, '0'::text) || '7'::text) FROM 1 FOR 13))::uuid;

CREATE OR REPLACE FUNCTION public.title_of(run runs)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE (run).kind WHEN 'task'::text THEN (run).title ELSE "left"(rtrim(split_part(ltrim("left"((run).title, 1000), ' 	
'::text), '
'::text, 1), ' 	'::text), 200) END;

CREATE OR REPLACE FUNCTION public.title_search(workspace_id uuid, title text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (array_to_tsvector(ARRAY[(workspace_id)::text]) || to_tsvector('simple'::regconfig, regexp_replace("left"(title, 200), '[!-/:-@\[-`{-~]+'::text, ' '::text, 'g'::text)));

CREATE OR REPLACE FUNCTION public.tools_without(tools text[], prefixes text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT t.tool FROM unnest(tools_without.tools) WITH ORDINALITY t(tool, n) WHERE ((split_part(t.tool, ':'::text, 1) || ':'::text) <> ALL (tools_without.prefixes)) ORDER BY t.n);

CREATE OR REPLACE FUNCTION public.trace_below(run runs)
 RETURNS text
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT
         CASE
             WHEN (t.trace ~~ '%-01'::text) THEN (("left"(t.trace, 36) || "left"(encode(sha256(convert_to((((COALESCE((trace_below.run).parent_id, (trace_below.run).id) || '/'::text) || (trace_below.run).attempt) || '/run'::text), 'UTF8'::name)), 'hex'::text), 16)) || '-01'::text)
             WHEN (t.trace !~~ '%-0000000000000000-%'::text) THEN t.trace
             ELSE NULL::text
         END AS "case"
    FROM ( SELECT trace_of(trace_below.run) AS trace) t;
END;

CREATE OR REPLACE FUNCTION public.trace_of(run runs)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN COALESCE((run).trace, CASE WHEN ((run).parent_id IS NOT NULL) THEN (SELECT p.trace FROM runs p WHERE (p.id = (trace_of.run).parent_id)) ELSE NULL::text END);

CREATE OR REPLACE FUNCTION public.unix_ms(moment timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN round((date_part('epoch'::text, moment) * (1000)::double precision));

CREATE OR REPLACE FUNCTION public.usage_by_turn(run uuid, run_attempt integer)
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.vector_code(vector real[])
 RETURNS bit varying
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (CASE WHEN (max(known.length) <= 1024) THEN ((((string_agg((((v.v > (('-1.2'::numeric)::double precision / known.unit)))::integer)::text, ''::text) || string_agg((((v.v > (('-0.5'::numeric)::double precision / known.unit)))::integer)::text, ''::text)) || string_agg((((v.v > (0)::double precision))::integer)::text, ''::text)) || string_agg((((v.v > ((0.5)::double precision / known.unit)))::integer)::text, ''::text)) || string_agg((((v.v > ((1.2)::double precision / known.unit)))::integer)::text, ''::text)) WHEN (max(known.length) <= 2048) THEN ((string_agg((((v.v > (('-0.5'::numeric)::double precision / known.unit)))::integer)::text, ''::text) || string_agg((((v.v > (0)::double precision))::integer)::text, ''::text)) || string_agg((((v.v > ((0.5)::double precision / known.unit)))::integer)::text, ''::text)) ELSE string_agg((((v.v > (0)::double precision))::integer)::text, ''::text) END)::bit varying AS string_agg FROM (SELECT cardinality(vector_code.vector) AS length, sqrt((cardinality(vector_code.vector))::double precision) AS unit OFFSET 0) known, unnest(vector_code.vector) v(v));

CREATE OR REPLACE FUNCTION public.voter_name(voter uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN COALESCE((SELECT u.name FROM (users u JOIN members m ON ((m.user_id = u.id))) WHERE ((u.id = voter_name.voter) AND (m.workspace_id = current_workspace_id()))), former_name(voter));
revoke execute on function voter_name(uuid) from public;
grant execute on function voter_name(uuid) to muster_reach_viewer;
grant execute on function voter_name(uuid) to muster_viewer;

CREATE OR REPLACE FUNCTION public.warn_of_expiring_keys(most integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  expiring api_keys;
  warned integer := 0;
begin
  for expiring in
    update api_keys set warn_at = next_key_warning(expires_at)
    where id in (select k.id from api_keys k where k.warn_at <= clock_timestamp()
      order by k.warn_at limit most for update skip locked)
    returning *
  loop
    warned := warned + 1;
    continue when expiring.expires_at <= clock_timestamp();
    perform write_audit(expiring.workspace_id, 'key.expiring', 'key', expiring.id, expiring.label,
      jsonb_build_object('expires_at', jsonb_build_array(null, iso(expiring.expires_at))));
  end loop;
  return warned;
end $function$;
revoke execute on function warn_of_expiring_keys(integer) from public;

CREATE OR REPLACE FUNCTION public.whole_periods(since timestamp with time zone, before timestamp with time zone)
 RETURNS TABLE(bucket text, since timestamp with time zone, before timestamp with time zone)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 SELECT p.bucket,
     p.since,
     p.before
    FROM (( SELECT date_trunc('day'::text, ((whole_periods.since + '1 day'::interval) - '00:00:00.000001'::interval), 'UTC'::text) AS first,
             date_trunc('day'::text, whole_periods.before, 'UTC'::text) AS last) d
      CROSS JOIN LATERAL ( VALUES ('day'::text,d.first,d.last), ('hour'::text,whole_periods.since,LEAST(d.first, whole_periods.before)), ('hour'::text,GREATEST(d.first, d.last),whole_periods.before)) p(bucket, since, before));
END;

CREATE OR REPLACE FUNCTION public.window_end(window_start timestamp with time zone, period text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((window_start AT TIME ZONE 'UTC'::text) + (('1 '::text || period))::interval) AT TIME ZONE 'UTC'::text);

CREATE OR REPLACE FUNCTION public.write_audit(workspace uuid, action text, subject_kind text, subject_id uuid, subject_name text, changes jsonb, actor uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into audit_log (workspace_id, actor_id, key_id, key_label, action, subject_kind, subject_id, subject_name, changes)
  select w.id, coalesce(current_user_id(), actor), current_key_id(), (select k.label from api_keys k where k.id = current_key_id()),
    write_audit.action, write_audit.subject_kind, write_audit.subject_id, left(write_audit.subject_name, 200),
    write_audit.changes
  from workspaces w where w.id = workspace and w.deleted_at is null
$function$;
revoke execute on function write_audit(uuid,text,text,uuid,text,jsonb,uuid) from public;
