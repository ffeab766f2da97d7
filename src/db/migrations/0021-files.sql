-- Files: those that were uploaded, for a task or a team's run, and those that these gave out. Their contents are
-- kept outside of the database; see stray_blobs.

create table files (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- Whose file it is; an upload has neither until a task or a run is made with it, and goes after a day.
  task_id uuid,
  run_id uuid,
  direction text not null check (direction in ('input', 'output')),
  -- Which attempt gave it out.
  attempt integer,
  name text not null check (length(name) between 1 and 255),
  type text not null,
  size integer not null check (size > 0),
  blob_key text not null unique,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  check (task_id is null or run_id is null),
  check ((direction = 'output') = (attempt is not null)),
  constraint files_task_fkey foreign key (workspace_id, task_id) references tasks (workspace_id, id) on delete cascade,
  constraint files_run_fkey foreign key (workspace_id, run_id) references team_runs (workspace_id, id)
    on delete cascade
);
create index files_newest_idx on files (workspace_id, created_at desc);
create index files_task_idx on files (task_id, workspace_id, created_at desc) where task_id is not null;
create index files_run_idx on files (run_id, workspace_id, created_at desc) where run_id is not null;
create index files_free_idx on files (created_at) where task_id is null and run_id is null;

create trigger file_made after insert on files for each row execute function keep_blob();
create trigger file_gone after delete on files for each row execute function let_blob_go();

create view file_records with (security_invoker = true) as
  select f.id, f.workspace_id, f.name, f.type, f.size, f.direction, f.task_id, f.run_id, f.attempt,
    f.created_by, iso(f.created_at) as created_at
  from files f;

alter table files enable row level security;
create policy tenant on files using (workspace_id is not distinct from (select current_workspace_id()));
grant select on files, file_records to muster_viewer;
grant insert, delete, update (task_id, run_id) on files to muster_app;
