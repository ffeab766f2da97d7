-- People as an OpenID provider knows them: by issuer and subject, which never change; an e-mail address may. Only the
-- service reads and writes these tables.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user_idx on identities (user_id);
alter table identities enable row level security;

-- States of sign-ins that have come back from the provider: each is accepted once, by all processes.
create table spent_sign_ins (
  state_hash text primary key,
  expires_at timestamptz not null
);
create index spent_sign_ins_expires_at_idx on spent_sign_ins (expires_at);
alter table spent_sign_ins enable row level security;
