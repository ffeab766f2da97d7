-- Passkeys of people with passwords. A workspace may require them; a session knows how it was opened. Only the service
-- reads and writes this table.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- As the browser names it, and its public key in COSE; both base64url.
  credential_id text not null unique,
  public_key text not null,
  -- Of the authenticator: it only rises, unless the authenticator does not count and it stays 0.
  counter bigint not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user_idx on passkeys (user_id);
alter table passkeys enable row level security;

alter table workspaces add column require_passkeys boolean not null default false;
grant update (require_passkeys) on workspaces to muster_admin;

alter table sessions
  add column opened_by text not null default 'password'
    check (opened_by in ('password', 'passkey', 'provider', 'setup_link')),
  -- The passkey that opened it, whose removal ends it.
  add column passkey_id uuid;
update sessions set opened_by = 'provider' where ends_at is not null;
