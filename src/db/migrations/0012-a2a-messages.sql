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
