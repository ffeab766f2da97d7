-- The trace that a run belongs to, as a `traceparent` (W3C Trace Context) with the request that created the run as its
-- parent; a parent of zeros: the run is the root. Null for runs that are not traced: all, while no exporter is set up.
alter table runs add column trace text;
-- The same of a delivery, with the span of the run as its parent.
alter table deliveries add column trace text;

-- Attempts and deliveries with spans to export, from a run's first wait for an answer, or an end, until it is exported.
create table trace_exports (
  -- The id of the run or delivery.
  subject_id uuid not null,
  -- The attempt of the run; 0 for a delivery.
  attempt integer not null,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  trace text not null,
  -- Raised by each change of its state, so that an export knows whether it has seen the newest.
  version integer not null default 1,
  -- Since when something waits for its export; null while the run goes on.
  ready_at timestamptz default clock_timestamp(),
  -- Until when a process exports it.
  claimed_until timestamptz,
  -- The keys of the spans that a receiver has accepted.
  sent text[] not null default '{}',
  primary key (subject_id, attempt)
);
create index trace_exports_ready_idx on trace_exports (workspace_id, ready_at);
alter table trace_exports enable row level security;
create policy tenant on trace_exports using (workspace_id is not distinct from (select current_workspace_id()));
grant select on trace_exports to muster_viewer;
