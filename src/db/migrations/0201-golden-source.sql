-- Tasks of golden runs. Rows of before satisfy the constraint, which 0202 checks.
alter table runs drop constraint runs_source_kind_check,
  add constraint runs_source_kind_check check
    (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork', 'page', 'channel', 'golden')) not valid;
