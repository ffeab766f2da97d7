import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";
import { LEFT_JOB, recordExecutions } from "./job-owner.ts";
import type { JobOwner } from "./job-owner.ts";

/** A model call of a run that is about to be made. */
export interface GateCall {
  /** The digest of the connection and the model. */
  readonly gate: string;
  readonly provider: string;
  readonly model: string;
  readonly workspaceId: string;
  readonly jobId: string;
  /** The key of the step that makes it. */
  readonly step: string;
  /** The tokens that it may use. */
  readonly tokens: number;
}

/** What a provider said of its limits, per minute, with its response to a call. */
export interface ToldLimits {
  /** The number of that call; absent for one made before limits mattered. */
  readonly by?: number;
  /** Without a number: the calls that were in progress besides it. */
  readonly unanswered?: number;
  readonly requests?: number;
  readonly requestsLeft?: number;
  readonly requestsFullInMs?: number;
  readonly tokens?: number;
  readonly tokensLeft?: number;
  readonly tokensFullInMs?: number;
}

const PASS = statement({
  name: "pass-gate",
  text: `
    select passed::double precision as passed, until, wait_ms as "waitMs", ahead, reason, rejections,
      has_waited as "hasWaited", is_calm as "isCalm", a_minute as "aMinute"
    from pass_gate($1, $2)`,
});

/** Whether a call may be made now. */
export interface GateVerdict {
  /** Its number, if it may. */
  readonly passed: number | null;
  /** When it may ask again, if not, and in how many milliseconds. */
  readonly until: Date | null;
  readonly waitMs: number | null;
  /** The calls before it. */
  readonly ahead: number;
  /** `closed` after a rejection; `limit` while others use up the limit. */
  readonly reason: string | null;
  /** How often the provider rejected this call. */
  readonly rejections: number;
  /** Whether it waited before. */
  readonly hasWaited: boolean;
  /** Whether nothing waits, and the limits are far: then processes need not ask. */
  readonly isCalm: boolean;
  /** The requests a minute; null when they are not known. */
  readonly aMinute: number | null;
}

/** Lets a call pass its gate, or gives it a place before it. @param told the newest limits, unless already passed on */
export async function passGate(db: Database, call: GateCall, told: ToldLimits | undefined): Promise<GateVerdict> {
  const [row] = await db.query<GateVerdict>(PASS, [
    JSON.stringify(call),
    told === undefined ? null : JSON.stringify(told),
  ]);
  if (row === undefined) throw new Error("The function returns one row.");
  return row;
}

const CLOSE = statement({ name: "close-gate", text: "select rejections from close_gate($1, $2, $3, $4)" });

/** A rejection of a call because of limits. */
export interface Rejection {
  readonly closedMs: number;
  readonly told: ToldLimits | undefined;
  /** The calls that this process made in the minute before it. */
  readonly inLastMinute: number;
}

/** Closes a gate for all processes after a rejection; returns how often this call was rejected. */
export async function closeGate(
  db: Database,
  call: GateCall,
  { closedMs, told, inLastMinute }: Rejection,
): Promise<number> {
  const values = [JSON.stringify(call), told === undefined ? null : JSON.stringify(told), closedMs, inLastMinute];
  const [row] = await db.query<{ rejections: number | null }>(CLOSE, values);
  return row?.rejections ?? 1;
}

const ANNOUNCE_BREAKER = statement({
  name: "announce-breaker",
  text: "select pg_notify('muster_breakers', $1 || ' ' || current_setting('application_name'))",
});

/** Tells other processes that the model of a gate has failed too often. */
export async function announceBreaker(db: Database, gate: string): Promise<void> {
  await db.query(ANNOUNCE_BREAKER, [gate]);
}

// The run is locked before its job, as everywhere.
const HOLD = statement({
  name: "hold-at-gate",
  text: `
    with i as (
      select j.id, j.subject_id from jobs j where j.id = $1 and j.executor_id = $2 and j.fence = $3
    ),
    run as (
      update runs r set waited = r.waited + $4 * interval '1 ms' from i where r.id = i.subject_id returning r.id
    ),
    held as (
      update jobs j set state = 'queued', executor_id = null,
        run_at = clock_timestamp() + $4 * interval '1 ms'
      from run
      where j.subject_id = run.id and j.id = $1 and j.executor_id = $2 and j.fence = $3
      returning ${LEFT_JOB}
    )
    ${recordExecutions("held", "'waiting'")}`,
});

/** Queues the job of an execution that waits at a gate for a later time; that time does not count for its limit. */
export async function holdAtGate(db: Database, { jobId, executorId, fence }: JobOwner, waitMs: number): Promise<void> {
  await db.query(HOLD, [jobId, executorId, fence, Math.max(waitMs, 1)]);
}

const DELETE_OLD = statement({
  name: "delete-old-gates",
  text: `
    with ended as (
      delete from model_gate_waits w where not exists (select from jobs j where j.id = w.job_id)
    )
    delete from model_gates g where g.changed_at < $1`,
});

/** Deletes the waits of ended jobs, and what is known of gates that no call has passed since a time. */
export async function deleteOldGates(db: Database, before: Date): Promise<void> {
  await db.query(DELETE_OLD, [before]);
}
