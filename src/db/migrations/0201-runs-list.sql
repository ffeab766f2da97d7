-- The list of all work: tasks, and team runs that were started without one.

-- source_*: through what it was created, and which key, person, schedule, trigger or run that was.
-- error_code, cost_usd: of the current attempt, once it has ended.
alter table tasks
  add column source_kind text not null default 'api'
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork')),
  add column source_id uuid,
  add column error_code text,
  add column cost_usd numeric(14, 8) not null default 0;
alter table team_runs
  add column source_kind text not null default 'api'
    check (source_kind in ('api', 'console', 'schedule', 'trigger', 'a2a', 'mcp', 'fork')),
  add column source_id uuid,
  add column error_code text,
  add column cost_usd numeric(14, 8) not null default 0;

-- The words of a title, without the punctuation that would make one word of several; with the workspace as a word of its
-- own, so that the index finds those of one workspace.
create function title_words(workspace_id uuid, title text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array[workspace_id::text])
    || to_tsvector('simple'::regconfig, regexp_replace(left(title, 200), '[!-/:-@\[-`{-~]+', ' ', 'g'));
alter table tasks
  add column title_words tsvector not null generated always as (title_words(workspace_id, title)) stored;
alter table team_runs
  add column title_words tsvector not null generated always as (title_words(workspace_id, input_task)) stored;

-- An index for each filter and order.
create index tasks_agent_newest_idx on tasks (assigned_agent_id, created_at desc, id desc)
  where assigned_agent_id is not null;
create index tasks_team_newest_idx on tasks (assigned_team_id, created_at desc, id desc)
  where assigned_team_id is not null;
drop index tasks_team_idx;
create index tasks_source_newest_idx on tasks (workspace_id, source_kind, created_at desc, id desc);
create index tasks_error_newest_idx on tasks (workspace_id, error_code, created_at desc, id desc)
  where error_code is not null;
create index tasks_cost_idx on tasks (workspace_id, cost_usd desc, id desc);
create index tasks_duration_idx on tasks
  (workspace_id, (coalesce(extract(epoch from completed_at - started_at), -1)) desc, id desc)
  where completed_at is not null;
create index tasks_active_idx on tasks (workspace_id) where status in ('running', 'waiting_for_input');
create index tasks_words_idx on tasks using gin (title_words);
create index team_runs_lone_newest_idx on team_runs (workspace_id, created_at desc, id desc) where task_id is null;
create index team_runs_lone_words_idx on team_runs using gin (title_words) where task_id is null;

-- Tasks and lone team runs of the current workspace whose title has these words; `max` of them at most. As the owner:
-- row-level security lets nobody search by the index, since a search operator could tell of rows that it passes.
create function find_titles(words tsquery, max integer) returns uuid[]
  language sql stable security definer set search_path = public, pg_temp as $$
  select array(
    (select id from tasks
     where title_words @@ (words && format('%L', current_workspace_id())::tsquery) limit max)
    union all
    (select id from team_runs where task_id is null
     and title_words @@ (words && format('%L', current_workspace_id())::tsquery) limit max))
$$;
revoke execute on function find_titles from public;
grant execute on function find_titles to muster_viewer;

-- When the log of an attempt is closed, its work is over: what it cost and the code of its failure are known. The row
-- is locked by whoever closes the log.
create function record_attempt_end() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  code text;
  cost numeric;
begin
  select e.event->>'code' into code from task_events e
  where e.task_id = new.task_id and e.seq = new.last_seq and e.event->>'type' = 'RUN_ERROR';
  select sum(u.estimated_cost_usd) into cost from usage_records u
  where u.task_id = new.task_id and u.attempt = new.attempt;
  if code is not null or cost > 0 then
    update tasks set error_code = code, cost_usd = coalesce(cost, 0) where id = new.task_id and attempt = new.attempt;
    if found then return null; end if;
  end if;
  select sum(u.estimated_cost_usd) into cost from usage_records u
  where u.team_run_id = new.task_id and u.attempt = new.attempt;
  if code is not null or cost > 0 then
    update team_runs set error_code = code, cost_usd = coalesce(cost, 0)
    where id = new.task_id and attempt = new.attempt;
  end if;
  return null;
end $$;
revoke execute on function record_attempt_end from public;
create trigger attempt_ended after update of closed on task_streams
  for each row when (new.closed and not old.closed) execute function record_attempt_end();

-- Slugs are in every URL of their workspace.
grant select on workspace_slugs to muster_viewer;
