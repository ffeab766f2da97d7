import { useQuery } from "@tanstack/react-query";
import { useRun } from "../run/queries.ts";
import { readSteps } from "../run/read-steps.ts";
import type { RunHead, StepRow } from "../run/records.ts";
import type { RunRef } from "./search.ts";

/** An attempt with its steps. */
export interface ComparedRun {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
}

/** Reads one side of a comparison. Its steps have digests, by which equal ones are found. */
export function useComparedRun(ref: RunRef | undefined): {
  readonly run: ComparedRun | undefined;
  readonly error: Error | null;
  readonly refetch: () => void;
} {
  const head = useRun(ref?.id ?? "", ref?.attempt, ref !== undefined);
  const attempt = head.data?.attempt;
  const steps = useQuery({
    queryKey: ["run", ref?.id, "digests", attempt],
    queryFn: () => readSteps(ref?.id ?? "", attempt ?? 1, { digests: true }),
    enabled: ref !== undefined && attempt !== undefined,
  });
  return {
    run: head.data && steps.data && { head: head.data, rows: steps.data.rows },
    error: head.error ?? steps.error,
    refetch() {
      void head.refetch();
      void steps.refetch();
    },
  };
}
