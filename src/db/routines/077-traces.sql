-- Traces: functions and triggers.

-- The trace of a run; that of a team's run is its task's.
create or replace function trace_of(run runs) returns text language sql stable
  return coalesce(run.trace, case when run.parent_id is not null then (select p.trace from runs p where p.id = run.parent_id) end);

-- The trace of what a run causes, with the run's span as its parent: spanIdOf in domain/traces/trace-context.ts gives the
-- same id. A run that is not sampled has no span: the parent remains the caller's, if there is one.
create or replace function trace_below(run runs) returns text language sql stable
begin atomic
  select case
    when t.trace like '%-01' then left(t.trace, 36)
      || left(encode(sha256(convert_to(coalesce(run.parent_id, run.id) || '/' || run.attempt || '/run', 'UTF8')), 'hex'), 16)
      || '-01'
    when t.trace not like '%-0000000000000000-%' then t.trace end
  from (select trace_of(run) as trace) t;
end;

-- Has the spans of an attempt or a delivery exported.
create or replace function export_trace() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  number integer := 0;
begin
  if tg_table_name = 'runs' then number := new.attempt; end if;
  insert into trace_exports (subject_id, attempt, workspace_id, trace)
  values (new.id, number, new.workspace_id, new.trace)
  on conflict (subject_id, attempt) do update
    set version = trace_exports.version + 1, ready_at = coalesce(trace_exports.ready_at, clock_timestamp());
  return null;
end $$;
revoke execute on function export_trace from public;

create or replace trigger run_traced after update of status on runs for each row
  when (new.trace like '%-01' and new.status <> old.status
    and new.status in ('waiting_for_input', 'completed', 'failed', 'cancelled'))
  execute function export_trace();

create or replace trigger delivery_traced after update of status on deliveries for each row
  when (new.trace like '%-01' and new.status <> old.status) execute function export_trace();
