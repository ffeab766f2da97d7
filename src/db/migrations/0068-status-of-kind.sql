-- Lists of tasks by status do not say that no task has a parent, so their index must not ask for it.
drop index runs_status_newest_idx;
create index runs_status_newest_idx on runs (workspace_id, kind, status, created_at desc, id desc);
