-- The hosts that a workspace's push configurations name. Until a host has accepted a notification, it is sent one at a
-- time: a client must not be able to make the service call a stranger as often as it likes.
create table push_receivers (
  workspace_id uuid not null references workspaces on delete cascade,
  host text collate "C" not null,
  -- The delivery whose attempts decide.
  prover_id uuid not null,
  tried_at timestamptz not null default clock_timestamp(),
  -- When the host accepted a notification for the first time; null until then.
  proven_at timestamptz,
  primary key (workspace_id, host)
);
alter table push_receivers enable row level security;
create policy tenant on push_receivers using (workspace_id is not distinct from (select current_workspace_id()));
grant select on push_receivers to muster_viewer;
