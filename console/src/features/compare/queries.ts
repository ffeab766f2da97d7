import type { PartQuery } from "../../ui/query-part.tsx";
import { useRun, useSteps } from "../records/run-queries.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";
import type { RunRef } from "../records/comparison-search.ts";

/** A comparison follows no stream: while a run is in progress, it is read again this often. */
const REFRESH_MS = 3_000;

/** An attempt with its steps. */
export interface ComparedRun {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
}

/** Reads one side of a comparison. Its steps have digests, by which equal ones are found. */
export function useComparedRun(ref: RunRef | undefined): PartQuery<ComparedRun> {
  const head = useRun(ref?.id ?? "", ref?.attempt, { isEnabled: ref !== undefined, refreshMs: REFRESH_MS });
  const steps = useSteps(head.data, { digests: true });
  return {
    data: head.data && steps.data && { head: head.data, rows: steps.data.rows },
    error: head.error ?? steps.error,
    refetch() {
      void head.refetch();
      if (head.data !== undefined) void steps.refetch();
    },
  };
}
