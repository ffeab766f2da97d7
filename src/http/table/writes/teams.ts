import { teamCreate, teamPatch } from "#domain/teams/team.ts";
import { createTeam, deleteTeams, updateTeam } from "#operations/teams/teams.ts";
import { checked } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "teams";

/** Writes teams, by the rules of the workspace API; their members follow from their config. */
export const teamsWriter: Writer = {
  async insert({ workspace }, { id, ...row }) {
    await createTeam(workspace, { ...checked(TABLE, teamCreate, row), id });
  },
  async update({ workspace }, id, row) {
    await updateTeam(workspace, { id, patch: checked(TABLE, teamPatch, row) });
  },
  remove: ({ workspace }, ids) => deleteTeams(workspace, ids),
};
