-- muster: concurrently
create index concurrently if not exists deliveries_posted_idx on deliveries ((posted->>'key')) where posted is not null;
