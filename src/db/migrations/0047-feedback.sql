-- What people say of a run, or of one message of it. `run_id` is the task, or the team run without a task: it is no
-- foreign key; a deleted run deletes its feedback by delete_closed_questions(). A person has one piece for each attempt
-- and message, or attempt as a whole.
create table feedback (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  attempt integer not null,
  -- The message in the event log; null for the run as a whole.
  message_id text,
  user_id uuid not null references users on delete cascade,
  via text not null check (via in ('console', 'api', 'ag-ui')),
  rating text check (rating in ('up', 'down')),
  note text not null default '',
  -- What the answer should have been.
  correction text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (run_id, attempt, message_id, user_id)
);
create index feedback_workspace_idx on feedback (workspace_id, run_id);
create index feedback_user_id_idx on feedback (user_id);
alter table feedback enable row level security;
create policy tenant on feedback using (workspace_id is not distinct from (select current_workspace_id()));
grant select on feedback to muster_viewer;
grant insert, delete, update (via, rating, note, correction, updated_at) on feedback to muster_app;
