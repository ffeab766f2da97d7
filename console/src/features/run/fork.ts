import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { forkRun, retryRun } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { useWorkspace } from "../../api/use-session.ts";
import type { RunHead } from "../records/run-head.ts";

/** What a fork changes at its first step. */
export interface ForkChanges {
  readonly prompt?: string;
  readonly model?: string;
  /** A text replaces the output of the step, an object the answer to a question in it. */
  readonly answer?: string | Readonly<Record<string, unknown>>;
  /** The key of the question whose answer is changed. */
  readonly question?: string;
}

/** Starts a run that reuses the steps of this attempt before a given one, and opens it. */
export function useFork({ id, attempt }: Pick<RunHead, "id" | "attempt">) {
  return useStart((body: { readonly from_step: number; readonly changes?: ForkChanges }) =>
    call(forkRun)({ id }, { ...body, attempt }),
  );
}

/** Continues what has failed or was cancelled, in a new run, from the step at which it ended. */
export function useRetry(id: string) {
  return useStart(() => call(retryRun)({ id }));
}

function useStart<T>(start: (input: T) => Promise<{ readonly id: string }>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  return useMutation({
    mutationFn: start,
    async onSuccess({ id }) {
      void client.invalidateQueries({ queryKey: ["runs"] });
      await navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id } });
    },
  });
}
