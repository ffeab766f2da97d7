-- What a team remembers: what came of its runs. Where its config says so (memory.enabled), a run is told of those
-- on tasks like its own.

-- The words of a text in English stems (those of other languages as they are), without what stands before the title
-- and the description of every task.
create function memory_words(content text) returns tsvector
  language sql immutable strict parallel safe
  return to_tsvector('pg_catalog.english', regexp_replace(content, '^Task (Title|Description):', '', 'gn'));

-- One for each attempt of a run that completed or failed. It stays when the run goes, and goes with the team.
create table team_memories (
  id uuid primary key,
  workspace_id uuid not null,
  team_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  status text not null check (status in ('completed', 'failed')),
  -- The heads of the run's input, and of its output or error.
  task text not null,
  outcome text not null,
  -- The words of both, those of the task with more weight.
  search tsvector not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint team_memories_run unique (run_id, attempt),
  foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade
);
create index team_memories_newest_idx on team_memories (team_id, created_at desc, id desc);

alter table team_memories enable row level security;
create policy tenant on team_memories using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_memories to muster_viewer;
grant delete on team_memories to muster_app;

create view team_memory_records with (security_invoker = true) as
  select m.id, m.team_id, m.run_id, m.attempt, m.status, m.task, m.outcome, iso(m.created_at) as created_at
  from team_memories m;
grant select on team_memory_records to muster_viewer;
