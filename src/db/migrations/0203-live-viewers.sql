-- Workspaces whose changes somebody watches in a page. Each process with viewers says so every few seconds; changes are
-- announced only while one has. Nothing is lost with the table: it is filled again within that time.
create unlogged table live_viewers (
  workspace_id uuid primary key,
  seen_at timestamptz not null default clock_timestamp()
);
alter table live_viewers enable row level security;
create policy tenant on live_viewers using (workspace_id is not distinct from (select current_workspace_id()));
grant select on live_viewers to muster_viewer;
