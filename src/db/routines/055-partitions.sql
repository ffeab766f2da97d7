-- Partitions of the event log, of its packed pages and of steps, by the time in the run's id
-- (docs/decisions/0014-partitions-by-run.md). Named after their table and their first id; `_first` has what is older than
-- partitions are, `_chosen` the random ids of clients, `_other` what is left.

-- The smallest id of a moment: an id begins with its milliseconds since 1970.
create or replace function first_id_of(moment timestamptz) returns uuid
  language sql stable parallel safe
  return (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

create or replace function moment_of(id uuid) returns timestamptz
  language sql stable parallel safe
  return to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

-- The partitions of a table: ids from `first_id` (null: from the smallest) to before `next_id` (null: all other ids).
create or replace function partitions_of(parent regclass)
  returns table (name text, first_id uuid, next_id uuid)
  language sql stable as $$
  select c.relname::text, substring(b.bounds from 'FROM \(''([0-9a-f-]+)''')::uuid,
    substring(b.bounds from 'TO \(''([0-9a-f-]+)''')::uuid
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  cross join lateral pg_get_expr(c.relpartbound, c.oid) b (bounds)
  where i.inhparent = parent
$$;
revoke execute on function partitions_of from public;

-- Makes the partitions of the coming two weeks, each of some weeks. Rows that came before their partition move to it.
-- Nothing waits for its locks longer than a request may; a caller tries again later.
create or replace function make_partitions(parent text, key text, weeks integer) returns void
  language plpgsql as $$
declare
  first_id uuid;
  next_id uuid;
  name text;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('muster.partitions', 0)) then return; end if;
  perform set_config('lock_timeout', '100ms', true);
  loop
    first_id := coalesce((select max(p.next_id::text)::uuid from partitions_of(parent::regclass) p),
      first_id_of(date_trunc('week', now(), 'UTC')));
    exit when moment_of(first_id) > now() + interval '14 days';
    next_id := first_id_of(moment_of(first_id) + make_interval(hours => 168 * weeks));
    name := parent || '_' || left(replace(first_id::text, '-', ''), 12);
    execute format('create table %I (like %I including defaults including storage)', name, parent);
    execute format('alter table %I enable row level security', name);
    execute format('lock table %I in access exclusive mode', parent || '_other');
    execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *)
      insert into %5$I select * from moved', parent || '_other', key, first_id, next_id, name);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, first_id, next_id);
  end loop;
end $$;
revoke execute on function make_partitions from public;

-- Whether a run with an id of this range is in progress, or a fork that may read the steps of one.
create or replace function is_range_in_use(first_id uuid, next_id uuid) returns boolean
  language sql stable as $$
  select exists (
    select from jobs j join runs r on r.id = j.subject_id
    cross join unnest(array[r.id, r.parent_id, (r.fork->>'run_id')::uuid, (r.fork->>'task_id')::uuid]) u (id)
    where u.id >= coalesce(first_id, '00000000-0000-0000-0000-000000000000') and u.id < next_id)
$$;
revoke execute on function is_range_in_use from public;

-- Drops a partition whose runs began before a time, have ended, and have written nothing since; returns its name, or
-- null when there is none.
create or replace function drop_partition(parent text, before timestamptz) returns text
  language plpgsql as $$
declare
  part record;
  is_kept boolean;
begin
  perform set_config('lock_timeout', '100ms', true);
  for part in
    select p.*, format('select is_range_in_use(%L, %L) or exists (select from %I where created_at >= %L)',
      p.first_id, p.next_id, p.name, before) as look
    from partitions_of(parent::regclass) p where p.next_id <= first_id_of(before) order by p.next_id
  loop
    execute part.look into is_kept;
    continue when is_kept;
    -- A run may be retried meanwhile: what counts is what is so under the lock.
    execute format('lock table %I in access exclusive mode', parent);
    execute part.look into is_kept;
    if is_kept then return null; end if;
    execute format('drop table %I', part.name);
    return part.name;
  end loop;
  return null;
end $$;
revoke execute on function drop_partition from public;
