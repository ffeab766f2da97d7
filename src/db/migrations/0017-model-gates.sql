-- The rate limits of model providers: functions in 115-model-gates.sql.

-- What is known of the limits of a connection and a model that have had to be respected. A connection far from its
-- limits has no row.
create table model_gates (
  -- A digest of the provider, its base URL, the key and the model: workspaces that share a key share its limits.
  id text primary key,
  provider text not null,
  model text not null,
  -- The limits a minute as the provider named them, and what it would still take until they are full again.
  requests double precision,
  requests_left double precision,
  requests_full_at timestamptz,
  tokens double precision,
  tokens_left double precision,
  tokens_full_at timestamptz,
  -- The limit is a guess after a rejection without numbers; it grows while there are no rejections.
  is_guess boolean not null default false,
  guessed_at timestamptz,
  -- Calls let through, and which of them told the newest limits.
  passed bigint not null default 0,
  told bigint not null default 0,
  -- When the next call is due at an even pace, by requests and by tokens.
  requests_at timestamptz not null default '-infinity',
  tokens_at timestamptz not null default '-infinity',
  -- No call passes before.
  closed_until timestamptz not null default '-infinity',
  -- Fair queueing: the turn of the newest call let through, and where each workspace's next turn begins, if later.
  turn double precision not null default 0,
  turns jsonb not null default '{}',
  -- When a call last had to wait, or a process found the limits near.
  busy_at timestamptz not null default clock_timestamp(),
  announced_at timestamptz not null default '-infinity',
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
alter table model_gates enable row level security;

-- The calls of runs that wait at a gate, in the order of their turns. One that was rejected and let through again keeps
-- its row, for the number of its rejections. A row whose job has ended counts for nothing, and is deleted later: so the
-- end of a job costs no look-up here.
create table model_gate_waits (
  job_id uuid not null,
  -- The key of the step that makes the call.
  step text not null,
  gate_id text not null,
  provider text not null,
  model text not null,
  workspace_id uuid not null references workspaces on delete cascade,
  turn double precision not null,
  since timestamptz not null default clock_timestamp(),
  until timestamptz not null,
  -- Calls before it.
  ahead integer not null,
  reason text not null check (reason in ('limit', 'closed')),
  is_waiting boolean not null default true,
  rejections integer not null default 0,
  primary key (job_id, step)
) with (fillfactor = 50);
create index model_gate_waits_turn_idx on model_gate_waits (gate_id, turn, since) where is_waiting;
alter table model_gate_waits enable row level security;
create policy tenant on model_gate_waits using (workspace_id is not distinct from (select current_workspace_id()));
grant select on model_gate_waits to muster_viewer;
