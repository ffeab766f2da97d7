-- Routes of kind agent: people talk to an agent in a channel. The routines change with this number: deliver_question
-- asks in the conversation, continue_channel_reply continues the answer, and the records have the new columns.
-- agent_id: the agent that answers; null when it was deleted.
alter table output_routes
  add column agent_id uuid,
  add column messages_per_minute integer not null default 10 check (messages_per_minute between 1 and 1000),
  drop constraint output_routes_kind_check,
  add constraint output_routes_kind_check check (kind in ('results', 'people', 'agent')),
  add constraint output_routes_agent_fkey foreign key (workspace_id, agent_id) references agents (workspace_id, id)
    on delete set null (agent_id);
create index output_routes_agent_idx on output_routes (agent_id) where agent_id is not null;
grant select (agent_id, messages_per_minute) on output_routes to muster_viewer;

-- A message that somebody wrote in a channel. It is stored before the vendor is answered, and has the id of the delivery
-- event of its answer.
create table channel_messages (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  route_id uuid not null,
  -- The vendor's ids of the message: a call that the vendor repeats finds it.
  message_key text not null,
  -- Where the answer goes: the channel, and the thread, topic or message in it.
  channel text not null,
  thread text,
  -- The conversation, as the thread id of the agent.
  conversation text not null check (length(conversation) between 1 and 200),
  person_id text not null,
  person_name text not null,
  -- What the person wrote, until the agent has it.
  text text not null,
  files jsonb not null default '[]',
  -- accepted: the agent gets it; answered: it was the answer to a question of the agent; refused: the person is not on the list; limited: more than the route's limit; told: it
  -- is a command that needs no run.
  outcome text not null check (outcome in ('accepted', 'answered', 'refused', 'limited', 'told')),
  -- The attempt that answers it.
  task_id uuid,
  attempt integer,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, route_id) references output_routes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, task_id) references runs (workspace_id, id) on delete cascade,
  unique (route_id, message_key)
);
create index channel_messages_place_idx on channel_messages (route_id, channel, id);
create index channel_messages_person_idx on channel_messages (route_id, person_id, created_at);
create index channel_messages_conversation_idx on channel_messages (route_id, conversation, id);
create index channel_messages_task_idx on channel_messages (workspace_id, task_id);
alter table channel_messages enable row level security;
create policy tenant on channel_messages using (workspace_id is not distinct from (select current_workspace_id()));
grant select on channel_messages to muster_viewer;
grant insert on channel_messages to muster_app;

-- part: what comes after the answer's first message: text:<n> a further part, file:<id> a file of the run.
-- is_sending: a message may have reached its vendor, but its ids are not known yet.
alter table deliveries add column part text, add column is_sending boolean not null default false;

drop view if exists output_route_records;
drop view if exists table_api.output_routes;
