import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { getRun, getRunStep, updateTeamRun } from "#client/gen/operations/runs.ts";
import { updateTask } from "#client/gen/operations/tasks.ts";
import { call } from "../../api/client.ts";
import { given } from "../../lib/given.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { readSteps, updateSteps } from "./read-steps.ts";
import type { StepsOf } from "./read-steps.ts";
import { readHead } from "./run-head.ts";
import type { RunHead, StepDetail, StepRow, Steps } from "./run-head.ts";

/**
 * A task or a team run by its id.
 * @param attempt the newest one when left out
 * @param options.isEnabled false while there is no id
 * @param options.refreshMs how often it is read again until it has ended, where nothing says that it has gone on
 */
export function useRun(
  id: string,
  attempt?: number,
  { isEnabled = true, refreshMs }: { readonly isEnabled?: boolean; readonly refreshMs?: number } = {},
) {
  return useQuery({
    queryKey: ["run", id, "head", attempt],
    enabled: isEnabled,
    queryFn: async () => readHead(await call(getRun)(given({ id, attempt }))),
    refetchInterval: ({ state: { data } }) =>
      refreshMs !== undefined && data !== undefined && !hasEnded(stateOf(data)) ? refreshMs : false,
  });
}

/**
 * The steps of an attempt. When the head has newer events or another status than they had, what has changed is read
 * again; at the end of the attempt, everything. Without a head nothing is read.
 */
export function useSteps(head: RunHead | undefined, { digests = false }: Partial<Pick<StepsOf, "digests">> = {}) {
  const { id = "", attempt = 1, seq = 0, status } = head ?? {};
  const steps = useQuery({
    queryKey: ["run-steps", id, attempt, digests],
    queryFn:
      head === undefined
        ? skipToken
        : async ({ client, queryKey }) => {
            const of = { id, attempt, digests };
            const known = hasEnded(stateOf(head)) ? undefined : client.getQueryData<Steps>(queryKey);
            return { ...(await (known === undefined ? readSteps(of) : updateSteps(of, known))), status };
          },
    staleTime: Infinity,
  });
  const { data, refetch } = steps;
  useEffect(() => {
    const isBehind = data !== undefined && (data.seq < seq || data.status !== status);
    // What is being read may be behind as well: then it is read once more.
    if (isBehind) void refetch({ cancelRefetch: false });
  }, [data, seq, status, refetch]);
  return steps;
}

/** Whether a step is the open question, which the head holds: it has no record until it is answered. */
export function isOpenQuestion({ kind, status }: StepRow): boolean {
  return kind === "question" && status === "waiting";
}

/** Whether a step is a model call in progress: it is recorded when it has ended. */
export function isOpenModelCall({ kind, status }: StepRow): boolean {
  return kind === "model" && status === "running";
}

function stepQuery(head: RunHead, row: StepRow | undefined) {
  const { id, attempt } = head;
  return queryOptions<StepDetail>({
    // A step that has ended does not change any more.
    queryKey: ["run-step", id, attempt, row?.key, row?.status, row?.ended_at],
    queryFn: row === undefined || !hasRecord(row) ? skipToken : () => call(getRunStep)({ id, attempt, key: row.key }),
    staleTime: Infinity,
  });
}

/** Whether more is known of a step than its row: not of the open question, nor of a model call in progress. */
function hasRecord(row: StepRow): boolean {
  return !isOpenQuestion(row) && !isOpenModelCall(row);
}

/** A step in full; nothing without one, and while it has no record. */
export function useStep(head: RunHead, row: StepRow | undefined) {
  return useQuery(stepQuery(head, row));
}

/** The pointer rests on a row that it may open; rows that scroll below it change faster. */
const RESTS_MS = 150;

/** Fetches a step before it is opened, once the pointer rests on it. */
export function usePrefetchStep(head: RunHead): (row: StepRow) => void {
  const client = useQueryClient();
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (row) => {
    clearTimeout(resting.current);
    if (hasRecord(row)) resting.current = setTimeout(() => void client.prefetchQuery(stepQuery(head, row)), RESTS_MS);
  };
}

/** Stops a run, or runs what has ended once more. */
export function useSetRunStatus({ kind, id }: Pick<RunHead, "kind" | "id">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: "cancel" | "again") => {
      const query = { id };
      if (kind === "task") {
        const status = action === "cancel" ? "cancelled" : "dispatched";
        await call(updateTask)(query, { status });
      } else {
        const status = action === "cancel" ? "cancelled" : "pending";
        await call(updateTeamRun)(query, { status });
      }
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["run", id] });
      void client.invalidateQueries({ queryKey: ["runs"] });
    },
  });
}
