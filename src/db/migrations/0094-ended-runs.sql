-- muster: concurrently
-- The runs of a workspace that ended lately, for the share of those that failed.
create index concurrently if not exists runs_ended_idx on runs (workspace_id, completed_at desc)
  where completed_at is not null and parent_id is null;
