-- Suspects run in processes of their own: see docs/durability.md.
drop index jobs_suspects_idx;
alter table jobs drop column trial;
update jobs set suspicion = 1 where suspicion > 0 and kind <> 'delivery';
update jobs set suspicion = 0 where suspicion > 0 and kind = 'delivery';
create index jobs_suspects_idx on jobs (suspicion, id) where state = 'queued' and run_at is null and suspicion > 0;
comment on column jobs.crash_count is 'How many times a process died while the job ran, since its last finished step.';
comment on column jobs.suspicion is
  '0: none. From the second death on, the job runs only in a quarantine process: 1: with up to 15 others, 2: with up to 3
   others, 3 and more: alone. Each death of its quarantine process adds one, and at 5 the job fails. Deliveries are never
   suspects.';

-- A quarantine process belongs to the process that started it, which recovers its jobs when it dies.
alter table executors add column parent_id uuid;
-- The machine and its PID namespace: only there it can be checked whether a process id is alive.
alter table executors add column machine text not null default '';
