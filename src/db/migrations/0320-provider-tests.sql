-- Tests of vendors' keys are counted for themselves.
alter table request_counts drop constraint request_counts_surface_check;
alter table request_counts add constraint request_counts_surface_check
  check (surface in ('envelope', 'table', 'provider-test'));
