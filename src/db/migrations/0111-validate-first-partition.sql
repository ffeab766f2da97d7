-- Reads the tables while others write to them, so that the next migration need not.
alter table task_events validate constraint first_partition;
alter table task_event_pages validate constraint first_partition;
alter table run_steps validate constraint first_partition;
