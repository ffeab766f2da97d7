-- A copy of another workspace's agent starts no work until somebody of this workspace has confirmed it
-- (reject_unreviewed in routines/030-agents.sql). Copies that exist have been in use.
alter table agents add column needs_review boolean not null default false;
