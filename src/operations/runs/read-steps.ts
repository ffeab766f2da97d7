import { invalid } from "#domain/invalid.ts";
import { listSteps } from "#domain/runs/list-steps.ts";
import { stepDigest } from "#domain/runs/step-digest.ts";
import type { StepRow } from "#domain/runs/step-row.ts";
import type { Transaction } from "#db/database.ts";
import { readContents } from "#db/queries/runs/step-records.ts";
import type { AttemptKey } from "#db/queries/runs/step-records.ts";
import { readStreamHeadIn } from "#db/queries/streams/task-events.ts";
import { locate, logIdOf, recordedAttempt } from "./attempts.ts";
import type { AttemptQuery } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** The steps to list. */
export interface StepsQuery extends AttemptQuery {
  /** Only steps after the one with this key. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Leaves out the steps that ended before this time, in Unix milliseconds. */
  readonly endedSince?: number | undefined;
  /** Whether to add digests, which allow two runs to be compared. */
  readonly digests?: boolean | undefined;
}

/** A page of a run's steps. */
export interface StepsPage {
  readonly run_id: string;
  readonly log_id: string;
  readonly attempt: number;
  /** The number of the newest event in the log, after which a stream reader continues; 0 for an empty log. */
  readonly seq: number;
  readonly steps: readonly StepRow[];
  /** How many steps the attempt has, with those that are left out. */
  readonly count: number;
  /** The position of each of the steps among all, from 0, when some are left out. */
  readonly places?: readonly number[];
  /** The key to send as `after` for the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Lists the steps of a run's attempt. @throws AppError `not_found`; `bad_request` when there is no step with the key
 * `after`.
 */
export function readRunSteps(workspace: Workspace, query: StepsQuery): Promise<StepsPage> {
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, query);
    const logId = logIdOf(run);
    // Read before the steps: readers may see an event twice, but never miss one.
    const head = await readStreamHeadIn(tx, logId);
    const all = listSteps(await recordedAttempt(tx, run));
    const { endedSince: since } = query;
    const listed = since === undefined ? all : all.filter((row) => isOpen(row) || (row.ended_at ?? since) >= since);
    const start = startOf(listed, query.after);
    const page = listed.slice(start, start + query.limit);
    const steps = query.digests === true ? await withDigests(tx, { logId, attempt: run.attempt }, page) : page;
    const hasMore = listed.length > start + query.limit;
    return {
      run_id: run.id,
      log_id: logId,
      attempt: run.attempt,
      seq: head?.last_seq ?? 0,
      steps,
      count: all.length,
      ...(since !== undefined && { places: placesOf(page, all) }),
      next: hasMore ? (steps.at(-1)?.key ?? null) : null,
    };
  });
}

function isOpen({ status }: StepRow): boolean {
  return status === "running" || status === "waiting";
}

function placesOf(page: readonly StepRow[], all: readonly StepRow[]): readonly number[] {
  const places = new Map(all.map((row, place) => [row, place]));
  return page.flatMap((row) => places.get(row) ?? []);
}

async function withDigests(tx: Transaction, attempt: AttemptKey, page: readonly StepRow[]): Promise<StepRow[]> {
  const keys = page.map(({ key }) => key);
  const contents = await readContents(tx, attempt, keys);
  const digests = new Map(contents.map(({ key, request, result }) => [key, stepDigest(request, result)]));
  return page.map((row) => {
    const digest = digests.get(row.key);
    return digest === undefined ? row : { ...row, digest };
  });
}

function startOf(steps: readonly StepRow[], after: string | undefined): number {
  if (after === undefined) return 0;
  const index = steps.findIndex(({ key }) => key === after);
  if (index === -1) throw invalid("query", [{ path: "after", message: "the attempt has no step with this key" }]);
  return index + 1;
}
