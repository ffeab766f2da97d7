import type { Database, Queries } from "../../database.ts";
import { statement } from "../../statement.ts";
import { countRunEnds } from "../runs/report-sums.ts";

/** Ends that are counted before they are read; the rest follows within seconds. */
const COUNTED = 2_000;

const COUNT_JOBS = statement({
  name: "count-jobs",
  text: `
    select kind, state, count(*)::integer as jobs,
      min(id::text) filter (where state = 'queued' and run_at is null and fence = 0) as oldest
    from jobs group by kind, state order by kind, state`,
});

/** The number of jobs of a kind in a state. */
export interface JobCount {
  readonly kind: string;
  readonly state: string;
  readonly jobs: number;
  /** The id of the oldest job that no process has claimed yet though it could. */
  readonly oldest: string | null;
}

const RUN_TOTALS = statement({
  name: "run-totals",
  text: `select kind, status, error_code as "errorCode", runs::double precision as runs from run_totals`,
});

/** How many runs ended in one way since the counting began. */
export interface RunTotal {
  /** The kind of their jobs. */
  readonly kind: string;
  readonly status: string;
  readonly errorCode: string;
  readonly runs: number;
}

const GATES = statement({
  name: "gate-figures",
  text: `
    select coalesce(w.provider, g.provider) as provider, coalesce(w.calls, 0)::integer as waiting,
      coalesce(g.gates, 0)::integer as closed
    from (select provider, count(*) as calls from model_gate_waits where is_waiting group by provider) w
    full join (
      select provider, count(*) as gates from model_gates where closed_until > clock_timestamp() group by provider) g
      using (provider)`,
});

/** The gates of a provider's models. */
export interface GateFigures {
  readonly provider: string;
  /** Calls that wait. */
  readonly waiting: number;
  /** Gates that let no call pass, because the provider rejected one. */
  readonly closed: number;
}

const SERVER = statement({
  name: "server-figures",
  text: `
    select
      (select age(d.datfrozenxid) from pg_database d where d.datname = current_database()) as "xidAge",
      coalesce((select extract(epoch from clock_timestamp() - min(a.xact_start)) from pg_stat_activity a
        where a.datname = current_database() and a.backend_type = 'client backend'), 0)::double precision
        as "oldestTransaction",
      pg_notification_queue_usage() as "notifyQueue",
      coalesce((select greatest(0, extract(epoch from clock_timestamp() - s.next_at)) from schedules s
        where s.next_at is not null order by s.next_at limit 1), 0)::double precision as "scheduleLateness",
      coalesce((select extract(epoch from clock_timestamp() - min(q.asked_at)) from task_questions q), 0)::double precision
        as "oldestQuestion",
      (select extract(epoch from clock_timestamp() - s.value::timestamptz) from instance_settings s
        where s.key = 'last_backup_at')::double precision as "backupAge",
      (select count(*)::integer from api_keys k where k.replaced_by is null and k.app is null and k.expires_at is not null
        and k.expires_at > now() and k.expires_at <= now() + interval '14 days') as "keysExpiring",
      (select count(*)::integer from mcp_accounts a where a.status = 'lost') as "accountsLost"`,
});

/** The state of the database; times are in seconds. */
export interface ServerFigures {
  /** The age of the oldest transaction id that is not frozen. */
  readonly xidAge: number;
  readonly oldestTransaction: number;
  /** The used part of the queue of notifications, from 0 to 1. */
  readonly notifyQueue: number;
  /** How long the most overdue schedule is due. */
  readonly scheduleLateness: number;
  /** The age of the oldest open question. */
  readonly oldestQuestion: number;
  /** Null before the first backup. */
  readonly backupAge: number | null;
  /** Keys that expire within 14 days, without those that another replaces. */
  readonly keysExpiring: number;
  /** Accounts at MCP servers that must be connected again. */
  readonly accountsLost: number;
}

/** What the database says of the whole installation. */
export interface OperatorFigures {
  readonly jobs: readonly JobCount[];
  readonly runs: readonly RunTotal[];
  readonly gates: readonly GateFigures[];
  readonly server: ServerFigures;
}

/** Counts all jobs by kind and state. */
export function countJobs(db: Queries): Promise<JobCount[]> {
  return db.query<JobCount>(COUNT_JOBS);
}

/** Counts all ended runs by kind and end. */
export function readRunTotals(db: Queries): Promise<RunTotal[]> {
  return db.query<RunTotal>(RUN_TOTALS);
}

/** Reads what the database says of the whole installation; the same in every process. */
export async function readOperatorFigures(db: Database): Promise<OperatorFigures> {
  // A database that accepts no writes still has figures.
  await countRunEnds(db, COUNTED).catch(() => 0);
  const [jobs, runs, gates, [server]] = await db.transaction((tx) =>
    Promise.all([countJobs(tx), readRunTotals(tx), tx.query<GateFigures>(GATES), tx.query<ServerFigures>(SERVER)]),
  );
  if (server === undefined) throw new Error("A query without a table gives one row.");
  return { jobs, runs, gates, server };
}
