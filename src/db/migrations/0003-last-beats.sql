-- When a process last beat: the last sign of life of the executions that die with it. Only records show it; whether a
-- process is dead is decided by the numbers of its beats.
alter table executors add column beat_at timestamptz not null default clock_timestamp();
