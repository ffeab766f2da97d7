-- What a person who reads a run is told of its finished steps, written by the statement that stores the step. Times are
-- those of the process that did it, so that a step is never shorter than nothing.
alter table run_steps
  add column started_at timestamptz,
  -- When the model began to answer.
  add column first_token_at timestamptz,
  add column ended_at timestamptz,
  -- Short: what lists of steps show. See `stepFacts` in src/domain/runs/step-facts.ts.
  add column facts json,
  -- What a model was sent, as far as it was not sent by the turn's call before; a tool's arguments; the question to a
  -- person.
  add column request json,
  -- The tries of a model call of which one has failed.
  add column tries json,
  -- What was exchanged with the vendor in tries that failed, without secrets.
  add column exchanges json;

-- Executions: from the claim of a run's job to its end, to a question, to the hand-over by a process that stops, or to
-- the death of its process. A row is written by the statement that ends it; the one that is running is in jobs.
create table run_executions (
  run_id uuid not null,
  attempt integer not null,
  fence integer not null,
  workspace_id uuid not null,
  -- Host and process id.
  process text,
  began_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  outcome text not null check (outcome in ('finished', 'waiting', 'handed_over', 'lost')),
  primary key (run_id, attempt, fence)
);
create index run_executions_ended_at_idx on run_executions using brin (ended_at);
alter table run_executions enable row level security;
create policy tenant on run_executions using (workspace_id is not distinct from (select current_workspace_id()));
grant select on run_executions to muster_viewer;
grant insert on run_executions to muster_app;

alter table jobs add column claimed_at timestamptz, add column claimed_by text;
grant select (id, workspace_id, kind, subject_id, attempt, state, fence, claimed_at, claimed_by) on jobs to muster_viewer;

-- Forks of tasks that an agent does, as team runs have them: see `taskFork` in src/domain/tasks/task-fork.ts.
alter table tasks add column fork jsonb;
create index tasks_forks_idx on tasks ((fork->>'task_id')) where fork is not null;
create index team_runs_forks_idx on team_runs ((fork->>'run_id')) where fork is not null;
