import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-model-wait",
  narrows: ["reason"],
  text: `
    select w.provider, w.model, w.reason, iso(w.until) as until, w.ahead, iso(w.since) as since
    from jobs j join model_gate_waits w on w.job_id = j.id
    where j.subject_id = $1 and j.attempt = $2 and w.is_waiting
    order by w.until limit 1`,
});

/** A wait of a run for the rate limit of a model. */
export interface ModelWait {
  readonly provider: string;
  readonly model: string;
  /** `closed` after a rejection by the provider; `limit` while other calls use up the limit. */
  readonly reason: string;
  /** When the call is made, about. */
  readonly until: string;
  /** Calls before it. */
  readonly ahead: number;
  readonly since: string;
}

/** The next of an attempt's model calls that wait for a rate limit. @param logId the id of the task or its team run */
export async function readModelWait(tx: Transaction, logId: string, attempt: number): Promise<ModelWait | undefined> {
  const [row] = await tx.query<ModelWait>(READ, [logId, attempt]);
  return row;
}
