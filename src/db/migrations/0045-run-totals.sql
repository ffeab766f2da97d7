-- The ended runs of all workspaces since this migration, for metrics. Only count_run_ends (routines/075-counters.sql)
-- writes it, with the sums by hour and day. It never shrinks, also when workspaces are deleted.
create table run_totals (
  kind text not null,
  status text not null,
  -- Empty unless the runs failed.
  error_code text not null,
  runs bigint not null,
  primary key (kind, status, error_code)
);
alter table run_totals enable row level security;
