-- Quotas: how much a workspace may keep, by its plan. What it keeps is counted by triggers, so that every way in which
-- a row is made or deleted counts.

-- The limits, as the settings of the process that started last say; null: none.
create table plan_quotas (
  plan text primary key check (plan in ('free', 'pro', 'team', 'enterprise')),
  records bigint,
  stored_bytes bigint,
  schedules bigint
);

-- What a workspace keeps: this row and its rows of stored_changes together. A transaction that finds the row locked
-- adds a change instead, and the next one that locks the row folds the changes in. So nobody waits here.
create table stored_totals (
  workspace_id uuid primary key references workspaces on delete cascade,
  records bigint not null default 0,
  stored_bytes bigint not null default 0
) with (fillfactor = 50);

create table stored_changes (
  workspace_id uuid not null references workspaces on delete cascade,
  records bigint not null,
  stored_bytes bigint not null
);
create index stored_changes_workspace_idx on stored_changes (workspace_id);

create function begin_totals() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stored_totals (workspace_id) values (new.id);
  return null;
end $$;
create trigger workspaces_begin_totals after insert on workspaces for each row execute function begin_totals();

-- What workspaces keep, and may keep.
create view workspace_quotas with (security_invoker = true) as
  select w.id as workspace_id, w.plan, t.records + c.records as records, q.records as max_records,
    t.stored_bytes + c.stored_bytes as stored_bytes, q.stored_bytes as max_stored_bytes, q.schedules as max_schedules
  from workspaces w
  join stored_totals t on t.workspace_id = w.id
  left join plan_quotas q on q.plan = w.plan
  cross join lateral (
    select coalesce(sum(records), 0)::bigint as records, coalesce(sum(stored_bytes), 0)::bigint as stored_bytes
    from stored_changes where workspace_id = w.id
  ) c;

-- Adds to what a workspace keeps. What requests, schedules and triggers add must have room; what runs give out is
-- counted, and never lost for want of it. SQLSTATE MQ001 is shown to the caller as quota_exceeded. What several
-- transactions add at the same time is not seen by each other: a quota can be exceeded by that much. Of a workspace
-- that is being deleted nothing is counted.
create function count_stored(workspace uuid, more_records bigint, more_bytes bigint) returns void
  language plpgsql as $$
declare
  quota workspace_quotas;
  is_checked constant boolean not null := coalesce(more_records > 0 and workspace = current_workspace_id(), false);
begin
  perform from stored_totals t where t.workspace_id = workspace for update skip locked;
  if found then
    with folded as (
      delete from stored_changes c where c.workspace_id = workspace returning c.records, c.stored_bytes
    )
    update stored_totals t
    set records = t.records + more_records + f.records, stored_bytes = t.stored_bytes + more_bytes + f.stored_bytes
    from (select coalesce(sum(records), 0) as records, coalesce(sum(stored_bytes), 0) as stored_bytes from folded) f,
      workspaces w left join plan_quotas q on q.plan = w.plan
    where t.workspace_id = workspace and w.id = workspace
    returning w.id, w.plan, t.records, q.records, t.stored_bytes, q.stored_bytes, q.schedules into quota;
  else
    insert into stored_changes (workspace_id, records, stored_bytes)
    select w.id, more_records, more_bytes from workspaces w where w.id = workspace;
    if is_checked then select * into quota from workspace_quotas q where q.workspace_id = workspace; end if;
  end if;
  if is_checked and quota.records > quota.max_records then
    raise exception using errcode = 'MQ001', message = format(
      'A workspace on the plan %s may have %s records. Delete some, or ask the operator for another plan.',
      quota.plan, quota.max_records);
  end if;
  if is_checked and more_bytes > 0 and quota.stored_bytes > quota.max_stored_bytes then
    raise exception using errcode = 'MQ001', message = format(
      'A workspace on the plan %s may store %s bytes of files and documents, which this would exceed. Delete some, or ask the operator for another plan.',
      quota.plan, quota.max_stored_bytes);
  end if;
end $$;

create function count_added() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, part.bytes);
    end loop;
  elsif tg_table_name = 'team_runs' then
    -- The run of a task is part of it.
    for part in select workspace_id, count(*) as records from added where task_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from added group by workspace_id loop
      perform count_stored(part.workspace_id, part.records, 0);
    end loop;
  end if;
  return null;
end $$;

create function count_removed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  part record;
begin
  if tg_table_name in ('files', 'knowledge_documents') then
    for part in select workspace_id, count(*) as records, sum(size)::bigint as bytes from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, -part.bytes);
    end loop;
  elsif tg_table_name = 'team_runs' then
    for part in select workspace_id, count(*) as records from removed where task_id is null group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  else
    for part in select workspace_id, count(*) as records from removed group by workspace_id loop
      perform count_stored(part.workspace_id, -part.records, 0);
    end loop;
  end if;
  return null;
end $$;

-- There are few schedules: these are counted as they are, one transaction of a workspace after another.
create function limit_schedules() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  quota workspace_quotas;
begin
  perform pg_advisory_xact_lock(hashtextextended('muster.schedules.' || new.workspace_id, 0));
  select * into quota from workspace_quotas q where q.workspace_id = new.workspace_id;
  if (select count(*) from (
    select from schedules s where s.workspace_id = new.workspace_id limit quota.max_schedules + 1
  ) counted) > quota.max_schedules then
    raise exception using errcode = 'MQ001', message = format(
      'A workspace on the plan %s may have %s schedules. Delete some, or ask the operator for another plan.',
      quota.plan, quota.max_schedules);
  end if;
  return null;
end $$;
create trigger schedules_limit after insert on schedules for each row execute function limit_schedules();

insert into stored_totals (workspace_id) select id from workspaces;

-- Keys and budgets are not among them: a full workspace must still be able to replace a key, and to limit what it spends.
do $$
declare
  kept text;
begin
  foreach kept in array array[
    'agents', 'agent_versions', 'teams', 'tasks', 'team_runs', 'voice_profiles', 'output_templates',
    'knowledge_bases', 'knowledge_documents', 'files', 'custom_tools', 'remote_agents', 'triggers', 'schedules',
    'webhook_subscriptions', 'output_routes', 'trello_channels', 'invitations'
  ] loop
    execute format('create trigger %1$s_count_added after insert on %1$I referencing new table as added
      for each statement execute function count_added()', kept);
    execute format('create trigger %1$s_count_removed after delete on %1$I referencing old table as removed
      for each statement execute function count_removed()', kept);
    execute format('update stored_totals t set records = t.records + k.records, stored_bytes = t.stored_bytes + k.bytes
      from (select workspace_id, count(*) as records, %2$s as bytes from %1$I where %3$s group by workspace_id) k
      where k.workspace_id = t.workspace_id', kept,
      case when kept in ('files', 'knowledge_documents') then 'sum(size)' else '0' end,
      case when kept = 'team_runs' then 'task_id is null' else 'true' end);
  end loop;
end
$$;

alter table plan_quotas enable row level security;
create policy everyone on plan_quotas for select using (true);
alter table stored_totals enable row level security;
create policy tenant on stored_totals using (workspace_id is not distinct from (select current_workspace_id()));
alter table stored_changes enable row level security;
create policy tenant on stored_changes using (workspace_id is not distinct from (select current_workspace_id()));

grant select on plan_quotas, stored_totals, stored_changes, workspace_quotas to muster_viewer;
revoke execute on function begin_totals(), count_stored(uuid, bigint, bigint), count_added(), count_removed(),
  limit_schedules() from public;

-- A time of a schedule for whose task the workspace had no room.
alter table schedule_fires drop constraint schedule_fires_outcome_check;
alter table schedule_fires add constraint schedule_fires_outcome_check
  check (outcome in ('fired', 'missed', 'overlap', 'quota'));
