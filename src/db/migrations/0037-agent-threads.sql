-- Threads of AG-UI clients whose id is not their task's: the client's own name for a conversation with an agent.
create table agent_threads (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  thread_id text not null check (length(thread_id) between 1 and 200),
  task_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (agent_id, thread_id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade,
  foreign key (workspace_id, task_id) references tasks (workspace_id, id) on delete cascade
);
create index agent_threads_task_idx on agent_threads (workspace_id, task_id);

alter table agent_threads enable row level security;
create policy tenant on agent_threads using (workspace_id is not distinct from (select current_workspace_id()));
grant select on agent_threads to muster_viewer;
grant insert on agent_threads to muster_app;
