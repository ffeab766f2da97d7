import { AppError } from "#domain/errors.ts";
import { runCreate, runPatch } from "#domain/teams/team-run.ts";
import { setRunStatus, startRun } from "#operations/teams/team-runs.ts";
import { checked, checkViolation, referenceViolation } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "team_runs";
const TO_TEAM = { constraint: "team_runs_team_fkey", column: "team_id", references: "teams" } as const;

/** Writes team runs, by the rules of the workspace API: a new one starts, and only its status can be changed. */
export const teamRunsWriter: Writer = {
  async insert({ workspace }, { id, status = "pending", ...row }) {
    if (status !== "pending") throw checkViolation(TABLE, "status", "A run starts as pending.");
    const input = checked(TABLE, runCreate, row);
    await startRun(workspace, { ...input, id }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "not_found") throw error;
      throw referenceViolation(TABLE, { ...TO_TEAM, value: input.team_id });
    });
  },
  async update({ workspace }, id, row) {
    await setRunStatus(workspace, { id, ...checked(TABLE, runPatch, row) });
  },
};
