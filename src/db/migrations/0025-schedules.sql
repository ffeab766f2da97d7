-- Work that begins by itself: tasks at a time, schedules that make tasks again and again, and triggers that make one
-- for each request of another system.

-- Tasks that wait for their time; the service looks for the earliest of them.
create index tasks_scheduled_idx on tasks (scheduled_for)
  where status = 'pending' and scheduled_for is not null
    and (assigned_agent_id is not null or assigned_team_id is not null);

-- next_times: when it will make tasks, as far as known (five, while there are as many); empty while it is paused.
-- missed: what becomes of times at which the service was away: skip, once (one task for all), all.
-- overlap: whether it makes a task while its last one has not ended.
create table schedules (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  cron text not null,
  time_zone text not null,
  missed text not null check (missed in ('skip', 'once', 'all')),
  overlap text not null check (overlap in ('allow', 'skip')),
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null check (length(title) between 1 and 200),
  description text not null,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  metadata jsonb not null,
  next_times timestamptz[] not null,
  next_at timestamptz generated always as (next_times[1]) stored,
  last_fired_at timestamptz,
  last_task_id uuid,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint schedules_assignee_check check (num_nonnulls(assigned_agent_id, assigned_team_id) = 1),
  constraint schedules_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents (workspace_id, id) on delete cascade,
  constraint schedules_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams (workspace_id, id) on delete cascade
);
create index schedules_newest_idx on schedules (workspace_id, created_at desc);
create index schedules_next_idx on schedules (next_at) where next_at is not null;
create index schedules_agent_idx on schedules (assigned_agent_id) where assigned_agent_id is not null;
create index schedules_team_idx on schedules (assigned_team_id) where assigned_team_id is not null;

-- What became of the times of a schedule. It is written with the task that it tells of.
-- scheduled_at: the time; of several that were skipped together the first, and ticks says how many they were.
create table schedule_fires (
  id uuid primary key,
  workspace_id uuid not null,
  schedule_id uuid not null,
  scheduled_at timestamptz not null,
  outcome text not null check (outcome in ('fired', 'missed', 'overlap')),
  ticks integer not null,
  -- Not a reference: the log stays what it was when a task goes.
  task_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint schedule_fires_once unique (schedule_id, scheduled_at),
  foreign key (workspace_id, schedule_id) references schedules (workspace_id, id) on delete cascade
);
create index schedule_fires_newest_idx on schedule_fires (schedule_id, created_at desc);
create index schedule_fires_created_at_idx on schedule_fires using brin (created_at);

-- token_hash: SHA-256 of the token in its address. secret_ciphertext: the key of senders' signatures, if they sign.
create table triggers (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash text not null unique,
  token_prefix text not null,
  secret_ciphertext text,
  has_secret boolean not null generated always as (secret_ciphertext is not null) stored,
  is_active boolean not null,
  assigned_agent_id uuid,
  assigned_team_id uuid,
  title text not null check (length(title) between 1 and 200),
  description text not null,
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  metadata jsonb not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  constraint triggers_assignee_check check (num_nonnulls(assigned_agent_id, assigned_team_id) = 1),
  constraint triggers_agent_fkey foreign key (workspace_id, assigned_agent_id)
    references agents (workspace_id, id) on delete cascade,
  constraint triggers_team_fkey foreign key (workspace_id, assigned_team_id)
    references teams (workspace_id, id) on delete cascade
);
create index triggers_newest_idx on triggers (workspace_id, created_at desc);
create index triggers_agent_idx on triggers (assigned_agent_id) where assigned_agent_id is not null;
create index triggers_team_idx on triggers (assigned_team_id) where assigned_team_id is not null;

-- delivery_key: the sender's own name for an accepted delivery; the same one again makes no other task.
create table trigger_deliveries (
  id uuid primary key,
  workspace_id uuid not null,
  trigger_id uuid not null,
  delivery_key text check (length(delivery_key) between 1 and 255),
  -- SHA-256 of the body.
  body_hash text not null,
  bytes integer not null,
  outcome text not null check (outcome in ('accepted', 'refused')),
  reason text,
  -- Not a reference: the log stays what it was when a task goes.
  task_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  constraint trigger_deliveries_once unique (trigger_id, delivery_key),
  foreign key (workspace_id, trigger_id) references triggers (workspace_id, id) on delete cascade
);
create index trigger_deliveries_newest_idx on trigger_deliveries (trigger_id, created_at desc);
create index trigger_deliveries_created_at_idx on trigger_deliveries using brin (created_at);

-- Tells all processes that something is due at a time, in milliseconds since 1970, perhaps earlier than they know of.
create function announce_due() returns trigger language plpgsql as $$
declare
  due timestamptz;
begin
  case tg_table_name
    when 'tasks' then due := new.scheduled_for;
    when 'schedules' then due := new.next_at;
    else due := new.deadline;
  end case;
  perform pg_notify('muster_due', floor(extract(epoch from due) * 1000)::bigint::text);
  return null;
end $$;
create trigger question_due
  after insert or update of deadline on task_questions for each row
  when (isfinite(new.deadline)) execute function announce_due();
create trigger task_due
  after insert or update of scheduled_for on tasks for each row
  when (new.status = 'pending' and new.scheduled_for is not null) execute function announce_due();
create trigger new_schedule_due
  after insert on schedules for each row when (new.next_at is not null) execute function announce_due();
-- Whoever fires a schedule moves it on; only what comes earlier than before is news.
create trigger schedule_due
  after update of next_times on schedules for each row
  when (new.next_at < coalesce(old.next_at, 'infinity')) execute function announce_due();

create view schedule_records with (security_invoker = true) as
  select
    s.id, s.workspace_id, s.name, s.cron, s.time_zone, s.missed, s.overlap, s.is_active,
    s.assigned_agent_id, s.assigned_team_id, s.title, s.description, s.priority, s.metadata,
    (select coalesce(json_agg(iso(t.at) order by t.at), '[]') from unnest(s.next_times) as t (at)) as next_times,
    iso(s.last_fired_at) as last_fired_at, s.last_task_id,
    s.created_by, iso(s.created_at) as created_at, iso(s.updated_at) as updated_at
  from schedules s;

create view schedule_fire_records with (security_invoker = true) as
  select
    f.id, f.schedule_id, f.outcome, iso(f.scheduled_at) as scheduled_at, f.ticks, f.task_id,
    iso(f.created_at) as created_at,
    round(extract(epoch from f.created_at - f.scheduled_at) * 1000)::bigint as late_ms
  from schedule_fires f;

create view trigger_records with (security_invoker = true) as
  select
    t.id, t.workspace_id, t.name, t.token_prefix, t.has_secret, t.is_active,
    t.assigned_agent_id, t.assigned_team_id, t.title, t.description, t.priority, t.metadata,
    t.created_by, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at
  from triggers t;

create view trigger_delivery_records with (security_invoker = true) as
  select
    d.id, d.trigger_id, d.outcome, d.reason, d.delivery_key, d.bytes, d.task_id, iso(d.created_at) as created_at
  from trigger_deliveries d;

alter table schedules enable row level security;
create policy tenant on schedules using (workspace_id is not distinct from (select current_workspace_id()));
alter table schedule_fires enable row level security;
create policy tenant on schedule_fires using (workspace_id is not distinct from (select current_workspace_id()));
alter table triggers enable row level security;
create policy tenant on triggers using (workspace_id is not distinct from (select current_workspace_id()));
alter table trigger_deliveries enable row level security;
create policy tenant on trigger_deliveries using (workspace_id is not distinct from (select current_workspace_id()));

grant select on schedules, schedule_fires, trigger_deliveries, schedule_records, schedule_fire_records,
  trigger_records, trigger_delivery_records to muster_viewer;
grant insert, update, delete on schedules to muster_app;
grant insert on schedule_fires, trigger_deliveries to muster_app;
-- What opens a trigger is for the service alone.
grant select (id, workspace_id, name, token_prefix, has_secret, is_active, assigned_agent_id, assigned_team_id, title,
  description, priority, metadata, created_by, created_at, updated_at) on triggers to muster_viewer;
grant insert, update, delete on triggers to muster_app;
