import { listRunSteps } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { given } from "../../lib/given.ts";
import type { StepRow, Steps } from "./run-head.ts";

/** A step is recorded a moment after it has ended: those of this time before the newest one are read once more. */
const OVERLAP_MS = 10_000;

/** Which steps are read, and how. */
export interface StepsOf {
  /** The id of a run. */
  readonly id: string;
  readonly attempt: number;
  /** With digests, by which equal steps of two runs are found. */
  readonly digests: boolean;
}

/** Reads all steps of an attempt, page by page. */
export async function readSteps(of: StepsOf): Promise<Steps> {
  const { seq, rows } = await readPages(of);
  return { attempt: of.attempt, seq, rows };
}

/** Reads the steps that were open when they were read last, or have ended since; all when that does not add up. */
export async function updateSteps(of: StepsOf, { attempt, rows }: Steps): Promise<Steps> {
  const newest = rows.reduce((time, { ended_at: at = 0 }) => Math.max(time, at), 0);
  const since = Math.max(newest - OVERLAP_MS, 0);
  const changed = await readPages(of, since);
  const kept = rows.filter((row) => !isOpen(row) && (row.ended_at ?? since) < since);
  if (kept.length + changed.rows.length !== changed.count) return readSteps(of);
  for (const [index, row] of changed.rows.entries()) kept.splice(changed.places[index] ?? kept.length, 0, row);
  return { attempt, seq: changed.seq, rows: kept };
}

function isOpen({ status }: StepRow): boolean {
  return status === "running" || status === "waiting";
}

interface Pages extends Steps {
  /** How many steps there are. */
  readonly count: number;
  /** Where each of those that were read is among them. */
  readonly places: readonly number[];
}

async function readPages({ id, attempt, digests }: StepsOf, endedSince?: number): Promise<Pages> {
  const query = given({ id, attempt, digests: digests ? "true" : undefined, ended_since: endedSince });
  const rows: StepRow[] = [];
  const places: number[] = [];
  let seq = Infinity;
  let after: string | undefined;
  for (;;) {
    const page = await call(listRunSteps)(given({ ...query, after }));
    rows.push(...page.steps);
    places.push(...(page.places ?? []));
    // What changes while pages are read may be missing in the first ones: the steps are as old as these.
    seq = Math.min(seq, page.seq);
    if (page.next === null) return { attempt, seq, rows, count: page.count, places };
    after = page.next;
  }
}
