import { VERSION } from "#domain/version.ts";
import type { Queries } from "../../database.ts";
import { LEFT_JOB, recordExecutions } from "./job-owner.ts";
import { statement } from "../../statement.ts";

/** A process that runs jobs. */
export interface Executor {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Where its process id can be checked. */
  readonly machine: string;
  /** The process that started this quarantine process; null for all others. */
  readonly parentId: string | null;
}

/** The keys with which a process encrypts. */
export interface KeysInUse {
  /** The fingerprint of its encryption key. */
  readonly fingerprint: string;
  /** The newest generation of data keys that it knows. */
  readonly newest: number;
  /** The generation that encrypts. */
  readonly current: number;
}

const REGISTER = statement({
  name: "register-executor",
  text: `
    insert into executors (id, host, pid, parent_id, machine, wrapping_key, newest_data_key, current_data_key, version)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (id) do nothing`,
});

/** Registers a process that runs jobs; safe to repeat. */
export async function register(db: Queries, executor: Executor, keys: KeysInUse): Promise<void> {
  const { id, host, pid, parentId, machine } = executor;
  const ofKeys = [keys.fingerprint, keys.newest, keys.current];
  await db.query(REGISTER, [id, host, pid, parentId, machine, ...ofKeys, VERSION]);
}

const BEAT = statement({
  name: "executor-beat",
  text: `
    with mine as (
      update executors set beat = beat + 1, beat_at = clock_timestamp(), wrapping_key = $2, newest_data_key = $3,
        current_data_key = $4
      where id = $1 returning id
    )
    select (select id from mine) is not null as "isAlive", k.epoch::double precision as epoch,
      k.executor_id as "keeperId", e.beat::double precision as "keeperBeat",
      case when k.executor_id = $1 then (
        select coalesce(json_agg(json_build_object('id', o.id, 'beat', o.beat, 'parentId', o.parent_id)), '[]')
        from executors o where o.id <> $1
      ) end as others
    from keeper k left join executors e on e.id = k.executor_id`,
});

/** What shows whether a process lives. */
export type JudgedExecutor = Pick<Executor, "id" | "parentId"> & { readonly beat: number };

/** The result of a process's beat. */
export interface Beat {
  /** False when others have presumed it dead and taken over its jobs. */
  readonly isAlive: boolean;
  /** The number of the last election. */
  readonly epoch: number;
  readonly keeperId: string | null;
  /** Null when the keeper has left. */
  readonly keeperBeat: number | null;
  /** All other processes and their beat numbers, if this process is the keeper; else null. */
  readonly others: readonly JudgedExecutor[] | null;
}

/** Increments a process's beat number, and says which keys it uses. */
export async function beat(db: Queries, executorId: string, keys: KeysInUse): Promise<Beat> {
  const [row] = await db.query<Beat>(BEAT, [executorId, keys.fingerprint, keys.newest, keys.current]);
  if (row === undefined) throw new Error("The table keeper has one row.");
  return row;
}

const ELECT = statement({
  name: "elect-keeper",
  text: `
    update keeper set executor_id = $1, epoch = epoch + 1
    where epoch = $2 and (select e.id from executors e where e.id = $1) is not null returning epoch`,
});

/** Makes a process the keeper, unless another election came first; returns whether it succeeded. */
export async function elect(db: Queries, executorId: string, epoch: number): Promise<boolean> {
  return (await db.query(ELECT, [executorId, epoch])).length === 1;
}

const READ = statement({
  name: "read-executors",
  text: `select id, host, pid, machine, parent_id as "parentId", beat::double precision as beat from executors`,
});

/** A process and its newest beat number. */
export type BeatingExecutor = Executor & { readonly beat: number };

/** All processes. */
export function readExecutors(db: Queries): Promise<BeatingExecutor[]> {
  return db.query<BeatingExecutor>(READ);
}

const DELETE = statement({ name: "delete-executor", text: `delete from executors where id = $1` });

/** Unregisters a process; its jobs must be released before. */
export async function leave(db: Queries, executorId: string): Promise<void> {
  await db.query(DELETE, [executorId]);
}

/** At this suspicion a job fails: its quarantine process died twice while it ran nothing else. */
export const MAX_SUSPICION = 5;

// One statement, so that a process that beats concurrently is either found alive, or loses all its jobs together. A
// locked job is left for the next round, and so is a locked process: its beat may wait for that lock. An execution has ended with the last beat of its process, or with its claim if
// that came later.
const TAKE_OVER = statement({
  name: "take-over-jobs",
  narrows: ["executorId"],
  text: `
    with recursive dead as (
      delete from executors e using (
        select silent.id from unnest($1::uuid[], $2::bigint[]) as i (id, beat)
        cross join lateral (
          select s.id from executors s where s.id = i.id and s.beat = i.beat limit 1 for update skip locked) silent
      ) silent
      where e.id = silent.id returning e.id, e.beat_at
    ),
    owner as (
      (select executor_id as id from jobs where executor_id is not null order by executor_id limit 1)
      union all
      (select next.id from owner, lateral (
        select j.executor_id as id from jobs j where j.executor_id > owner.id order by j.executor_id limit 1) next)
    ),
    gone as (
      select id, beat_at from dead
      union
      select o.id, null from owner o left join lateral (select e.id from executors e where e.id = o.id limit 1) e on true
      where e.id is null
    ),
    orphaned as (
      select j.id, j.executor_id, gone.beat_at, $3::boolean and ran.jobs = 1 as was_alone from gone
      cross join lateral (select count(*) as jobs from jobs j where j.executor_id = gone.id) ran
      cross join lateral (
        select j.id, j.executor_id from jobs j where j.executor_id = gone.id limit 1000 for update skip locked) j
    ),
    taken as (
      update jobs j set state = 'queued', executor_id = null, crash_count = j.crash_count + 1,
        suspicion = case
          when j.kind = 'delivery' then 0
          when j.suspicion = 0 then least(1, j.crash_count)
          when not $3 then j.suspicion
          when o.was_alone then greatest(3, j.suspicion) + 1
          else greatest(j.suspicion, least(3, j.suspicion + 1)) end
      from orphaned o where j.id = o.id
      returning o.executor_id, ${LEFT_JOB},
        greatest(coalesce(o.beat_at, clock_timestamp()), j.claimed_at) as last_seen_at
    ),
    lost as (${recordExecutions("taken", "'lost'", "e.last_seen_at")})
    select executor_id as "executorId", kind, workspace_id as "workspaceId" from taken`,
});

/** A requeued job, and its former owner. */
export interface TakenOver {
  readonly executorId: string;
  readonly kind: string;
  readonly workspaceId: string;
}

/** Processes that died. */
export interface Deaths {
  readonly dead: readonly { readonly id: string; readonly beat: number }[];
  /** Whether they are quarantine processes that died while their parents lived: only these deaths blame their jobs. */
  readonly isBlamed?: boolean;
}

/**
 * Unregisters processes whose beat number is still the given one, and requeues the jobs without a living owner. Returns
 * up to a few thousand of them; repeat with no deaths until the result is empty.
 */
export function takeOver(db: Queries, { dead, isBlamed = false }: Deaths): Promise<TakenOver[]> {
  const values = [dead.map(({ id }) => id), dead.map(({ beat: number }) => number), isBlamed];
  return db.query<TakenOver>(TAKE_OVER, values);
}
