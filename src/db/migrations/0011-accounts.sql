-- Accounts: who is signed in, links that set a new password, and a count of attempts to sign in.
-- All three belong to persons, not to workspaces: only the service itself reads and writes them.

-- A session begins with a sign-in and ends when it is revoked or runs out: either way its row goes.
-- last_workspace_id: the workspace of its newest access token; the next one is for the same.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  last_workspace_id uuid not null,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id, created_at desc);
create index sessions_expires_at_idx on sessions (expires_at);

-- Every refresh token that a session has had, as its SHA-256: one that was replaced and comes back
-- has been copied.
create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  replaced_at timestamptz
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);
create index refresh_tokens_replaced_at_idx on refresh_tokens (replaced_at) where replaced_at is not null;

-- One per user: a newer link takes the place of an older one.
create table password_resets (
  user_id uuid primary key references users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);

-- subject: SHA-256 of what is limited (an e-mail address, a client's address), so that no list of
-- them comes together here.
create table sign_in_attempts (
  subject text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index sign_in_attempts_resets_at_idx on sign_in_attempts (resets_at);

alter table sessions enable row level security;
alter table refresh_tokens enable row level security;
alter table password_resets enable row level security;
alter table sign_in_attempts enable row level security;

-- Every process keeps the sessions it has seen in memory; their end reaches them through this channel.
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_sessions', old.id::text);
  return null;
end $$;
create trigger session_ended
  after delete on sessions for each row execute function announce_session_end();

-- A session does what its person may do in a workspace.
create function announce_member_sessions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('muster_sessions', id::text) from sessions where user_id = old.user_id;
  return null;
end $$;
create trigger members_changed_sessions
  after delete or update of role on members for each row execute function announce_member_sessions();
