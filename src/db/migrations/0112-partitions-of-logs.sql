-- Puts each table below a partitioned one with its name. Statements of processes that run see no difference. Requests
-- reach rows only through the partitioned table, whose policies and grants count: a partition has none.
alter table task_events rename to task_events_first;
alter index task_events_pkey rename to task_events_first_pkey;
alter index task_events_key_idx rename to task_events_first_key_idx;
alter index task_events_created_at_idx rename to task_events_first_created_at_idx;
drop policy tenant on task_events_first;
revoke all on task_events_first from muster_viewer, muster_app;
create table task_events (like task_events_first including defaults including storage) partition by range (log_id);
alter table task_events add primary key (log_id, seq);
create unique index task_events_key_idx on task_events (log_id, attempt, key) where key is not null;
create index task_events_created_at_idx on task_events using brin (created_at);
alter table task_events enable row level security;
create policy tenant on task_events using (workspace_id is not distinct from (select current_workspace_id()))
  with check (workspace_id = (select current_workspace_id())
    and exists (select from task_streams s where s.log_id = task_events.log_id));
grant select on task_events to muster_viewer;
grant select, insert on task_events to muster_app;

alter table task_event_pages rename to task_event_pages_first;
alter index task_event_pages_pkey rename to task_event_pages_first_pkey;
alter index task_event_pages_created_at_idx rename to task_event_pages_first_created_at_idx;
drop policy tenant on task_event_pages_first;
revoke all on task_event_pages_first from muster_viewer, muster_app;
create table task_event_pages (like task_event_pages_first including defaults including storage)
  partition by range (log_id);
alter table task_event_pages add primary key (log_id, last_seq);
create index task_event_pages_created_at_idx on task_event_pages using brin (created_at);
alter table task_event_pages enable row level security;
create policy tenant on task_event_pages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on task_event_pages to muster_viewer;

alter table run_steps rename to run_steps_first;
alter index run_steps_pkey rename to run_steps_first_pkey;
alter index run_steps_created_at_idx rename to run_steps_first_created_at_idx;
drop policy tenant on run_steps_first;
revoke all on run_steps_first from muster_viewer, muster_app;
create table run_steps (like run_steps_first including defaults including storage) partition by range (run_id);
alter table run_steps add primary key (run_id, attempt, key);
create index run_steps_created_at_idx on run_steps using brin (created_at);
alter table run_steps enable row level security;
create policy tenant on run_steps using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_steps to muster_viewer;
grant insert on run_steps to muster_app;

-- The weeks after the first partition, up to two weeks from now (routines/055-partitions.sql makes further ones), one for
-- the random ids that clients choose, and one for what is left.
do $$
declare
  far constant uuid := '03bb2cc3-d800-0000-0000-000000000000';
  ahead constant bigint := extract(epoch from now() + interval '336 hours') * 1000;
  parent text;
  name text;
  bound uuid;
  next uuid;
begin
  foreach parent in array array['task_events', 'task_event_pages', 'run_steps'] loop
    bound := (select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''')::uuid from pg_constraint
      where conname = 'first_partition' and conrelid = (parent || '_first')::regclass);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_first', bound);
    execute format('alter table %I drop constraint first_partition', parent || '_first');
    execute format('create table %I partition of %I default', parent || '_other', parent);
    execute format('alter table %I enable row level security', parent || '_other');
    continue when bound > far;
    execute format('create table %I partition of %I for values from (%L) to (maxvalue)', parent || '_chosen', parent, far);
    execute format('alter table %I enable row level security', parent || '_chosen');
    while ('x' || left(replace(bound::text, '-', ''), 12))::bit(48)::bigint < ahead loop
      name := parent || '_' || left(replace(bound::text, '-', ''), 12);
      next := (lpad(to_hex(('x' || left(replace(bound::text, '-', ''), 12))::bit(48)::bigint + 604800000), 12, '0')
        || repeat('0', 20))::uuid;
      execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, bound, next);
      execute format('alter table %I enable row level security', name);
      bound := next;
    end loop;
  end loop;
end $$;
