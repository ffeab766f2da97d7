import { useQuery } from "@tanstack/react-query";
import { getGoldenGate, getGoldenRun, listGoldenCases, listGoldenRuns } from "#client/gen/operations/golden-runs.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../../api/client.ts";
import { every } from "../../../api/query-client.ts";

/** A golden case, a golden run with its results, and one of these results. */
export type GoldenCase = components["schemas"]["GoldenCase"];
export type GoldenRun = components["schemas"]["GoldenRunDetails"];
export type GoldenResult = GoldenRun["results"][number];

const REFRESH_MS = 1_000;

/** The golden cases of an agent, newest first. */
export function useGoldenCases(id: string) {
  return useQuery({ queryKey: ["golden", id, "cases"], queryFn: () => call(listGoldenCases)({ id }) });
}

/** The golden runs of an agent, newest first. */
export function useGoldenRuns(id: string) {
  return useQuery({ queryKey: ["golden", id, "runs"], queryFn: () => call(listGoldenRuns)({ id }) });
}

/** One golden run, as it goes on. */
export function useGoldenRun(agentId: string, id: string) {
  return useQuery({
    queryKey: ["golden", agentId, "run", id],
    queryFn: () => call(getGoldenRun)({ id }),
    refetchInterval: (query) => query.state.data?.status === "running" && every(REFRESH_MS)(query),
  });
}

/** What a change of an agent must pass. */
export function useGoldenGate(id: string) {
  return useQuery({ queryKey: ["golden", id, "gate"], queryFn: () => call(getGoldenGate)({ id }) });
}
