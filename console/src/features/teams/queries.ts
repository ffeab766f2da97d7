import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, finish } from "../../api/client.ts";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { TeamDesign } from "./draft.ts";
import type { TeamsSearch } from "./search.ts";

/** A team with its members and its config. */
export type Team = components["schemas"]["Team"];
/** What a team remembers of a run. */
export type TeamMemory = components["schemas"]["TeamMemory"];

/** The URL of the list with these filters. */
export function teamsPath({ q, mode }: TeamsSearch): string {
  return `/functions/v1/api-teams${stringifySearch({ q, mode })}`;
}

/** The URL of one team. */
export function teamPath(id: string): string {
  return `/functions/v1/api-teams?id=${id}`;
}

/** The teams with these filters, newest first. */
export function useTeamPages(search: TeamsSearch) {
  return usePages<Team>(["teams"], teamsPath(search));
}

/** One team. */
export function useTeam(id: string) {
  return useQuery(teamQuery(id));
}

function teamQuery(id: string) {
  return { queryKey: ["teams", "one", id], queryFn: () => fetchJson<Team>(teamPath(id)) };
}

/** What a team remembers, the newest run first. */
export function useMemories(teamId: string) {
  return usePages<TeamMemory>(["team-memories"], `/console/api/teams/${teamId}/memories`);
}

/** Whether a team names no agent: then it cannot run. */
export function isDraft({ members }: Team): boolean {
  return members.length === 0;
}

/** Changes to teams; what is shown of them is read again afterwards. */
export function useTeamActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ["teams"] });
  return {
    async create(body: Partial<TeamDesign>): Promise<Team> {
      const team = await fetchJson<Team>("/functions/v1/api-teams", jsonRequest("POST", body));
      await refresh();
      return team;
    },
    /** Reads a team again; what is shown of it is updated. */
    reread: (id: string): Promise<Team> => client.fetchQuery({ ...teamQuery(id), staleTime: 0 }),
    async save(id: string, body: TeamDesign): Promise<Team> {
      const team = await fetchJson<Team>(teamPath(id), jsonRequest("PATCH", body));
      client.setQueryData(["teams", "one", id], team);
      await refresh();
      return team;
    },
    async remove(id: string): Promise<void> {
      await finish(api.DELETE("/functions/v1/api-teams", { params: { query: { id } } }));
      client.removeQueries({ queryKey: ["teams", "one", id] });
      await refresh();
    },
    async deleteMemories(id: string, memoryId?: string): Promise<void> {
      const path = { id };
      await finish(
        memoryId === undefined
          ? api.DELETE("/console/api/teams/{id}/memories", { params: { path } })
          : api.DELETE("/console/api/teams/{id}/memories/{memory_id}", {
              params: { path: { ...path, memory_id: memoryId } },
            }),
      );
      await client.invalidateQueries({ queryKey: ["team-memories"] });
    },
  };
}

/** A config is whatever the person wrote, so the server's schema cannot type it. */
function jsonRequest(method: "POST" | "PATCH", body: object): RequestInit {
  return { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
}
