-- Links to questions are listed and revoked; a revoked one stays, so that the list can tell of it.

alter table answer_links add column id uuid not null default gen_random_uuid();
alter table answer_links add column revoked_at timestamptz;
create unique index answer_links_id_idx on answer_links (id);
create index answer_links_newest_idx on answer_links (workspace_id, created_at desc, id desc);
create index answer_links_question_idx on answer_links (interaction_id);
drop index answer_links_workspace_id_idx;
grant select (id, revoked_at) on answer_links to muster_viewer;
grant update (revoked_at) on answer_links to muster_app;
