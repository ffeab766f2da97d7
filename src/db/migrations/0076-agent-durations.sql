-- The order of an agent's runs by duration: without it, the list of an agent whose runs are short walks the longer runs of
-- all others.
create index runs_agent_duration_idx on runs
  (agent_id, status, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null and parent_id is null and agent_id is not null;
