-- Runs that have not started are held while their workspace is paused: enqueue() asks the function may_start(), and
-- queues their jobs for the time 'infinity', which keeps them out of the index that processes claim from.

-- What tells a person how long a queued run still waits.
grant select (priority, run_at, lane, suspicion) on jobs to muster_viewer;

-- Who has cancelled the newest attempt, if it is cancelled and a person did.
alter table tasks add column cancelled_by uuid;
alter table team_runs add column cancelled_by uuid;
