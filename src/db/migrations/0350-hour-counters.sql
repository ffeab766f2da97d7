-- What runs came to and what they used, by hour: the overview and statistics read counters, however many runs there are.

-- The end of each attempt of a task or of a team run without one, written in the transaction of that end, so that runs
-- never wait for each other at a counter. Soon after it is added to the counters, and deleted here.
create table run_ends (
  run_id uuid not null,
  attempt integer not null,
  workspace_id uuid not null,
  agent_id uuid,
  team_id uuid,
  hour timestamptz not null,
  status text not null,
  error_code text not null,
  duration_bucket smallint not null,
  primary key (run_id, attempt)
);
alter table run_ends enable row level security;
create policy tenant on run_ends using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_ends to muster_viewer;

-- Attempts that ended, by hour in UTC.
-- subject_id: the agent or team that did them, or the workspace, for all of them.
-- error_code: of those that failed; else empty.
-- duration_bucket: of logarithmic size, see duration_bucket(); -1 for attempts that never started.
create table run_hours (
  workspace_id uuid not null,
  subject_id uuid not null,
  hour timestamptz not null,
  status text not null check (status in ('completed', 'failed', 'cancelled')),
  error_code text not null,
  duration_bucket smallint not null,
  runs integer not null,
  primary key (workspace_id, subject_id, hour, status, error_code, duration_bucket)
);
alter table run_hours enable row level security;
create policy tenant on run_hours using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_hours to muster_viewer;

-- Sums of usage_records, by hour in UTC.
create table usage_hours (
  workspace_id uuid not null,
  hour timestamptz not null,
  agent_id uuid,
  team_id uuid,
  provider text not null,
  model text not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_usd numeric not null,
  constraint usage_hours_key unique nulls not distinct (workspace_id, hour, agent_id, team_id, provider, model)
);
create index usage_hours_agent_idx on usage_hours (agent_id, hour) where agent_id is not null;
alter table usage_hours enable row level security;
create policy tenant on usage_hours using (workspace_id is not distinct from (select current_workspace_id()));
grant select on usage_hours to muster_viewer;
create index usage_records_created_at_idx on usage_records using brin (created_at);

-- Up to when usage_records are summed up in usage_hours; always a full hour.
create table usage_sums (
  is_only boolean primary key default true check (is_only),
  until timestamptz not null
);
insert into usage_sums (until)
select date_trunc('hour', coalesce(min(created_at), clock_timestamp()), 'UTC') from usage_records;
alter table usage_sums enable row level security;
create policy everybody on usage_sums for select using (true);
grant select on usage_sums to muster_viewer;

create index team_runs_lone_open_idx on team_runs (workspace_id, status, created_at)
  where task_id is null and status not in ('completed', 'failed', 'cancelled');

-- The bucket of a duration: four to each doubling of the milliseconds, so that the middle of a bucket is within 10 % of
-- whatever is in it.
create function duration_bucket(duration interval) returns smallint
  language sql immutable parallel safe
  return case when duration is null then -1
    else floor(4 * ln(greatest(1, extract(epoch from duration) * 1000)::double precision) / ln(2::double precision))
  end::smallint;

-- What is known of the time before: the newest attempt of each run that has ended.
insert into run_ends
select id, attempt, workspace_id, assigned_agent_id, assigned_team_id, date_trunc('hour', completed_at, 'UTC'), status,
  case status when 'failed' then coalesce(error_code, '') else '' end, duration_bucket(completed_at - started_at)
from tasks where status in ('completed', 'failed', 'cancelled') and completed_at is not null;
insert into run_ends
select id, attempt, workspace_id, null, team_id, date_trunc('hour', completed_at, 'UTC'), status,
  case status when 'failed' then coalesce(error_code, '') else '' end, duration_bucket(completed_at - started_at)
from team_runs where task_id is null and status in ('completed', 'failed', 'cancelled') and completed_at is not null;
