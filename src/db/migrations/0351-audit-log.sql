-- Who changed what in a workspace: written by triggers in the transaction of the change, and never changed itself.

-- actor_id: the person; null for the service or its operator. key_id: the key that was used.
-- subject_*: what was changed, by the name that it had.
-- changes: by field a pair of before and after; null where the values are secret or long.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  key_id uuid,
  key_label text,
  action text not null,
  subject_kind text not null,
  subject_id uuid,
  subject_name text,
  changes jsonb not null default '{}'
);
create index audit_log_newest_idx on audit_log (workspace_id, at desc, id desc);
create index audit_log_actor_idx on audit_log (workspace_id, actor_id, at desc, id desc);
create index audit_log_kind_idx on audit_log (workspace_id, subject_kind, at desc, id desc);
alter table audit_log enable row level security;
create policy tenant on audit_log using (workspace_id is not distinct from (select current_workspace_id()));
grant select on audit_log to muster_admin;
