-- Runs that messages in a channel start. Rows of before satisfy the constraint, which 0199 checks.
alter table runs drop constraint runs_source_kind_check,
  add constraint runs_source_kind_check check
    (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork', 'page', 'channel')) not valid;
