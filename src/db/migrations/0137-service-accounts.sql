-- A service account is a member that is no person: programs act as it, by keys of its own or as a client of the OpenID
-- provider. It has a row in users, so that all records name it, with an address that nobody can have. Its row stays when
-- its membership ends, so that what it made keeps its name.
create table service_accounts (
  id uuid primary key references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- The client id of the program at the provider; null for an account that an admin has created.
  client text,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create index service_accounts_workspace_idx on service_accounts (workspace_id, created_at);
create unique index service_accounts_client_key on service_accounts (workspace_id, client) where removed_at is null;
alter table service_accounts enable row level security;
create policy tenant on service_accounts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on service_accounts to muster_viewer;
grant update (name, removed_at) on service_accounts to muster_admin;

create policy service_accounts on users to muster_viewer
  using (exists (select from service_accounts s where s.id = users.id));
