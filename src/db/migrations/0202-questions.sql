-- Questions that are no longer open: who answered, or that nobody did in time.

-- subject_id: the task or team run that waited. request: the question as clients got it, the last page of a wizard.
-- answered_*: by whom, with which key, and through what, as the source of a task.
create table closed_questions (
  interaction_id uuid primary key,
  workspace_id uuid not null,
  subject_id uuid not null,
  state text not null check (state in ('answered', 'expired')),
  request jsonb not null,
  asked_at timestamptz not null,
  deadline timestamptz not null,
  closed_at timestamptz not null default clock_timestamp(),
  answered_by uuid,
  answered_key uuid,
  answered_via text
);
create index closed_questions_newest_idx on closed_questions (workspace_id, state, closed_at desc, interaction_id desc);
create index closed_questions_subject_idx on closed_questions (subject_id);
alter table closed_questions enable row level security;
create policy tenant on closed_questions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on closed_questions to muster_viewer;
grant update (answered_by, answered_key, answered_via) on closed_questions to muster_app;

create index task_questions_workspace_idx on task_questions (workspace_id, deadline, interaction_id);
