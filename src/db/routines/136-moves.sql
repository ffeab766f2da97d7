-- A workspace that moves in from another installation: functions.

-- Whether the transaction moves a workspace in. What triggers would write, count or check is moved as well; nothing is
-- announced, delivered or recorded again.
create or replace function is_moving() returns boolean
  language sql stable parallel safe
  return coalesce(current_setting('muster.moving', true), '') = 'on';
revoke execute on function is_moving from public;
grant execute on function is_moving to muster_viewer, muster_reach_viewer;
