-- Which of the jobs that ran when a process died is to blame.
--
-- crash_count: how often a process died while the job ran, since it last passed a step.
-- suspicion: how much speaks against the job. 0: nothing; 1: a process died while it and others ran; 2: that happened
--   during its trial together with a few others, or it was the process's only job; from 2 on each trial alone in which
--   the process dies adds one, and at 4 the job has failed.
-- trial: whether the job is being tried, and how: the deaths during a trial count against those in it.
alter table jobs
  add column suspicion smallint not null default 0,
  add column trial text check (trial in ('together', 'alone'));
update jobs set suspicion = least(crash_count, 2);

drop index jobs_queue_idx;
drop index jobs_suspects_idx;
create index jobs_queue_idx on jobs (kind, lane, priority, id)
  where state = 'queued' and run_at is null and suspicion = 0;
create index jobs_suspects_idx on jobs (kind, suspicion, id)
  where state = 'queued' and run_at is null and suspicion > 0;
