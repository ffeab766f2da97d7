-- Usage and budgets: functions, triggers and views.

-- Usage has no reference to its workspace, so that inserts check none. This trigger deletes it with the workspace.
create or replace function delete_workspace_usage() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from usage_records where workspace_id = old.id;
  return null;
end $$;

create or replace trigger workspace_deleted
  after delete on workspaces for each row execute function delete_workspace_usage();

-- The end of a window. Months are in UTC, independent of the server's time zone.
create or replace function window_end(window_start timestamptz, period text) returns timestamptz
  language sql stable parallel safe
  return (window_start at time zone 'UTC' + ('1 ' || period)::interval) at time zone 'UTC';

-- The key of a period's current window.
create or replace function budget_window(period text, run_id uuid, attempt integer) returns text
  language sql stable
  return case period
    when 'run' then run_id || '.' || attempt
    when 'day' then to_char(now() at time zone 'UTC', 'YYYY-MM-DD')
    when 'month' then to_char(now() at time zone 'UTC', 'YYYY-MM')
    else 'total' end;

-- The start of a period's current window; not for the period `run`.
create or replace function budget_window_start(period text) returns timestamptz
  language sql stable
  return case period
    when 'total' then '-infinity'
    else date_trunc(period, now() at time zone 'UTC') at time zone 'UTC' end;

-- Records interrupted calls; a call is recorded once.
create or replace function record_interrupted(calls json) returns void language sql as $$
  insert into usage_records (id, workspace_id, task_id, team_run_id, team_id, agent_id, agent_version, attempt, step,
    turn, provider, model, prompt_tokens, completion_tokens, estimated_cost_usd, billing_model, cached_tokens,
    cache_write_tokens, reasoning_tokens, interrupted, worst_case_tokens, worst_case_cost_usd)
  select u.id, w.id, u.task_id, u.team_run_id, u.team_id, u.agent_id, u.agent_version, u.attempt, u.step,
    u.turn, u.provider, u.model, u.prompt_tokens, u.completion_tokens, u.estimated_cost_usd, u.billing_model,
    coalesce(u.cached_tokens, 0), coalesce(u.cache_write_tokens, 0), coalesce(u.reasoning_tokens, 0), true,
    u.worst_case_tokens, u.worst_case_cost_usd
  from json_populate_recordset(null::usage_records, calls) u join workspaces w on w.id = u.workspace_id
  on conflict (id) do nothing
$$;
revoke execute on function record_interrupted from public;

-- Ends reservations. `charges` is a list of {id, usd, tokens} with the actual usage of each call. Without usd and
-- tokens the usage is unknown: the call was interrupted, and the worst case is charged and recorded. A reservation is
-- ended once; ids without a reservation are skipped. A lock that something else holds fails the charge soon: it is repeated, and does not occupy a connection.
create or replace function charge_reservations(charges json) returns void
  language plpgsql set lock_timeout = '100ms' as $$
declare
  ids uuid[] := array(select c.id from json_to_recordset(charges) as c (id uuid));
begin
  perform b.id from budgets b
    where b.id = any(array(select unnest(r.budget_ids) from budget_reservations r where r.id = any(ids)))
    order by b.id for no key update;
  perform record_interrupted(json_agg(r.usage)) from (
    select r.usage from json_to_recordset(charges) as c (id uuid, usd numeric)
    join budget_reservations r on r.id = c.id and c.usd is null and r.usage is not null for update of r
  ) r having count(*) > 0;
  with ended as (
    delete from budget_reservations r using json_to_recordset(charges) as c (id uuid, usd numeric, tokens bigint)
    where r.id = c.id
    returning r.budget_ids, r.keys, r.usd as held_usd, r.tokens as held_tokens,
      coalesce(c.usd, r.usd) as usd, coalesce(c.tokens, r.tokens) as tokens
  ),
  moved as (
    select w.budget_id, w.key, sum(e.usd) as usd, sum(e.tokens) as tokens,
      sum(e.held_usd) as held_usd, sum(e.held_tokens) as held_tokens
    from ended e, unnest(e.budget_ids, e.keys) as w (budget_id, key) group by 1, 2
  )
  update budget_windows w set used_usd = w.used_usd + m.usd, used_tokens = w.used_tokens + m.tokens,
    reserved_usd = w.reserved_usd - m.held_usd, reserved_tokens = w.reserved_tokens - m.held_tokens,
    updated_at = clock_timestamp()
  from moved m where w.budget_id = m.budget_id and w.key = m.key;
end $$;
revoke execute on function charge_reservations from public;

-- Opens the missing windows of a call. A run's window starts with the attempt's usage before the budget existed. The
-- window of a day or month was opened together with the budget.
create or replace function open_budget_windows(call budget_call) returns void language sql as $$
  insert into budget_windows (budget_id, key, workspace_id, used_usd, used_tokens)
  select b.id, k.key, b.workspace_id, coalesce(u.usd, 0), coalesce(u.tokens, 0)
  from budgets b
  cross join lateral (select budget_window(b.period, call.run_id, call.attempt) as key) k
  left join lateral (select w.key from budget_windows w where w.budget_id = b.id and w.key = k.key limit 1) w on true
  left join lateral (
    select sum(u.estimated_cost_usd + u.worst_case_cost_usd) as usd,
      sum(u.prompt_tokens + u.completion_tokens + u.worst_case_tokens) as tokens
    from (
      select * from usage_records r where r.team_run_id = call.run_id
      union all
      select * from usage_records t where t.task_id = call.run_id and t.team_run_id is null
    ) u
    where b.period = 'run' and u.attempt = call.attempt and (b.scope <> 'agent' or u.agent_id = b.target_id)
  ) u on true
  where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id and w.key is null
$$;
revoke execute on function open_budget_windows from public;

-- Reserves a call if it fits into all windows that apply to it.
create or replace function reserve_call(call budget_call, out verdict text, out standing json) language plpgsql as $$
begin
  select
      case when s.fits then 'wait' when s.usd is null and s.max_usd is not null then 'unpriced' else 'exceeded' end,
      to_json(s)
    into verdict, standing
    from (
      select b.id, b.scope, b.target_id, b.period, b.on_breach, w.key, call.usd, call.tokens,
        trim_scale(b.max_usd) as max_usd, trim_scale(w.used_usd) as used_usd,
        trim_scale(w.reserved_usd) as reserved_usd, trim_scale(w.extra_usd) as extra_usd,
        b.max_tokens, w.used_tokens, w.reserved_tokens, w.extra_tokens,
        (b.max_usd is null or coalesce(w.used_usd + call.usd <= b.max_usd + w.extra_usd, false))
          and (b.max_tokens is null or w.used_tokens + call.tokens <= b.max_tokens + w.extra_tokens) as fits
      from budgets b
      join budget_windows w on w.budget_id = b.id and w.key = budget_window(b.period, call.run_id, call.attempt)
      where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id
    ) s
    where not s.fits
      or s.used_usd + s.reserved_usd + s.usd > s.max_usd + s.extra_usd
      or s.used_tokens + s.reserved_tokens + s.tokens > s.max_tokens + s.extra_tokens
    -- Budgets that end the run come first, then those that ask, then those that wait.
    order by s.fits, s.on_breach desc, s.id limit 1;
  if verdict is not null then return; end if;
  with held as (
    update budget_windows w set reserved_usd = w.reserved_usd + coalesce(call.usd, 0),
      reserved_tokens = w.reserved_tokens + call.tokens, updated_at = clock_timestamp()
    from budgets b
    where b.target_id = any(call.targets) and b.workspace_id = call.workspace_id
      and w.budget_id = b.id and w.key = budget_window(b.period, call.run_id, call.attempt)
    returning w.budget_id, w.key
  ),
  kept as (
    insert into budget_reservations (id, workspace_id, run_id, attempt, step, budget_ids, keys, usd, tokens, usage)
    select call.id, call.workspace_id, call.run_id, call.attempt, call.step,
      array_agg(h.budget_id), array_agg(h.key), coalesce(call.usd, 0), call.tokens, call.usage
    from held h having count(*) > 0
    returning id
  )
  select case when count(*) = 0 then 'free' else 'granted' end into verdict from kept;
end $$;
revoke execute on function reserve_call from public;

-- Reserves the worst cases of calls, one after another, and returns a verdict for each. `free`: no budget applies.
-- `granted`: the worst case is reserved. `wait`: it fits only after calls in progress have been charged. `exceeded`: it
-- does not fit. `unpriced`: a cap in dollars applies to a model without a price. These three include the state of the
-- budget. `ended`: the run is no longer in progress, which its process may not know yet. Calls outside of runs have no
-- stream, and always count as in progress. The budgets are first locked in one order. So neither calls nor processes can
-- exceed a budget or block each other. A lock that something else holds fails the calls soon, so that they can be
-- repeated one by one.
create or replace function reserve_budgets(calls json) returns table (n integer, verdict text, standing json)
  language plpgsql set lock_timeout = '100ms' as $$
declare
  call budget_call;
  position integer := 0;
begin
  perform b.id from budgets b
    where b.target_id = any(array(
      select unnest(c.targets) from json_populate_recordset(null::budget_call, calls) as c))
    order by b.id for no key update;
  for call in select * from json_populate_recordset(null::budget_call, calls) loop
    position := position + 1;
    -- A repeated call: the first response was lost.
    if exists (select from budget_reservations r where r.id = call.id) then
      return query select position, 'granted', null::json;
      continue;
    end if;
    if exists (select from task_streams s where s.log_id = call.run_id) and not exists (
      select from jobs j where j.subject_id = call.run_id and j.attempt = call.attempt and j.state = 'running'
    ) then
      return query select position, 'ended', null::json;
      continue;
    end if;
    perform charge_reservations(json_agg(json_build_object('id', r.id))) from budget_reservations r
      where r.run_id = call.run_id and r.attempt = call.attempt and r.step = call.step having count(*) > 0;
    perform open_budget_windows(call);
    return query select position, reserved.verdict, reserved.standing from reserve_call(call) reserved;
  end loop;
end $$;
revoke execute on function reserve_budgets from public;

-- Processes cache which workspaces have budgets.
create or replace function announce_budget_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('muster_budgets', coalesce(new.workspace_id, old.workspace_id)::text);
  return null;
end $$;

create or replace trigger budgets_changed
  after insert or update or delete on budgets for each row execute function announce_budget_change();

-- Deletes budgets with their target. As the owner, because members may not delete budgets.
create or replace function delete_budgets() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from budgets where target_id = old.id;
  return null;
end $$;

create or replace trigger agent_budgets after delete on agents for each row execute function delete_budgets();

create or replace trigger team_budgets after delete on teams for each row execute function delete_budgets();

create or replace trigger run_budgets after delete on runs for each row execute function delete_budgets();

create or replace trigger page_budgets after delete on agent_pages for each row execute function delete_budgets();

-- window: the current state of the budget. For a single run it is that of the newest attempt. It is null where each run
-- has its own window. A window without spending has no row.
create or replace view budget_records with (security_invoker = true) as
  select
    b.id, b.workspace_id, b.scope, b.target_id,
    coalesce(a.name, t.name, g.title) as target_name,
    b.period, trim_scale(b.max_usd) as max_usd, b.max_tokens, b.on_breach,
    case when b.period <> 'run' or w.key is not null then json_build_object(
      'key', coalesce(w.key, budget_window(b.period, null, null)),
      'used_usd', trim_scale(coalesce(w.used_usd, 0)), 'used_tokens', coalesce(w.used_tokens, 0),
      'reserved_usd', trim_scale(coalesce(w.reserved_usd, 0)), 'reserved_tokens', coalesce(w.reserved_tokens, 0),
      'cap_usd', trim_scale(b.max_usd + coalesce(w.extra_usd, 0)),
      'cap_tokens', b.max_tokens + coalesce(w.extra_tokens, 0)) end as "window",
    b.created_by, iso(b.created_at) as created_at, iso(b.updated_at) as updated_at
  from budgets b
  left join lateral (
    select w.* from budget_windows w
    where w.budget_id = b.id
      and case b.period when 'run' then b.scope = 'run' else w.key = budget_window(b.period, null, null) end
    order by w.updated_at desc limit 1
  ) w on true
  left join lateral (select a.name from agents a where b.scope = 'agent' and a.id = b.target_id limit 1) a on true
  left join lateral (select t.name from teams t where b.scope = 'team' and t.id = b.target_id limit 1) t on true
  left join lateral (select g.title from agent_pages g where b.scope = 'page' and g.id = b.target_id limit 1) g on true;
grant select on budget_records to muster_viewer;

create or replace view table_api.usage_records with (security_invoker = true) as
  select
    id, workspace_id, task_id, agent_id, team_run_id, attempt, step, provider, model, prompt_tokens,
    completion_tokens, estimated_cost_usd, billing_model, created_at, agent_version, turn,
    cached_tokens, cache_write_tokens, reasoning_tokens, interrupted, worst_case_tokens, worst_case_cost_usd
  from public.usage_records;
grant select on table_api.usage_records to muster_viewer;
