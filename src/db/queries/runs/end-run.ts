import type { RunKind } from "#domain/runs/run-kind.ts";
import type { RunErrorCode } from "#domain/streams/stream-event.ts";
import type { Transaction } from "../../database.ts";
import { LEFT_JOB, recordExecutions } from "../queue/job-owner.ts";
import { statement } from "../../statement.ts";
import { COST } from "./cost.ts";
import { WHOLE_RUN } from "./whole-run.ts";

// The job is deleted with the end, so from now on no execution appends to the log, and open messages can be closed.
const END = statement({
  name: "end-run",
  narrows: ["kind"],
  text: `
    with ended as (
      update runs r set status = $2, error = $3, error_code = $4, cost_usd = ${COST}, interaction = null,
        cancelled_by = case when $2 = 'cancelled' then current_user_id() end,
        completed_at = clock_timestamp(), updated_at = clock_timestamp()
      where r.id = ${WHOLE_RUN} and r.attempt = (select named.attempt from runs named where named.id = $1)
        and r.status not in ('completed', 'failed', 'cancelled')
      returning r.id, r.kind, r.attempt
    ),
    gone as (
      delete from jobs j using ended e where j.subject_id = e.id and j.attempt = e.attempt
      returning j.id, j.executor_id, ${LEFT_JOB}
    ),
    execution as (${recordExecutions("(select * from gone where executor_id is not null)", "'finished'")}),
    told as (select pg_notify('muster_cancel', id::text) from gone where executor_id is not null)
    select e.id, e.kind, e.attempt, (select count(*) from told)::integer as told from ended e`,
});

/** A run that was ended from outside its execution. */
export interface EndedRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly attempt: number;
}

/** How a run ends from outside its execution. */
export type OuterEnd =
  | { readonly status: "cancelled" }
  | { readonly status: "failed"; readonly error: string; readonly errorCode: RunErrorCode };

/**
 * Ends a run that the caller has locked, a team's task together with its team run; the process that runs it is notified
 * at commit. Returns what has ended, whose logs are to be closed; nothing for a run that had ended.
 */
export function endRun(tx: Transaction, runId: string, end: OuterEnd): Promise<EndedRun[]> {
  const { error, errorCode } = end.status === "failed" ? end : { error: null, errorCode: "CANCELLED" };
  return tx.query<EndedRun>(END, [runId, end.status, error, errorCode]);
}
