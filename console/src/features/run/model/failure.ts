import type { StepRow } from "../../records/run-head.ts";
import { OPEN_BRANCHES, isModelCall } from "./tree.ts";

/** The call at which a run failed: the newest call that failed for good, else the newest failed step, else the last. */
export function failedCall(rows: readonly StepRow[], code: string | null): StepRow | undefined {
  const failed = rows.filter(({ status }) => status === "failed");
  const calls = failed.filter((row) => isModelCall(row) || (code !== null && row.error_code === code));
  return newest(calls) ?? newest(failed) ?? newest(rows);
}

/** The step at which a run failed: the call, or the fan-out of many branches of which several failed. */
export function failedStep(rows: readonly StepRow[], code: string | null): StepRow | undefined {
  const call = failedCall(rows, code);
  const wide = wideFanOut(rows, call);
  return wide !== undefined && causesOf(rows, wide).length > 0 ? wide : call;
}

/** Why branches failed, and how many for the same reason. */
export interface Cause {
  readonly message: string;
  readonly branches: number;
}

/** Why several branches of a fan-out failed, the most frequent reason first; empty when one or none failed. */
export function causesOf(rows: readonly StepRow[], { key }: StepRow): readonly Cause[] {
  const failed = rows.filter(({ kind, parent, status }) => kind === "branch" && parent === key && status === "failed");
  if (failed.length < 2) return [];
  const byMessage = Map.groupBy(failed, (branch) => {
    const call = failedCall(
      rows.filter(({ parent }) => parent === branch.key),
      null,
    );
    return call?.error ?? branch.error_code ?? "It has no result.";
  });
  const causes = [...byMessage].map(([message, { length }]) => ({ message, branches: length }));
  return causes.toSorted((a, b) => b.branches - a.branches);
}

/** The step that ended last, as one follows a run to its end. */
export function lastEndedStep(rows: readonly StepRow[]): StepRow | undefined {
  return newest(rows.filter((row) => isModelCall(row) || row.kind === "tool"));
}

function newest(rows: readonly StepRow[]): StepRow | undefined {
  return rows.toSorted((a, b) => endOf(a) - endOf(b)).at(-1);
}

function endOf({ ended_at: to, started_at: from }: StepRow): number {
  return to ?? from ?? 0;
}

/** The newest step that runs or waits, as one follows a run. */
export function newestOpenStep(rows: readonly StepRow[]): StepRow | undefined {
  const open = rows.filter(
    ({ status, kind }) =>
      (status === "running" || status === "waiting") && ["model", "tool", "question"].includes(kind),
  );
  return open.toSorted((a, b) => (a.started_at ?? 0) - (b.started_at ?? 0)).at(-1);
}

/** The step that is selected while one follows a run: the newest open one, or the fan-out that keeps it in one row. */
export function followedStep(rows: readonly StepRow[]): StepRow | undefined {
  const step = newestOpenStep(rows);
  return wideFanOut(rows, step) ?? step;
}

/** The fan-out that a step is in, if it has so many branches that it is closed by default. */
function wideFanOut(rows: readonly StepRow[], step: StepRow | undefined): StepRow | undefined {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (let at = step; at?.parent !== undefined; at = byKey.get(at.parent)) {
    const { parent, kind } = at;
    if (kind !== "branch") continue;
    const branches = rows.filter((row) => row.kind === "branch" && row.parent === parent).length;
    return branches > OPEN_BRANCHES ? byKey.get(parent) : undefined;
  }
  return undefined;
}
