-- The A2A server: where clients want to be notified, and the public cards.

-- Where a client wants to be notified of a task's progress.
create table push_configs (
  id uuid primary key,
  workspace_id uuid not null,
  task_id uuid not null,
  -- The client's own name for it, unique within the task.
  name text not null check (length(name) between 1 and 255),
  url text not null,
  -- The HTTP authentication scheme that the receiver expects; null for none.
  auth_scheme text,
  -- The notification token and the credentials as JSON, encrypted; null when there are none.
  secrets_ciphertext text,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, task_id) references tasks (workspace_id, id) on delete cascade,
  unique (task_id, name)
);

create index agents_a2a_published_idx on agents (created_at, id) where is_a2a_published;

alter table push_configs enable row level security;
create policy tenant on push_configs using (workspace_id is not distinct from (select current_workspace_id()));
grant select (id, workspace_id, task_id, name, url, auth_scheme, created_at) on push_configs to muster_viewer;
grant select, insert, update, delete on push_configs to muster_app;
