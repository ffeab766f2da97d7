import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";

/** As many as a list gives at once. */
const LIMIT = 100;

/** The agents of the workspace, newest first. */
export function useAgents() {
  return useQuery({
    queryKey: ["agents"],
    queryFn: () => fetchJson<readonly components["schemas"]["Agent"][]>(`/functions/v1/api-agents?limit=${LIMIT}`),
  });
}

/** The teams of the workspace, newest first. */
export function useTeams() {
  return useQuery({
    queryKey: ["teams"],
    queryFn: () => fetchJson<readonly components["schemas"]["Team"][]>(`/functions/v1/api-teams?limit=${LIMIT}`),
  });
}
