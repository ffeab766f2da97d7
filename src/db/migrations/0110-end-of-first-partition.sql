-- Event log, packed pages and steps become partitions by the time in the run's id, in three migrations (decision 14). What
-- is stored becomes their first partition. This one bounds it: by a Monday more than a week away, so that a process of
-- the version before writes to it meanwhile; by this Monday in a new database. Ids that clients chose are random, and
-- nearly all of them are after the year 2100: with one of those the first partition takes all ids, and stays the only one.
-- A constraint that is not validated needs its lock for a moment only.
do $$
declare
  far constant uuid := '03bb2cc3-d800-0000-0000-000000000000';
  newest constant uuid := (select max(id::text)::uuid from (
    (select log_id as id from task_events order by log_id desc limit 1) union all
    (select log_id from task_event_pages order by log_id desc limit 1) union all
    (select run_id from run_steps order by run_id desc limit 1)) ids);
  this_week constant timestamptz := date_trunc('week', now(), 'UTC');
  until timestamptz := this_week;
  bound uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  if exists (select from runs) then
    until := greatest(this_week + interval '336 hours', date_trunc('week',
      to_timestamp(('x' || left(replace(newest::text, '-', ''), 12))::bit(48)::bigint / 1000.0), 'UTC') + interval '168 hours');
  end if;
  if newest is null or newest < far then
    bound := (lpad(to_hex((extract(epoch from until) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
  end if;
  execute format('alter table task_events add constraint first_partition check (log_id < %L) not valid', bound);
  execute format('alter table task_event_pages add constraint first_partition check (log_id < %L) not valid', bound);
  execute format('alter table run_steps add constraint first_partition check (run_id < %L) not valid', bound);
end $$;
