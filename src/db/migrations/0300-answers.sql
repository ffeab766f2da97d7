-- What the console needs of answers: what was answered, who may answer, and links that answer one question.

-- answer: as it was given; of a wizard, the answers of all pages.
-- answered_name: what the person who answered through a link has called themselves.
alter table closed_questions
  add column answer jsonb,
  add column answered_name text;
grant update (answer, answered_name) on closed_questions to muster_app;

-- can_answer: whether a viewer may answer questions.
alter table members add column can_answer boolean not null default false;
grant update (can_answer) on members to muster_admin;

-- Links that show one question to whoever has them, and take its answer. A link is good as long as the question is
-- open, the person who made it may answer it, and the workspace allows links. Its row goes with the work that asked.
create table answer_links (
  token_hash text primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  interaction_id uuid not null,
  subject_id uuid not null,
  created_by uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index answer_links_subject_id_idx on answer_links (subject_id);
create index answer_links_workspace_id_idx on answer_links (workspace_id);
create index answer_links_created_by_idx on answer_links (created_by);
alter table answer_links enable row level security;
create policy tenant on answer_links using (workspace_id is not distinct from (select current_workspace_id()));
grant insert on answer_links to muster_app;
grant select (workspace_id, interaction_id, subject_id, created_by, created_at, expires_at) on answer_links to muster_viewer;
