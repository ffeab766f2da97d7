-- The log of a schedule also tells of the tasks that people made of it between its times.

alter table schedule_fires drop constraint schedule_fires_outcome_check;
alter table schedule_fires add constraint schedule_fires_outcome_check
  check (outcome in ('fired', 'missed', 'overlap', 'quota', 'manual'));
