-- Secrets are encrypted by data keys, one per generation. Each is stored encrypted ("wrapped") by the encryption key,
-- during its change by the old one and by the new one. The first generation, 0, is the encryption key of the first
-- start itself: databases of version 0.1.0 have no other.
create table data_keys (
  generation integer not null check (generation >= 0),
  -- The fingerprint of the encryption key that unwraps it.
  wrapping text not null,
  wrapped text not null,
  -- Inactive until every process knows it; the newest active one encrypts.
  is_active boolean not null,
  created_at timestamptz not null default now(),
  primary key (generation, wrapping)
);
alter table data_keys enable row level security;

-- What a process says of its keys with each beat; null in a process of version 0.1.0.
alter table executors
  add column wrapping_key text,
  add column newest_data_key integer,
  add column current_data_key integer;
