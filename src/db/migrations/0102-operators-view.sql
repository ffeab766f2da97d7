-- Since when the operator holds a workspace: nothing new is stored or started in it and nothing runs, but it is read.
-- `count_stored` (routines/010-access.sql) rejects what is new; `may_start` and the claims (routines/110-queue.sql) hold jobs.
alter table workspaces add column held_at timestamptz;
create index workspaces_held_idx on workspaces (id) where held_at is not null;

-- The version of a process; null for one of a version before this column.
alter table executors add column version text;
