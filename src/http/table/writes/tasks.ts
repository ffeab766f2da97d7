import { AppError } from "#domain/errors.ts";
import { taskCreate, taskPatch } from "#domain/tasks/task.ts";
import { createTask, updateTask } from "#operations/tasks/tasks.ts";
import { deleteRuns } from "#operations/runs/delete-run.ts";
import type { Row } from "../body.ts";
import { checked, referenceViolation } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "tasks";
const TO_AGENT = { constraint: "tasks_agent_fkey", column: "agent_id", references: "agents" } as const;
const TO_TEAM = { constraint: "tasks_team_fkey", column: "assigned_team_id", references: "teams" } as const;

/**
 * Writes tasks, by the rules of the workspace API: a task with an agent is dispatched, and only allowed state changes
 * are made.
 */
export const tasksWriter: Writer = {
  async insert({ workspace }, { id, ...row }) {
    const input = checked(TABLE, taskCreate, renamed(row));
    await createTask(workspace, { ...input, id, startsAfterCommit: true }).catch(rejectUnknownAssignee(row));
  },
  async update({ workspace }, id, row) {
    const patch = checked(TABLE, taskPatch, renamed(row));
    await updateTask(workspace, { id, patch }).catch(rejectUnknownAssignee(row));
  },
  remove: ({ workspace }, ids) => deleteRuns(workspace, "task", ids),
};

function renamed({ agent_id, ...row }: Row): Row {
  return agent_id === undefined ? row : { ...row, assigned_agent_id: agent_id };
}

function rejectUnknownAssignee({ agent_id, assigned_team_id }: Row) {
  return (error: unknown): never => {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw agent_id == null
      ? referenceViolation(TABLE, { ...TO_TEAM, value: assigned_team_id })
      : referenceViolation(TABLE, { ...TO_AGENT, value: agent_id });
  };
}
