-- The marketplace in the table API: `marketplace_agents` and `table_api.listed_agents` in 030-agents.sql.

-- All surfaces but the envelope API share one more count of their workspace.
alter table request_counts drop constraint request_counts_surface_check;
alter table request_counts add constraint request_counts_surface_check
  check (surface in ('envelope', 'shared', 'table', 'provider-test'));
