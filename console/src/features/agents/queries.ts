import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { diffAgentVersions, listAgentVersions } from "#client/gen/operations/agent-versions.ts";
import { getAgent, listAgents } from "#client/gen/operations/agents.ts";
import { call } from "../../api/client.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { AgentsSearch } from "./search.ts";

/** The maximum page size. */
const LIMIT = 100;

/** The URL of the list of agents with these filters. */
export function agentsPath(search: AgentsSearch): string {
  return `/functions/v1/api-agents${stringifySearch(agentsQuery(search))}`;
}

function agentsQuery(search: AgentsSearch) {
  return given({ ...search, limit: LIMIT });
}

/** The agents that match the filters, in pages, newest first. */
export function useAgentList(search: AgentsSearch) {
  return usePages(["agents", "list"], [listAgents, agentsQuery(search)]);
}

/** One agent. */
export function useAgent(id: string) {
  return useQuery({
    queryKey: ["agent", id],
    queryFn: () => call(getAgent)({ id }),
  });
}

/** All versions of an agent, newest first. */
export function useVersions(id: string) {
  return useQuery({
    queryKey: ["agent", id, "versions"],
    queryFn: () => readAll(listAgentVersions, { id }),
  });
}

/** How a version differs from an earlier one. */
export function useVersionDiff(id: string, version: number, against: number) {
  return useQuery({
    queryKey: ["agent", id, "diff", version, against],
    queryFn: () => call(diffAgentVersions)({ id, version, against }),
    placeholderData: keepPreviousData,
    enabled: version > 1,
  });
}
