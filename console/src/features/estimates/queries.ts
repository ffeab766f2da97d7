import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { estimateRun, getRunOutlook } from "#client/gen/operations/runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { readPicked } from "../pickers/records.ts";

/** What a run will cost, by the runs before it. */
export type RunEstimate = components["schemas"]["RunEstimate"];

/** Limits of a run; null where there is none. */
export interface Cap {
  readonly max_usd: number | null;
  readonly max_tokens: number | null;
}

/**
 * The estimate of a run.
 * @param whose an agent or a team as `pickedValue` writes it; empty for any of the workspace, undefined to ask nothing
 * @param cap limits whose share of stopped runs is wanted
 */
export function useEstimate(whose: string | undefined, cap?: Cap): RunEstimate | undefined {
  const picked = readPicked(whose ?? "");
  const query = {
    ...(picked?.kind === "agent" && { agent_id: picked.id }),
    ...(picked?.kind === "team" && { team_id: picked.id }),
    ...(cap?.max_usd != null && { max_usd: cap.max_usd }),
    ...(cap?.max_tokens != null && { max_tokens: cap.max_tokens }),
  };
  return useQuery({
    queryKey: ["estimates", query],
    queryFn: () => call(estimateRun)(query),
    enabled: whose !== undefined,
    placeholderData: keepPreviousData,
  }).data;
}

/** What a run has cost, and what going on will cost. */
export function useOutlook(runId: string) {
  return useQuery({ queryKey: ["estimates", "run", runId], queryFn: () => call(getRunOutlook)({ id: runId }) }).data;
}
