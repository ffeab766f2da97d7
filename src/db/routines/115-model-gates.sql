-- The gates of model providers: who may call now, and when the others may.

-- When a call of a size may pass, after others of a size: at an even pace, and while enough is left until the limit is
-- full again. Three seconds' worth may pass at once; more would take from later calls what they are due in the same
-- minute. A call that is larger than the limit passes when all of it is left.
create or replace function gate_time(
  now_at timestamptz, next_at timestamptz, own double precision, others double precision, a_minute double precision,
  still_left double precision, full_at timestamptz
) returns timestamptz
  language sql immutable parallel safe
  return case when a_minute is null then now_at else greatest(
    greatest(next_at, now_at) + (others - greatest(0, a_minute / 20 - own)) / a_minute * interval '1 minute',
    case when full_at > now_at and still_left < least(own, a_minute) + others
      then full_at + greatest(0, others - greatest(still_left, 0)) / a_minute * interval '1 minute' end)
  end;

-- Takes over the limits that a provider told with its response to a call. `told_by` is the number of that call; null for
-- one that was made before the process knew of a limit, and then the lower numbers win.
create or replace function learn_limits(gate model_gates, told json) returns model_gates
  language plpgsql as $$
declare
  now_at timestamptz := clock_timestamp();
  told_by bigint := told->>'by';
  since double precision;
begin
  if told is null or coalesce(told_by, gate.told) < gate.told then return gate; end if;
  since := case when told_by is null then coalesce((told->>'unanswered')::double precision, 0) else gate.passed - told_by end;
  gate.told := coalesce(told_by, gate.told);
  if told->>'requests' is not null then
    gate.requests_left := least((told->>'requestsLeft')::double precision - since,
      case when told_by is null and gate.requests_full_at > now_at then gate.requests_left end);
    gate.requests := told->>'requests';
    gate.requests_full_at := now_at + (told->>'requestsFullInMs')::double precision * interval '1 ms';
    gate.is_guess := false;
  end if;
  if told->>'tokens' is not null then
    gate.tokens_left := least((told->>'tokensLeft')::double precision,
      case when told_by is null and gate.tokens_full_at > now_at then gate.tokens_left end);
    gate.tokens := told->>'tokens';
    gate.tokens_full_at := now_at + (told->>'tokensFullInMs')::double precision * interval '1 ms';
  end if;
  return gate;
end $$;

-- Tells other processes that calls wait at a gate, so that theirs ask, too. Again after some seconds, for those that
-- have found it calm meanwhile.
create or replace function announce_gate(gate model_gates) returns model_gates language plpgsql as $$
begin
  if gate.announced_at < clock_timestamp() - interval '5 seconds' then
    perform pg_notify('muster_gates', gate.id || ' ' || current_setting('application_name'));
    gate.announced_at := clock_timestamp();
  end if;
  return gate;
end $$;

-- Lets a call pass, or says when to ask again. Workspaces alternate: each one's next call begins where its last one
-- ended, but not before those that pass now. So calls of a workspace with many of them do not delay those of others.
create or replace function pass_gate(call json, told json) returns table (
  passed bigint, until timestamptz, wait_ms double precision, ahead integer, reason text, rejections integer,
  has_waited boolean, is_calm boolean, a_minute double precision
) language plpgsql as $$
#variable_conflict use_column
declare
  g model_gates;
  mine model_gate_waits;
  now_at timestamptz;
  size double precision := greatest((call->>'tokens')::double precision, 1);
  cost double precision;
  others bigint;
  open_at timestamptz;
begin
  insert into model_gates (id, provider, model) values (call->>'gate', call->>'provider', call->>'model')
  on conflict (id) do nothing;
  select * into strict g from model_gates where id = call->>'gate' for update;
  now_at := clock_timestamp();
  g := learn_limits(g, told);
  if told is not null and told->>'by' is null then g.busy_at := now_at; end if;
  -- A guess that proves too low is raised by a fifth each minute.
  if g.is_guess and g.guessed_at < now_at - interval '1 minute' then
    g.requests := g.requests * 1.2 + 1;
    g.guessed_at := now_at;
  end if;

  select * into mine from model_gate_waits w
  where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step' and w.gate_id = g.id;
  has_waited := coalesce(mine.is_waiting, false);
  rejections := coalesce(mine.rejections, 0);
  if not has_waited then
    mine.turn := greatest(g.turn, (g.turns->>(call->>'workspaceId'))::double precision);
    mine.since := now_at;
  end if;
  select count(*) into others from (
    select from model_gate_waits w
    where w.gate_id = g.id and w.is_waiting and (w.turn, w.since) < (mine.turn, mine.since)
      and exists (select from jobs j where j.id = w.job_id)
    order by w.turn, w.since limit 1000) first;
  ahead := others;
  a_minute := g.requests;
  open_at := greatest(g.closed_until,
    gate_time(now_at, g.requests_at, 1, others, g.requests, g.requests_left, g.requests_full_at),
    gate_time(now_at, g.tokens_at, size, size * others, g.tokens, g.tokens_left, g.tokens_full_at));

  cost := greatest(1 / nullif(g.requests, 0), size / nullif(g.tokens, 0), 1e-9);
  if not has_waited then
    g.turns := g.turns || jsonb_build_object(call->>'workspaceId', mine.turn + cost);
  end if;
  if open_at <= now_at then
    g.passed := g.passed + 1;
    g.requests_left := g.requests_left - 1;
    g.tokens_left := g.tokens_left - size;
    g.requests_at := greatest(g.requests_at, now_at) + coalesce(1 / nullif(g.requests, 0), 0) * interval '1 minute';
    g.tokens_at := greatest(g.tokens_at, now_at) + coalesce(size / nullif(g.tokens, 0), 0) * interval '1 minute';
    g.turn := greatest(g.turn, mine.turn);
    select coalesce(jsonb_object_agg(key, value), '{}') into g.turns
    from jsonb_each(g.turns) where value::double precision > g.turn;
    passed := g.passed;
    delete from model_gate_waits w
    where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step' and w.rejections = 0;
    update model_gate_waits w set is_waiting = false
    where w.job_id = (call->>'jobId')::uuid and w.step = call->>'step';
    is_calm := g.busy_at < now_at - interval '1 minute'
      and coalesce(g.requests_left > g.requests / 2 or g.requests_full_at <= now_at, true)
      and coalesce(g.tokens_left > g.tokens / 2 or g.tokens_full_at <= now_at, true)
      and not exists (
        select from model_gate_waits w join jobs j on j.id = w.job_id where w.gate_id = g.id and w.is_waiting);
  else
    until := open_at;
    wait_ms := extract(epoch from open_at - now_at) * 1000;
    reason := case when g.closed_until > now_at then 'closed' else 'limit' end;
    is_calm := false;
    insert into model_gate_waits as w (job_id, step, gate_id, provider, model, workspace_id, turn, since, until, ahead, reason)
    select j.id, call->>'step', g.id, g.provider, g.model, (call->>'workspaceId')::uuid, mine.turn, mine.since, open_at, others, reason
    from jobs j where j.id = (call->>'jobId')::uuid
    on conflict (job_id, step) do update set gate_id = excluded.gate_id,
      provider = excluded.provider, model = excluded.model, turn = excluded.turn, since = excluded.since,
      until = excluded.until, ahead = excluded.ahead, reason = excluded.reason, is_waiting = true;
    g := announce_gate(g);
    g.busy_at := now_at;
  end if;
  update model_gates m set requests = g.requests, requests_left = g.requests_left, requests_full_at = g.requests_full_at,
    tokens = g.tokens, tokens_left = g.tokens_left, tokens_full_at = g.tokens_full_at, is_guess = g.is_guess,
    guessed_at = g.guessed_at, passed = g.passed, told = g.told, requests_at = g.requests_at, tokens_at = g.tokens_at,
    turn = g.turn, turns = g.turns, announced_at = g.announced_at, busy_at = g.busy_at,
    changed_at = now_at
  where m.id = g.id;
  return next;
end $$;

-- Closes a gate for all after a rejection. The rejected call keeps its place before those that came later. A provider
-- without numbers has as its limit what it took in the minute before.
create or replace function close_gate(call json, told json, closed_ms double precision, in_last_minute integer)
  returns table (rejections integer) language plpgsql as $$
#variable_conflict use_column
declare
  g model_gates;
  now_at timestamptz;
begin
  insert into model_gates (id, provider, model) values (call->>'gate', call->>'provider', call->>'model')
  on conflict (id) do nothing;
  select * into strict g from model_gates where id = call->>'gate' for update;
  now_at := clock_timestamp();
  g := learn_limits(g, told);
  -- Rejections of the same moment count once. The rejection of a quiet process, or one for a few seconds, says nothing of
  -- a limit a minute.
  if closed_ms >= 5000 and (g.guessed_at is null or g.guessed_at < now_at - interval '5 seconds')
    and (g.is_guess or g.requests is null and in_last_minute >= 30)
  then
    g.requests := greatest(1, least(g.requests * 0.5, in_last_minute));
    g.guessed_at := now_at;
    g.is_guess := true;
  end if;
  insert into model_gate_waits as w (job_id, step, gate_id, provider, model, workspace_id, turn, until, ahead, reason, rejections)
  select j.id, call->>'step', g.id, g.provider, g.model, (call->>'workspaceId')::uuid, g.turn,
    now_at + closed_ms * interval '1 ms', 0, 'closed', 1
  from jobs j where j.id = (call->>'jobId')::uuid
  on conflict (job_id, step) do update set rejections = w.rejections + 1, is_waiting = true, until = excluded.until,
    reason = 'closed', gate_id = excluded.gate_id, provider = excluded.provider, model = excluded.model
  returning w.rejections into rejections;
  g := announce_gate(g);
  update model_gates m set requests = g.requests, requests_left = g.requests_left, requests_full_at = g.requests_full_at,
    tokens = g.tokens, tokens_left = g.tokens_left, tokens_full_at = g.tokens_full_at, is_guess = g.is_guess,
    guessed_at = g.guessed_at, told = g.told, announced_at = g.announced_at, busy_at = now_at,
    changed_at = now_at, closed_until = greatest(m.closed_until, now_at + closed_ms * interval '1 ms')
  where m.id = g.id;
  return next;
end $$;
