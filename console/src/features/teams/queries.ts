import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  createTeam,
  deleteTeam,
  deleteTeamMemories,
  deleteTeamMemory,
  getTeam,
  listTeamMemories,
  listTeams,
  updateTeam,
} from "#client/gen/operations/teams.ts";
import type { Body } from "#client/operation-types.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { TeamDesign } from "./draft.ts";
import type { TeamsSearch } from "./search.ts";

/** A team with its members and its config. */
export type Team = components["schemas"]["Team"];
/** What a team remembers of a run. */
export type TeamMemory = components["schemas"]["TeamMemory"];

/** The URL of the list with these filters. */
export function teamsPath(search: TeamsSearch): string {
  return `/functions/v1/api-teams${stringifySearch(teamsQuery(search))}`;
}

function teamsQuery({ q, mode }: TeamsSearch) {
  return given({ q, mode });
}

/** The URL of one team. */
export function teamPath(id: string): string {
  return `/functions/v1/api-teams?id=${id}`;
}

/** The teams with these filters, newest first. */
export function useTeamPages(search: TeamsSearch) {
  return usePages(["teams"], [listTeams, teamsQuery(search)]);
}

/** One team. */
export function useTeam(id: string) {
  return useQuery(teamQuery(id));
}

function teamQuery(id: string) {
  return { queryKey: ["teams", "one", id], queryFn: () => call(getTeam)({ id }) };
}

/** What a team remembers, the newest run first. */
export function useMemories(teamId: string) {
  return usePages(["team-memories"], [listTeamMemories, { id: teamId }]);
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
    async create(body: Body<"createTeam">): Promise<Team> {
      const team = await call(createTeam)(body);
      await refresh();
      return team;
    },
    /** Reads a team again; what is shown of it is updated. */
    reread: (id: string): Promise<Team> => client.fetchQuery({ ...teamQuery(id), staleTime: 0 }),
    async save(id: string, body: TeamDesign): Promise<Team> {
      const team = await call(updateTeam)({ id }, untyped(body));
      client.setQueryData(["teams", "one", id], team);
      await refresh();
      return team;
    },
    async remove(id: string): Promise<void> {
      await call(deleteTeam)({ id });
      client.removeQueries({ queryKey: ["teams", "one", id] });
      await refresh();
    },
    async deleteMemories(id: string, memoryId?: string): Promise<void> {
      const path = { id };
      await (memoryId === undefined
        ? call(deleteTeamMemories)(path)
        : call(deleteTeamMemory)({ ...path, memory_id: memoryId }));
      await client.invalidateQueries({ queryKey: ["team-memories"] });
    },
  };
}

/** A config is whatever the person wrote: the server alone can tell whether it has its type. */
function untyped(design: TeamDesign): Body<"updateTeam"> {
  return JSON.parse(JSON.stringify(design));
}
