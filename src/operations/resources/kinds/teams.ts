import { isDeepStrictEqual } from "node:util";
import { teamCreate, teamPatch } from "#domain/teams/team.ts";
import { DRAFT_CONFIGS } from "#domain/teams/team-config.ts";
import { createTeam, deleteTeams, updateTeam } from "../../teams/teams.ts";
import { ownName, pick, readAll, written } from "../resource-kind.ts";
import type { Reference, ResourceKind } from "../resource-kind.ts";

const FIELDS = ["name", "description", "mode", "config", "output_route_ids", "is_marketplace"] as const;

const REFERENCES: readonly Reference[] = [
  ...[
    "steps.*.agent_id",
    "steps.*.parallel_agents.*",
    "steps.*.merge_agent_id",
    "brain_agent_id",
    "worker_agent_ids.*",
    "agent_ids.*",
    "facilitator_agent_id",
  ].map((at) => ({ at: `config.${at}`, to: "agent" as const })),
  { at: "output_route_ids.*", to: "route" },
];

/** Teams. */
export const teams: ResourceKind = {
  resource: "team",
  folder: "teams",
  schema: teamCreate,
  fields: FIELDS,
  defaults: { description: "", output_route_ids: null, is_marketplace: false, config: null },
  referencesIn: () => REFERENCES,
  fixed: [],
  secretsOf: () => [],
  read: (workspace) => readAll(workspace, "team"),
  // The config of a draft says nothing.
  fieldsOf: (record) => ({ ...pick(record, FIELDS), ...(isDraft(record["config"]) && { config: null }) }),
  usualIn: () => ({}),
  namesLater: () => false,
  nameOf: ownName,
  notesOf: () => ["its unfinished tasks and runs are cancelled"],
  openSecrets: () => Promise.resolve(new Map()),
  begin: written({
    create: teamCreate,
    patch: teamPatch,
    add: (workspace, fields, id) => createTeam(workspace, { ...fields, id }),
    change: (workspace, id, patch) => updateTeam(workspace, { id, patch }),
  }),
  remove: deleteTeams,
};

function isDraft(config: unknown): boolean {
  return Object.values(DRAFT_CONFIGS).some((draft) => isDeepStrictEqual(config, draft));
}
