-- Alerts
-- ======
-- A rule of a workspace. It is checked about once a minute; when its state changes, the same transaction writes the
-- delivery of the event.
--
-- threshold: in the unit of the kind: percent, US dollars, minutes, or failed deliveries.
-- window_minutes, min_runs: of failure_rate only. watched_route_id: of route_failing only; null for any route.
-- route_id: the destination of its events. Not a reference: the id of a deleted route stays, and its name is then null.
-- check_at: when it is checked next; null while it is disabled.
create table alerts (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  kind text not null check (kind in ('failure_rate', 'cost_per_hour', 'question_age', 'queue_age', 'route_failing')),
  threshold double precision not null check (threshold > 0),
  window_minutes integer,
  min_runs integer,
  agent_id uuid,
  team_id uuid,
  watched_route_id uuid,
  route_id uuid,
  is_enabled boolean not null,
  state text not null default 'ok' check (state in ('ok', 'firing')),
  since timestamptz not null default clock_timestamp(),
  last_value double precision,
  last_checked_at timestamptz,
  check_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint alerts_window_check check ((kind = 'failure_rate') = (num_nonnulls(window_minutes, min_runs) = 2)),
  constraint alerts_agent_fkey foreign key (workspace_id, agent_id)
    references agents(workspace_id, id) on delete cascade,
  constraint alerts_team_fkey foreign key (workspace_id, team_id)
    references teams(workspace_id, id) on delete cascade,
  constraint alerts_watched_route_fkey foreign key (workspace_id, watched_route_id)
    references output_routes(workspace_id, id) on delete cascade
);
create index alerts_newest_idx on alerts (workspace_id, created_at desc);
create index alerts_check_idx on alerts (check_at) where check_at is not null;
create index alerts_agent_idx on alerts (agent_id) where agent_id is not null;
create index alerts_team_idx on alerts (team_id) where team_id is not null;
create index alerts_watched_route_idx on alerts (watched_route_id) where watched_route_id is not null;
alter table alerts enable row level security;
create policy tenant on alerts using (workspace_id is not distinct from (select current_workspace_id()));
grant select on alerts to muster_viewer;
grant insert, update, delete on alerts to muster_app;

alter table plan_quotas add column alerts bigint;
