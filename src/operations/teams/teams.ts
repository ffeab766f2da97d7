import { isDeepStrictEqual } from "node:util";
import { notFound, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { readTeamConfig } from "#domain/teams/team.ts";
import type { TeamCreate, TeamDesign, TeamPatch } from "#domain/teams/team.ts";
import { DRAFT_CONFIGS, saysDraft } from "#domain/teams/team-config.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import { membersOf, namedAgents } from "#domain/teams/team-members.ts";
import type { TeamMember } from "#domain/teams/team-members.ts";
import { lockOpenRunsOf } from "#db/queries/runs/lock-runs.ts";
import type { Transaction } from "#db/database.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import * as rows from "#db/queries/teams/teams.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Team");

/**
 * Creates a team; without a config it is a draft.
 * @throws AppError `bad_request` with the path of each unknown agent of the config, or of an unknown output route.
 */
export async function createTeam(
  workspace: Workspace,
  input: TeamCreate & { readonly id?: string },
): Promise<JsonText> {
  const { id = newId() } = input;
  return workspace.transaction(async (tx) => {
    const members = input.config === undefined ? [] : await findMembers(tx, input.config);
    const config = input.config ?? DRAFT_CONFIGS[input.mode];
    await rows.insertTeam(tx, {
      ...input,
      id,
      config,
      workspace_id: workspace.who.workspaceId,
      created_by: workspace.who.userId,
    });
    await rows.replaceMembers(tx, id, members);
    return found(await readRecord(tx, "team", id));
  });
}

/** Reads a team with its members. @throws AppError `not_found`. */
export async function getTeam(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "team", id));
}

/**
 * Changes the given fields of a team. Its config must match the resulting mode; a draft that changes its mode remains a
 * draft.
 * @throws AppError `not_found`; `bad_request` with the path of each issue of the config.
 */
export async function updateTeam(
  workspace: Workspace,
  change: { readonly id: string; readonly patch: TeamPatch },
): Promise<JsonText> {
  const { id, patch } = change;
  return workspace.transaction(async (tx) => {
    const team = await rows.lockTeam(tx, id);
    if (team === undefined) throw notFound("Team");
    const design = redesign(team, patch);
    const { mode: _, config: __, ...rest } = patch;
    await rows.updateTeam(tx, id, { ...rest, ...design });
    if (design !== undefined) {
      await rows.replaceMembers(tx, id, isDraft(design) ? [] : await findMembers(tx, readTeamConfig(design)));
    }
    return found(await readRecord(tx, "team", id));
  });
}

/** Deletes teams, all or none. Their unfinished tasks and runs are cancelled first. @throws AppError `not_found`. */
export async function deleteTeams(workspace: Workspace, ids: readonly string[]): Promise<void> {
  await workspace.change(async (tx) => {
    if ((await rows.lockTeams(tx, ids)) < ids.length) throw notFound("Team");
    const open = await lockOpenRunsOf(tx, ids);
    const logs = await allSettledOrThrow(open.map((runId) => cancelRun(tx, runId)));
    await rows.deleteTeams(tx, ids);
    tx.publish(...logs.flat());
  });
}

/** Returns the mode and config that a change sets; undefined when it changes neither. */
function redesign(team: TeamDesign, patch: TeamPatch): TeamDesign | undefined {
  const mode = patch.mode ?? team.mode;
  const saysNone = patch.config === undefined ? isDraft(team) : saysDraft(mode, patch.config);
  const design = { mode, config: saysNone ? DRAFT_CONFIGS[mode] : (patch.config ?? team.config) };
  if (isDeepStrictEqual(design, { mode: team.mode, config: team.config })) return undefined;
  return saysNone ? design : { mode, config: readTeamConfig(design) };
}

function isDraft({ mode, config }: TeamDesign): boolean {
  return isDeepStrictEqual(config, DRAFT_CONFIGS[mode]);
}

async function findMembers(tx: Transaction, config: TeamConfig): Promise<readonly TeamMember[]> {
  const named = namedAgents(config);
  const known = await rows.lockAgentsNamed(
    tx,
    named.map(({ agentId }) => agentId),
  );
  const unknown = named.filter(({ agentId }) => !known.has(agentId));
  if (unknown.length === 0) return membersOf(named);
  throw invalid(
    "body",
    unknown.map(({ path }) => ({ path, message: "the workspace has no such agent" })),
  );
}
