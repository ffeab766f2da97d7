-- muster: concurrently
create index concurrently if not exists deliveries_closes_idx on deliveries (closes) where closes is not null;
