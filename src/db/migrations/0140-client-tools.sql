-- Tools that the client of a task executes itself, for the task's current attempt.
alter table tasks add column client_tools jsonb;

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
    'agent', agent_snapshot(a))
  from tasks t join agents a on a.id = t.assigned_agent_id
  where t.id = job_of_task.task_id and t.status = 'dispatched';
end;
