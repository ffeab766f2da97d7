import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { listSteps } from "#domain/runs/list-steps.ts";
import { stepDigest } from "#domain/runs/step-digest.ts";
import type { StepRow } from "#domain/runs/step-row.ts";
import type { Transaction } from "#db/database.ts";
import { readContents } from "#db/queries/runs/step-records.ts";
import type { AttemptKey } from "#db/queries/runs/step-records.ts";
import { readStreamHeadIn } from "#db/queries/streams/task-events.ts";
import type { Services } from "../context.ts";
import { locate, logIdOf, recordedAttempt } from "./attempts.ts";
import type { AttemptQuery } from "./attempts.ts";

/** Which steps to list. */
export interface StepsQuery extends AttemptQuery {
  /** Only those behind the step of this key. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Whether steps have digests, by which two runs are compared. */
  readonly digests?: boolean | undefined;
}

/** A page of a run's steps. */
export interface StepsPage {
  readonly run_id: string;
  readonly log_id: string;
  readonly attempt: number;
  /** The number of the newest event in the log, behind which a reader of the stream continues; 0 when there is none. */
  readonly seq: number;
  readonly steps: readonly StepRow[];
  /** The key to give as `after` for the next page; null on the last one. */
  readonly next: string | null;
}

/** Lists the steps of a run's attempt. @throws AppError `not_found`; `bad_request` when there is no step to go on behind. */
export function readRunSteps({ db }: Services, who: Principal, query: StepsQuery): Promise<StepsPage> {
  return db.inWorkspace(who, async (tx) => {
    const run = await locate(tx, query);
    const logId = logIdOf(run);
    // Read before the steps: an event is told twice rather than missed.
    const head = await readStreamHeadIn(tx, logId);
    const all = listSteps(await recordedAttempt(tx, run));
    const start = startOf(all, query.after);
    const page = all.slice(start, start + query.limit);
    const digests = query.digests === true ? await readDigests(tx, { logId, attempt: run.attempt }) : undefined;
    const steps = digests === undefined ? page : page.map((row) => withDigest(row, digests.get(row.key)));
    const hasMore = all.length > start + query.limit;
    return {
      run_id: run.id,
      log_id: logId,
      attempt: run.attempt,
      seq: head?.last_seq ?? 0,
      steps,
      next: hasMore ? (steps.at(-1)?.key ?? null) : null,
    };
  });
}

async function readDigests(tx: Transaction, attempt: AttemptKey): Promise<ReadonlyMap<string, string>> {
  const contents = await readContents(tx, attempt);
  return new Map(contents.map(({ key, request, result }) => [key, stepDigest(request, result)]));
}

function withDigest(row: StepRow, digest: string | undefined): StepRow {
  return digest === undefined ? row : { ...row, digest };
}

function startOf(steps: readonly StepRow[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = steps.findIndex(({ key }) => key === after);
  if (index === -1) throw new AppError("bad_request", "after: the attempt has no step of this key");
  return index + 1;
}
