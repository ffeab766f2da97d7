import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { Agent, AgentVersion, AgentVersionDiff } from "./records.ts";
import type { AgentsSearch } from "./search.ts";

/** As many as a list gives at once. */
const LIMIT = 100;
const VERSIONS = 100;

/** The agents of the workspace, newest first. */
export function useAgents(isEnabled = true) {
  return useQuery({
    queryKey: ["agents"],
    enabled: isEnabled,
    queryFn: () => fetchJson<readonly Agent[]>(`/functions/v1/api-agents?limit=${LIMIT}`),
  });
}

/** The address of the list of agents with these filters. */
export function agentsPath(search: AgentsSearch): string {
  return `/functions/v1/api-agents${stringifySearch({ ...search, limit: LIMIT })}`;
}

/** The agents that fit the filters, page by page, newest first. */
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

/** The newest versions of an agent, newest first. */
export function useVersions(id: string) {
  return useQuery({
    queryKey: ["agent", id, "versions"],
    queryFn: () => fetchJson<readonly AgentVersion[]>(`/console/api/agents/${id}/versions?limit=${VERSIONS}`),
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

/** The teams of the workspace, newest first. */
export function useTeams(isEnabled = true) {
  return useQuery({
    queryKey: ["teams"],
    enabled: isEnabled,
    queryFn: () => fetchJson<readonly components["schemas"]["Team"][]>(`/functions/v1/api-teams?limit=${LIMIT}`),
  });
}
