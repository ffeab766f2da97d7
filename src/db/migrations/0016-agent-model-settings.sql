-- How an agent calls its models: reasoning, the schema of its result, several fallback models, prompt caching, and
-- calls without a temperature.
alter table agents
  alter column temperature drop not null,
  add column reasoning jsonb not null default '{"effort": null, "show": false}',
  -- json, not jsonb: models write the properties of a result in the order of its schema.
  add column output_schema json,
  add column prompt_caching boolean not null default true,
  -- In the order in which they are called. fallback_model is the first.
  add column fallback_models text[] not null default '{}';
-- These are no changes by a person: neither versions nor the audit log contain them.
alter table agents disable trigger user;
update agents set fallback_models = array[fallback_model] where fallback_model <> model;
update agents set fallback_model = null where fallback_model = model;
alter table agents enable trigger user;
alter table agents add constraint agents_fallback_model_check check (fallback_model is not distinct from fallback_models[1]);

drop view if exists table_api.listed_agents, table_api.agents, agent_records;

-- Versions contain the schema as well, so their fields keep its order, too. Their function returns json from now on.
drop view if exists agent_version_details, agent_version_records;
drop trigger if exists agent_changes on agents;
drop function if exists agent_version_fields(agents);
update agent_versions set fields = fields - 'fallback_model' || jsonb_build_object(
  'fallback_models', array_remove(array[nullif(fields->>'fallback_model', fields->>'model')], null),
  'reasoning', '{"effort": null, "show": false}'::jsonb,
  'output_schema', null,
  'prompt_caching', true);
alter table agent_versions alter column fields type json;
