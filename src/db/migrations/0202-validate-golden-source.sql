-- Reads all runs, while they can be changed.
alter table runs validate constraint runs_source_kind_check;
