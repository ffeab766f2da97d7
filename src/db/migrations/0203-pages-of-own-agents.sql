-- A workspace that names another's agent learns that it has none of this id, not that the agent has a page.
alter table agent_pages drop constraint agent_pages_agent_key,
  add constraint agent_pages_agent_key unique (workspace_id, agent_id);
