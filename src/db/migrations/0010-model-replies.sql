-- What providers report of a model call's tokens: read from and written to their cache, and spent on reasoning. All
-- are part of prompt_tokens and completion_tokens.
alter table usage_records
  add cached_tokens integer not null default 0,
  add cache_write_tokens integer not null default 0,
  add reasoning_tokens integer not null default 0;
alter table usage_hours
  add cached_tokens bigint not null default 0,
  add cache_write_tokens bigint not null default 0,
  add reasoning_tokens bigint not null default 0;

-- Why the last reply of a completed run ended: stop, length, content_filter, refusal, other.
alter table tasks add finish_reason text;
alter table team_runs add finish_reason text;
