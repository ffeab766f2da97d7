-- muster: concurrently
create index concurrently if not exists channel_messages_created_at_idx on channel_messages using brin (created_at);
