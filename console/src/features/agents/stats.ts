import { useQueries, useQuery } from "@tanstack/react-query";
import { getAgentStats, listAgentStats } from "#client/gen/operations/agents.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";

/** How an agent did in the last 7 days. */
export type AgentStats = components["schemas"]["AgentStats"];
/** How an agent did, day by day. */
export type AgentPeriod = components["schemas"]["AgentPeriod"];

/** Agents of one request. */
const CHUNK = 100;
const STALE_MS = 30_000;

/** The last 7 days of these agents by their ids; those that are not read yet are absent. */
export function useStats(ids: readonly string[]): ReadonlyMap<string, AgentStats> {
  const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, n) => ids.slice(n * CHUNK, (n + 1) * CHUNK));
  return useQueries({
    queries: chunks.map((id) => ({
      queryKey: ["agent-stats", ...id],
      queryFn: () => call(listAgentStats)({ id }),
      staleTime: STALE_MS,
    })),
    combine: (results) => new Map(results.flatMap(({ data = [] }) => data.map((one) => [one.agent_id, one] as const))),
  });
}

/** The URL of the days of an agent. */
export function agentStatsPath(id: string): string {
  return `/console/api/agents/${id}/stats`;
}

/** The last 7 days of an agent, day by day. */
export function useAgentPeriod(id: string) {
  return useQuery({
    queryKey: ["agent", id, "stats"],
    queryFn: () => call(getAgentStats)({ id }),
    staleTime: STALE_MS,
  });
}
