import { notFound } from "#domain/errors.ts";
import type { PageStart, RenderedPage } from "#db/queries/row-pages.ts";
import * as rows from "#db/queries/teams/team-memories.ts";
import { listPage } from "../list-records.ts";
import { getTeam } from "./teams.ts";
import type { Workspace } from "../workspace.ts";

/** A memory of a team. */
export interface MemoryRef {
  readonly teamId: string;
  readonly id: string;
}

/** Lists a team's memories, newest first. @throws AppError `not_found` when the workspace has no such team. */
export async function listMemories(
  workspace: Workspace,
  { teamId, ...page }: { readonly teamId: string; readonly limit: number; readonly after?: PageStart | undefined },
): Promise<RenderedPage> {
  await getTeam(workspace, teamId);
  return listPage(workspace, { of: "team_memory", teamId, ...page });
}

/** Deletes a team's memory of one run. @throws AppError `not_found`. */
export async function deleteMemory(workspace: Workspace, { teamId, id }: MemoryRef): Promise<void> {
  const isDeleted = await workspace.transaction((tx) => rows.deleteTeamMemory(tx, teamId, id));
  if (!isDeleted) throw notFound("Memory");
}

/** Deletes all memories of a team. @throws AppError `not_found` when the workspace has no such team. */
export async function deleteMemories(workspace: Workspace, teamId: string): Promise<void> {
  await getTeam(workspace, teamId);
  await workspace.transaction((tx) => rows.deleteTeamMemories(tx, teamId));
}
