-- An execution begins before its start is written: whether the task was given files, and whether budgets may apply to
-- it, goes with its job.
create or replace function job_of_task(task_id uuid) returns setof new_job
  language sql stable
begin atomic
  select t.workspace_id, t.attempt, priority_number(t.priority), json_build_object(
    'workspaceId', t.workspace_id,
    'taskId', t.id,
    'attempt', t.attempt,
    'title', t.title,
    'description', t.description,
    'conversation', t.conversation,
    'clientTools', t.client_tools,
    'agent', agent_snapshot(a),
    'hasFiles', (select true from files f where f.task_id = t.id and f.direction = 'input' limit 1) is not null,
    'hasBudgets', (select true from budgets b where b.workspace_id = t.workspace_id limit 1) is not null)
  from tasks t join agents a on a.id = t.assigned_agent_id
  where t.id = job_of_task.task_id and t.status = 'dispatched';
end;
