-- Events of closed attempts, many in one row. A page is compressed; it takes a twentieth of the space of its events'
-- rows and their index entries. Short attempts stay in task_events: packing them would write more than it saves.
create table task_event_pages (
  task_id uuid not null,
  -- The numbers of its first and last event; there is no gap between them.
  first_seq integer not null,
  last_seq integer not null,
  workspace_id uuid not null,
  attempt integer not null,
  -- In the order of their numbers; json, as in task_events: readers get the very text that was written.
  events json[] not null,
  -- When the newest of them was written.
  created_at timestamptz not null,
  primary key (task_id, last_seq)
);
-- In the row itself, where it fits: one table to read instead of two and an index.
alter table task_event_pages alter column events set storage main;
create index task_event_pages_created_at_idx on task_event_pages using brin (created_at);

-- Closed attempts that are still to be packed. Only long ones are queued, and none by a row of its own while it is open.
create table unpacked_attempts (
  task_id uuid not null,
  attempt integer not null,
  primary key (task_id, attempt)
);

create function queue_packing() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into unpacked_attempts values (new.task_id, new.attempt) on conflict do nothing;
  return null;
end $$;
create trigger task_stream_closed
  after update of closed on task_streams for each row
  when (new.closed and not old.closed and new.last_seq - new.first_seq >= 32)
  execute function queue_packing();

create function delete_task_event_pages() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from task_event_pages where task_id = old.task_id;
  delete from unpacked_attempts where task_id = old.task_id;
  return null;
end $$;
create trigger task_stream_deleted_with_pages
  after delete on task_streams for each row execute function delete_task_event_pages();

alter table task_event_pages enable row level security;
create policy tenant on task_event_pages using (workspace_id is not distinct from (select current_workspace_id()));
alter table unpacked_attempts enable row level security;

-- Every event, packed or not. A packed one has the time of the newest event of its page, and no key.
create view task_log with (security_invoker = true) as
  select task_id, seq, workspace_id, attempt, key, event, created_at from task_events
  union all
  select p.task_id, p.first_seq + e.n::integer - 1, p.workspace_id, p.attempt, null, e.event, p.created_at
  from task_event_pages p cross join unnest(p.events) with ordinality as e (event, n);

grant select on task_event_pages, task_log to muster_viewer;
