-- The orders of the list of runs by cost and by duration, of each status, and by cost of an agent. A cost is written at
-- the end of an attempt.
drop index runs_cost_idx, runs_duration_idx;
create index runs_status_cost_idx on runs (workspace_id, status, cost_usd desc, id desc)
  where completed_at is not null and parent_id is null;
create index runs_agent_cost_idx on runs (agent_id, cost_usd desc, id desc)
  where completed_at is not null and parent_id is null and agent_id is not null;
create index runs_status_duration_idx on runs
  (workspace_id, status, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null and parent_id is null;

drop function if exists find_titles(tsquery, integer);
