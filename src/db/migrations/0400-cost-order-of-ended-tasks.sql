-- What a task has cost is written when it ends: until then its place in this order is known without an index.
drop index tasks_cost_idx;
create index tasks_cost_idx on tasks (workspace_id, cost_usd desc, id desc) where completed_at is not null;
