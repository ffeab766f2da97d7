import { AppError } from "#domain/errors.ts";
import { whyDraft } from "#domain/teams/team.ts";
import type { Transaction } from "#db/database.ts";
import { readTeamDesign } from "#db/queries/teams/teams.ts";

/** Checks that a team can run; one that does not exist is left to the reference. @throws AppError `conflict` for a draft. */
export async function requireRunnable(tx: Transaction, teamId: string): Promise<void> {
  const team = await readTeamDesign(tx, teamId);
  const reason = team === undefined ? undefined : whyDraft(team);
  if (reason !== undefined) throw new AppError("conflict", reason);
}
