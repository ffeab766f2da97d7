-- Receivers that have rejected deliveries because of their rate limit.

create table receiver_paces (
  receiver text collate "C" primary key,
  gap interval not null,
  next_at timestamptz not null,
  limited_at timestamptz not null
) with (fillfactor = 50);
alter table receiver_paces enable row level security;
comment on table receiver_paces is
  'Receivers whose deliveries are sent one by one, `gap` apart; `next_at` is the next free time. See pace_receiver.';

-- Deliveries that wait for a time are few, so the index costs nothing where no receiver has a limit.
create index jobs_paced_idx on jobs (lane) where kind = 'delivery' and state = 'queued' and run_at is not null;

alter table deliveries add column limited_since timestamptz;
comment on column deliveries.limited_since is 'When the receiver first rejected it because of its rate limit.';

alter table triggers add column reject_repeats boolean not null default false;
comment on column triggers.reject_repeats is 'Whether a body that was accepted within the last five minutes is rejected.';

grant select (reject_repeats) on triggers to muster_viewer;

alter table trello_channels add column credentials_ciphertext text;
comment on column trello_channels.credentials_ciphertext is 'API key and token that read cards; null: those of the Trello routes.';
