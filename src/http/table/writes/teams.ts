import { teamCreate, teamPatch } from "#domain/teams/team.ts";
import { createTeam, deleteTeams, updateTeam } from "#operations/teams/teams.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "teams";

/** Writes teams, by the rules of the workspace API; their members follow from their config. */
export const teamsWriter: Writer = {
  async insert({ services, who }, { id, ...row }) {
    await createTeam(services, who, { ...checked(TABLE, teamCreate, row), id });
  },
  async update({ services, who }, id, row) {
    await updateTeam(services, who, { id, patch: checked(TABLE, teamPatch, row) });
  },
  remove: ({ services, who }, ids) => deleteTeams(services, who, ids),
};
