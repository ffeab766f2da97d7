-- A connected app is a key that a person gave to a program by OAuth. Nobody has the key's text: the program calls with
-- tokens, which end with the key.
alter table api_keys add column app jsonb;
grant select (app) on api_keys to muster_viewer;

-- What the authorization server keeps, each under the SHA-256 of its id or secret: registered clients, requests that wait
-- for a person's consent, grants, codes and tokens. Only the service reads and writes it.
create table oauth_records (
  model text not null,
  id_hash text not null,
  key_id uuid references api_keys on delete cascade,
  payload jsonb not null,
  -- When a code or a refresh token was used: a second use revokes the key.
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, id_hash)
);
create index oauth_records_key_idx on oauth_records (key_id) where key_id is not null;
create index oauth_records_expires_at_idx on oauth_records (expires_at);
alter table oauth_records enable row level security;
