-- Links that show one attempt of a run without an account. A link is valid until its expiry while the workspace allows
-- links and its creator is a member. Its row is deleted with the run. `run_id` is the task, or the team run without a
-- task: it is no foreign key; a deleted run deletes its links by delete_closed_questions().
alter table workspaces add run_links boolean not null default false;
grant update (run_links) on workspaces to muster_admin;

create table run_links (
  id uuid primary key,
  token_hash text not null unique,
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  attempt integer not null,
  -- Whether it shows the steps with their texts, and what the run cost.
  shows_steps boolean not null,
  shows_cost boolean not null,
  created_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- A revoked link is kept for the list.
  revoked_at timestamptz
);
create index run_links_run_idx on run_links (run_id, created_at desc);
create index run_links_workspace_idx on run_links (workspace_id);
create index run_links_created_by_idx on run_links (created_by);
alter table run_links enable row level security;
create policy tenant on run_links using (workspace_id is not distinct from (select current_workspace_id()));
grant insert, update (revoked_at) on run_links to muster_app;
grant select (id, workspace_id, run_id, attempt, shows_steps, shows_cost, created_by, created_at, expires_at, revoked_at)
  on run_links to muster_viewer;
