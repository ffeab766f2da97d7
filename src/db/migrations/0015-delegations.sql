-- What the brain of a team gives to its workers, as rows that can be read while the work is under way.

-- key names a delegation in its attempt. version counts its changes: an execution that resumes a run makes them
-- all again, and what is older than the row leaves it as it is.
create table team_delegations (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  attempt integer not null,
  key text not null,
  version integer not null,
  -- Not a reference: a delegation stays what it was when an agent goes.
  agent_id uuid not null,
  instruction text not null,
  status text not null check (status in
    ('pending', 'running', 'completed', 'revision_requested', 'accepted', 'failed')),
  result text,
  error text,
  score double precision check (score between 0 and 1),
  revisions integer not null default 0,
  tokens_used integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint team_delegations_key unique (run_id, attempt, key),
  foreign key (workspace_id, run_id) references team_runs (workspace_id, id) on delete cascade
);

alter table team_delegations enable row level security;
create policy tenant on team_delegations using (workspace_id is not distinct from (select current_workspace_id()));
grant select on team_delegations to muster_viewer;

-- A run that is read alone comes with the messages and delegations of its current attempt.
create or replace view team_run_details with (security_invoker = true) as
  select r.*,
    (select coalesce(json_agg(json_build_object('id', m.id, 'run_id', m.run_id,
        'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id,
        'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx,
        'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) order by m.created_at, m.id), '[]')
      from team_messages m where m.run_id = r.id and m.attempt = r.attempt) as messages,
    (select coalesce(json_agg(json_build_object('id', d.id, 'run_id', d.run_id, 'key', d.key,
        'agent_id', d.agent_id, 'instruction', d.instruction, 'status', d.status, 'result', d.result,
        'error', d.error, 'score', d.score, 'revisions', d.revisions, 'tokens_used', d.tokens_used,
        'created_at', iso(d.created_at), 'updated_at', iso(d.updated_at)) order by length(d.key), d.key), '[]')
      from team_delegations d where d.run_id = r.id and d.attempt = r.attempt) as delegations
  from team_run_records r;

create view table_api.team_delegations with (security_invoker = true) as
  select
    id, workspace_id, run_id, key, agent_id, instruction, status, result, error, score, revisions,
    tokens_used, created_at, updated_at
  from public.team_delegations;
grant select on table_api.team_delegations to muster_viewer;
