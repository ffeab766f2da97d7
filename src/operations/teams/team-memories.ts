import { notFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import type { PageStart, RenderedPage } from "#db/queries/row-pages.ts";
import * as rows from "#db/queries/teams/team-memories.ts";
import type { Services } from "../context.ts";
import { listPage } from "../list-records.ts";
import { getTeam } from "./teams.ts";

/** A memory of a team. */
export interface MemoryRef {
  readonly teamId: string;
  readonly id: string;
}

/** Lists a team's memories, newest first. @throws AppError `not_found` when the workspace has no such team. */
export async function listMemories(
  services: Services,
  who: Principal,
  { teamId, ...page }: { readonly teamId: string; readonly limit: number; readonly after?: PageStart | undefined },
): Promise<RenderedPage> {
  await getTeam(services, who, teamId);
  return listPage(services, who, { of: "team_memory", teamId, ...page });
}

/** Deletes a team's memory of one run. @throws AppError `not_found`. */
export async function deleteMemory(services: Services, who: Principal, { teamId, id }: MemoryRef): Promise<void> {
  const isDeleted = await services.db.inWorkspace(who, (tx) => rows.deleteTeamMemory(tx, teamId, id));
  if (!isDeleted) throw notFound("Memory");
}

/** Deletes all memories of a team. @throws AppError `not_found` when the workspace has no such team. */
export async function deleteMemories(services: Services, who: Principal, teamId: string): Promise<void> {
  await getTeam(services, who, teamId);
  await services.db.inWorkspace(who, (tx) => rows.deleteTeamMemories(tx, teamId));
}
