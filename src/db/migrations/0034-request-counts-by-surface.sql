-- The table API counts a workspace as well as its keys. A workspace's minute at the envelope API is
-- another count than its minute at the table API, so the surface is part of what identifies a count.
alter table request_counts
  add column surface text not null default 'envelope' check (surface in ('envelope', 'table'));
alter table request_counts drop constraint request_counts_pkey;
alter table request_counts add primary key (workspace_id, subject_id, surface, period);
