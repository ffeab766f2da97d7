-- Notifications of questions on a person's devices. They belong to the person, and end with the session that turned
-- them on; the person's memberships decide which questions they get. Only the service reads and writes these tables.
create table push_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  -- A browser has one subscription, whoever is signed in.
  endpoint_hash text not null unique,
  host text not null,
  -- The endpoint and the keys: who knows them can send to the device.
  target_ciphertext text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index push_devices_user_idx on push_devices (user_id);
create index push_devices_session_idx on push_devices (session_id);
alter table push_devices enable row level security;

-- The keys by which push services know this instance: one pair, for all devices.
create table vapid_keys (
  public_key text primary key,
  private_ciphertext text not null,
  created_at timestamptz not null default now()
);
create unique index vapid_keys_one_idx on vapid_keys ((true));
alter table vapid_keys enable row level security;
