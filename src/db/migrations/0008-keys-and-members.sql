-- Keys that take over from others, members who take their keys with them, invitations.

-- Where a key was rotated: the key that takes its place. Set once, when the old key's days are counted.
alter table api_keys add column replaced_by uuid;
alter table api_keys add constraint api_keys_workspace_id_id_key unique (workspace_id, id);
alter table api_keys add constraint api_keys_replaced_by_fkey foreign key (workspace_id, replaced_by)
  references api_keys (workspace_id, id) on delete set null (replaced_by);
grant select (replaced_by) on api_keys to muster_viewer;
create index api_keys_replaced_by_idx on api_keys (replaced_by) where replaced_by is not null;

-- A key belongs to a member: who leaves takes it along, and does not get it back by returning.
delete from api_keys k where not exists
  (select from members m where m.workspace_id = k.workspace_id and m.user_id = k.created_by);
alter table api_keys add constraint api_keys_member_fkey foreign key (workspace_id, created_by)
  references members (workspace_id, user_id) on delete cascade;
create index api_keys_member_idx on api_keys (created_by, workspace_id);

-- An open invitation: gone when it is accepted, withdrawn, or its maker leaves. The link's token is
-- stored as its SHA-256. failed_attempts: how often a wrong password came with it.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash text not null unique,
  failed_attempts integer not null default 0,
  invited_by uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint invitations_member_fkey foreign key (workspace_id, invited_by)
    references members (workspace_id, user_id) on delete cascade
);
create unique index invitations_email_key on invitations (workspace_id, lower(email));
create index invitations_newest_idx on invitations (workspace_id, created_at desc);
create index invitations_member_idx on invitations (invited_by, workspace_id);

alter table invitations enable row level security;
create policy tenant on invitations using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, email, role, invited_by, expires_at, created_at) on invitations to muster_viewer;
grant insert, update, delete on invitations to muster_admin;

-- An admin changes what these say, not whose they are. Members come by invitation alone, a plan is the
-- operator's to give, and a workspace ends by its owner's word, which the service checks.
revoke update on api_keys from muster_admin;
grant update (label, expires_at, replaced_by) on api_keys to muster_admin;
revoke insert, update on members from muster_admin;
grant update (role) on members to muster_admin;
revoke update, delete on workspaces from muster_admin;
grant update (name, updated_at) on workspaces to muster_admin;

-- Usage has no reference to its workspace, so that writing it checks none; it goes all the same.
create function delete_workspace_usage() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from usage_records where workspace_id = old.id;
  return null;
end $$;
create trigger workspace_deleted
  after delete on workspaces for each row execute function delete_workspace_usage();
