-- Days that a workspace keeps ended runs, if fewer than the instance (RETENTION_TASKS_DAYS). Deletions of old runs are one
-- entry of the audit log (routines/076-audit.sql).
alter table workspaces add column retention_tasks_days integer check (retention_tasks_days >= 1);
grant update (retention_tasks_days) on workspaces to muster_admin;
