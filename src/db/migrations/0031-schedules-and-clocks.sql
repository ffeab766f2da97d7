-- Schedules find out that the database's clock was set back: their next times were planned at a time that is still to
-- come. They are planned anew then, lest one that was planned by a wrong clock waits for years.
alter table schedules add column planned_at timestamptz not null default clock_timestamp();
create index schedules_planned_idx on schedules (planned_at) where next_at is not null;
