-- Golden runs: recorded runs of an agent whose results later versions are held to. A case is a run's input with the
-- results of its tools; each golden run tries a candidate on all cases, as one task for each.
-- The routines change with this number: 030-agents.sql, 075-counters.sql, 076-audit.sql, 085-golden.sql,
-- 100-deliveries.sql, 110-queue.sql.

-- tools: the calls of the run, each with name, arguments and result. feedback: what people said of it.
create table golden_cases (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  name text not null,
  source_run_id uuid not null,
  source_attempt integer not null,
  input json not null,
  tools json not null,
  result text,
  expected text not null,
  feedback json not null,
  checks json not null,
  agent_version integer,
  cost_usd numeric not null,
  tokens bigint not null,
  duration_ms double precision not null,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (agent_id, source_run_id, source_attempt),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create index golden_cases_newest_idx on golden_cases (agent_id, created_at desc, id desc);
create index golden_cases_workspace_idx on golden_cases (workspace_id);
alter table golden_cases enable row level security;
create policy tenant on golden_cases using (workspace_id is not distinct from (select current_workspace_id()));
grant select on golden_cases to muster_viewer;
grant insert, update, delete on golden_cases to muster_app;

-- candidate: the fields of the version that is tried, as agent_version_fields returns them. version: the stored version
-- that has these fields; null for fields that no version has.
create table golden_runs (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  candidate json not null,
  version integer,
  model text not null,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create index golden_runs_newest_idx on golden_runs (agent_id, created_at desc, id desc);
alter table golden_runs enable row level security;
create policy tenant on golden_runs using (workspace_id is not distinct from (select current_workspace_id()));
grant select on golden_runs to muster_viewer;
grant insert, delete on golden_runs to muster_app;

-- The result of a candidate on a case, which outlives the case and its task. The name and the figures before are copies.
create table golden_results (
  golden_run_id uuid not null,
  case_id uuid not null,
  workspace_id uuid not null references workspaces on delete cascade,
  position integer not null,
  name text not null,
  before json not null,
  run_id uuid not null,
  checks json,
  tools json,
  cost_usd numeric,
  tokens bigint,
  duration_ms double precision,
  status text not null default 'running' check (status in ('running', 'passed', 'failed', 'diverged', 'cancelled')),
  result text,
  reason text,
  ended_at timestamptz,
  primary key (golden_run_id, case_id),
  foreign key (workspace_id, golden_run_id) references golden_runs (workspace_id, id) on delete cascade
);
create unique index golden_results_run_idx on golden_results (run_id);
create index golden_results_workspace_idx on golden_results (workspace_id);
alter table golden_results enable row level security;
create policy tenant on golden_results using (workspace_id is not distinct from (select current_workspace_id()));
grant select on golden_results to muster_viewer;
grant insert on golden_results to muster_app;

-- What of its golden cases a version must pass before it is published. all, a number, or none; agents without a row need nothing.
create table golden_gates (
  agent_id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  required text not null check (required in ('all', 'none') or required ~ '^[1-9][0-9]{0,2}$'),
  updated_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create index golden_gates_workspace_idx on golden_gates (workspace_id);
alter table golden_gates enable row level security;
create policy tenant on golden_gates using (workspace_id is not distinct from (select current_workspace_id()));
grant select on golden_gates to muster_viewer;
grant insert, update on golden_gates to muster_admin;
