-- What ended and was used in an hour and in a day, in UTC: a report reads a row for each of its hours or days, whatever
-- ran in them.
-- subject_id: an agent, a team, or the workspace for all of them. Usage in teams counts for the agent.
-- durations: the number of completed and failed attempts by duration_bucket(). error_codes: of failed attempts by code.
create table period_sums (
  workspace_id uuid not null,
  subject_id uuid not null,
  bucket text not null check (bucket in ('hour', 'day')),
  start timestamptz not null,
  completed integer not null,
  failed integer not null,
  cancelled integer not null,
  durations jsonb not null,
  error_codes jsonb not null,
  tokens bigint not null,
  cost_usd numeric not null,
  primary key (workspace_id, subject_id, bucket, start)
);
alter table period_sums enable row level security;
create policy tenant on period_sums using (workspace_id is not distinct from (select current_workspace_id()));
grant select on period_sums to muster_viewer;

-- Sums of usage_records, by day in UTC.
create table usage_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid,
  team_id uuid,
  provider text not null,
  model text not null,
  calls bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  cost_usd numeric not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  reasoning_tokens bigint not null,
  interrupted_calls bigint not null,
  worst_case_tokens bigint not null,
  worst_case_cost_usd numeric not null,
  constraint usage_days_key unique nulls not distinct (workspace_id, day, agent_id, team_id, provider, model)
);
alter table usage_days enable row level security;
create policy tenant on usage_days using (workspace_id is not distinct from (select current_workspace_id()));
grant select on usage_days to muster_viewer;

insert into usage_days
select workspace_id, (hour at time zone 'UTC')::date, agent_id, team_id, provider, model, sum(calls),
  sum(prompt_tokens), sum(completion_tokens), sum(cost_usd), sum(cached_tokens), sum(cache_write_tokens),
  sum(reasoning_tokens), sum(interrupted_calls), sum(worst_case_tokens), sum(worst_case_cost_usd)
from usage_hours group by 1, 2, 3, 4, 5, 6;

with spread as (
  select h.workspace_id, h.subject_id, b.bucket, date_trunc(b.bucket, h.hour, 'UTC') as start, h.status, h.error_code,
    h.duration_bucket, sum(h.runs) as runs
  from run_hours h cross join (values ('hour'), ('day')) b (bucket)
  group by 1, 2, 3, 4, 5, 6, 7
),
counts as (
  select workspace_id, subject_id, bucket, start,
    coalesce(sum(runs) filter (where status = 'completed'), 0) as completed,
    coalesce(sum(runs) filter (where status = 'failed'), 0) as failed,
    coalesce(sum(runs) filter (where status = 'cancelled'), 0) as cancelled
  from spread group by 1, 2, 3, 4
),
durations as (
  select workspace_id, subject_id, bucket, start, jsonb_object_agg(duration_bucket, runs) as map
  from (
    select workspace_id, subject_id, bucket, start, duration_bucket, sum(runs) as runs from spread
    where status <> 'cancelled' and duration_bucket >= 0 group by 1, 2, 3, 4, 5
  ) d
  group by 1, 2, 3, 4
),
codes as (
  select workspace_id, subject_id, bucket, start, jsonb_object_agg(error_code, runs) as map
  from (
    select workspace_id, subject_id, bucket, start, error_code, sum(runs) as runs from spread
    where error_code <> '' group by 1, 2, 3, 4, 5
  ) c
  group by 1, 2, 3, 4
)
insert into period_sums
select workspace_id, subject_id, bucket, start, completed, failed, cancelled, coalesce(d.map, '{}'),
  coalesce(c.map, '{}'), 0, 0
from counts
left join durations d using (workspace_id, subject_id, bucket, start)
left join codes c using (workspace_id, subject_id, bucket, start);

insert into period_sums as p
select h.workspace_id, s.subject_id, b.bucket, date_trunc(b.bucket, h.hour, 'UTC'), 0, 0, 0, '{}', '{}',
  sum(h.prompt_tokens + h.completion_tokens), sum(h.cost_usd)
from usage_hours h
cross join lateral (values (h.workspace_id), (h.agent_id)) s (subject_id)
cross join (values ('hour'), ('day')) b (bucket)
where s.subject_id is not null
group by 1, 2, 3, 4
on conflict (workspace_id, subject_id, bucket, start) do update
  set tokens = excluded.tokens, cost_usd = excluded.cost_usd;

drop view if exists runs_by_hour, usage_by_hour;
drop function if exists sum_usage_hours();
drop table run_hours, usage_hours;
