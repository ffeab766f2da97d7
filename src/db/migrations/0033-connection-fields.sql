-- What a connection to a provider has besides its key and base URL: see src/domain/models/connection-fields.ts.
alter table provider_keys
  add resource text,
  add region text,
  add project text,
  add api text check (api in ('responses', 'chat'));
grant select (resource, region, project, api) on provider_keys to muster_viewer;
-- A call finds out that an endpoint has only Chat Completions.
grant update (api) on provider_keys to muster_app;
