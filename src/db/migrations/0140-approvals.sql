-- Approvals as a policy: rules of agents are in agents.config; these are rules of the workspace, for all of its agents.
-- The routines change with this number: 030-agents.sql, 050-tasks.sql, 025-approvals.sql, 076-audit.sql,
-- 100-deliveries.sql, 120-live.sql, 130-reach.sql.
alter table workspaces add column approvals jsonb not null default '[]';
grant update (approvals) on workspaces to muster_admin;

-- The person who started the current attempt, if it was not the one who created the run.
alter table runs add column started_by uuid;

-- The part of the rule's stages that has begun, from 0: who may answer, and when the question expires, depend on it.
alter table task_questions add column stage integer not null default 0;
grant update (stage) on task_questions to muster_app, muster_reach_app;

-- Votes on questions that a rule asks, one of each person. They are deleted with the run. user_id is no foreign key:
-- a vote counts also when its person has left.
create table question_votes (
  interaction_id uuid not null,
  user_id uuid not null,
  workspace_id uuid not null references workspaces on delete cascade,
  subject_id uuid not null,
  approved boolean not null,
  via text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (interaction_id, user_id)
);
create index question_votes_subject_idx on question_votes (subject_id);
create index question_votes_workspace_idx on question_votes (workspace_id);
alter table question_votes enable row level security;
create policy tenant on question_votes using (workspace_id is not distinct from (select current_workspace_id()));
create policy reach on question_votes as restrictive to muster_reach_viewer
  using (exists (select from runs r where r.id = question_votes.subject_id));
grant select on question_votes to muster_viewer, muster_reach_viewer;
grant insert on question_votes to muster_app, muster_reach_app;

-- Tools of which people have approved a call, by agent: rules with first_use ask no more.
create table approved_tools (
  agent_id uuid not null,
  tool text not null,
  workspace_id uuid not null references workspaces on delete cascade,
  approved_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, tool),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create index approved_tools_workspace_idx on approved_tools (workspace_id);
alter table approved_tools enable row level security;
create policy tenant on approved_tools using (workspace_id is not distinct from (select current_workspace_id()));
create policy reach on approved_tools as restrictive to muster_reach_viewer
  using (agent_id = any((select current_reach())::uuid[]));
grant select on approved_tools to muster_viewer, muster_reach_viewer;
grant insert on approved_tools to muster_app, muster_reach_app;
