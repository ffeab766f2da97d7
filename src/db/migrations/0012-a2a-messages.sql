-- A message that an A2A client sends again must have no effect, whatever it did the first time.

-- The ids of the messages that a context (a task) has accepted. A row is written in the transaction of the message's
-- effect, so it exists if and only if the effect does.
create table a2a_messages (
  workspace_id uuid not null,
  task_id uuid not null,
  -- The client's own id.
  message_id text not null check (length(message_id) between 1 and 200),
  -- What the message did: it created the task, answered its question, or started its next attempt.
  effect text not null check (effect in ('start', 'answer', 'continuation')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (task_id, message_id),
  foreign key (workspace_id, task_id) references tasks(workspace_id, id) on delete cascade
);
alter table a2a_messages enable row level security;
create policy tenant on a2a_messages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on a2a_messages to muster_viewer;
grant insert on a2a_messages to muster_app;

-- A person's answer belongs to one question of a remote agent.
alter table remote_calls
  -- The question that a person is asked for the remote agent: the number of its round, and what tells it from others.
  add column asked_round integer,
  add column asked_question text,
  -- The last round whose answer was sent, or was about to be when the process died: it is not sent again.
  add column answered_round integer not null default 0;

create index remote_calls_subject_idx on remote_calls (subject_id) where ended_at is null;

-- A server decides what its tools say to models. What it changes or adds after its registration is recorded, and can
-- wait for an admin.
alter table mcp_servers
  -- Whether such a tool is used at once, or held until an admin has approved it.
  add column on_change text not null default 'use' check (on_change in ('use', 'hold'));
grant select (on_change) on mcp_servers to muster_viewer;
grant update (on_change) on mcp_servers to muster_admin;
alter table mcp_tools
  -- Differs for each text, schema and set of annotations.
  add column hash text not null default '',
  -- The hash that an admin has approved, by the registration or later.
  add column approved_hash text;
