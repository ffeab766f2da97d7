import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { Agent, AgentVersion, AgentVersionDiff } from "./records.ts";
import type { AgentsSearch } from "./search.ts";

/** The maximum page size. */
const LIMIT = 100;

/** The URL of the list of agents with these filters. */
export function agentsPath(search: AgentsSearch): string {
  return `/functions/v1/api-agents${stringifySearch({ ...search, limit: LIMIT })}`;
}

/** The agents that match the filters, in pages, newest first. */
export function useAgentList(search: AgentsSearch) {
  return usePages<Agent>(["agents", "list"], agentsPath(search));
}

/** One agent. */
export function useAgent(id: string) {
  return useQuery({
    queryKey: ["agent", id],
    queryFn: () => fetchJson<Agent>(`/functions/v1/api-agents?id=${id}`),
  });
}

/** All versions of an agent, newest first. */
export function useVersions(id: string) {
  return useQuery({
    queryKey: ["agent", id, "versions"],
    queryFn: () => readAll<AgentVersion>(`/console/api/agents/${id}/versions`),
  });
}

/** How a version differs from an earlier one. */
export function useVersionDiff(id: string, version: number, against: number) {
  return useQuery({
    queryKey: ["agent", id, "diff", version, against],
    queryFn: () => fetchJson<AgentVersionDiff>(`/console/api/agents/${id}/versions/${version}/diff?against=${against}`),
    placeholderData: keepPreviousData,
    enabled: version > 1,
  });
}
