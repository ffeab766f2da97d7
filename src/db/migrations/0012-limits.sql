-- How many requests were granted, and the answers to requests with an Idempotency-Key.

-- One row per counted subject and kind of window: a workspace's minute at the envelope API, a key's
-- minute and month at the table API. The row is used again for the next window, so that nothing
-- piles up. Processes take permits in blocks: `used` counts those granted, spent or not, and
-- `granted` is the newest block, for the statement that took it. Only the service writes here.
create table request_counts (
  workspace_id uuid not null references workspaces on delete cascade,
  subject_id uuid not null,
  period text not null check (period in ('minute', 'month')),
  window_start timestamptz not null,
  allowed integer not null,
  used integer not null,
  granted integer not null,
  primary key (workspace_id, subject_id, period)
) with (fillfactor = 50);

-- How many of a window's permits one request for `wanted` gets: what it wants or, where plenty are
-- left, a block to go on with; never more than are left. The last 16 are given out one by one, so
-- that little is stranded with a process that needs no more.
create function permits_granted(allowed integer, used integer, wanted integer) returns integer
  language sql immutable parallel safe
  return case when wanted = 0 then 0
    else greatest(0, least(allowed - used, greatest(wanted, least((allowed - used) / 16, 64)))) end;

-- When a window ends. Months are counted in UTC, wherever the server is.
create function window_end(window_start timestamptz, period text) returns timestamptz
  language sql stable parallel safe
  return (window_start at time zone 'UTC' + ('1 ' || period)::interval) at time zone 'UTC';

-- Processes hold permits by the limit of the plan that they know.
create function announce_plan_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_plans', new.id::text);
  return null;
end $$;
create trigger workspaces_plan_changed
  after update of plan on workspaces for each row execute function announce_plan_change();

-- A row is a finished answer: it is written in the transaction of the work that it tells of.
create table idempotent_answers (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of what was asked: path, version and body.
  request_hash text not null,
  request_id text not null,
  status smallint not null check (status in (200, 201)),
  -- Sealed: an answer may show a secret that is shown only once.
  body_ciphertext text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index idempotent_answers_created_at_idx on idempotent_answers (created_at);

alter table request_counts enable row level security;
create policy tenant on request_counts using (workspace_id is not distinct from (select current_workspace_id()));
alter table idempotent_answers enable row level security;
create policy tenant on idempotent_answers
  using (workspace_id is not distinct from (select current_workspace_id()));

grant select on request_counts to muster_viewer;
grant select (workspace_id, key, created_at) on idempotent_answers to muster_viewer;
grant select, insert, update on idempotent_answers to muster_app;
