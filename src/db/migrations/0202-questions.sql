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

create or replace function close_task_question() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    delete from task_questions where task_id = old.id;
    return null;
  end if;
  -- A run that is cancelled takes its question along. What waits for the tools of a client is no question to a person.
  with gone as (delete from task_questions where task_id = old.id returning *)
  insert into closed_questions (interaction_id, workspace_id, subject_id, state, request, asked_at, deadline)
  select interaction_id, workspace_id, task_id,
    case new.status when 'running' then 'answered' else 'expired' end, coalesce(old.interaction, '{}'), asked_at, deadline
  from gone where new.status in ('running', 'failed') and question->'clientCalls' is null
  on conflict do nothing;
  return null;
end $$;

create function delete_closed_questions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from closed_questions where subject_id = old.id;
  return null;
end $$;
revoke execute on function delete_closed_questions from public;
create trigger task_deleted_questions after delete on tasks
  for each row execute function delete_closed_questions();
create trigger team_run_deleted_questions after delete on team_runs
  for each row execute function delete_closed_questions();
