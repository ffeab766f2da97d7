import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { timeFrom } from "../given-time.ts";
import { attachmentIds } from "../files/attachments.ts";
import { runBudget } from "../budgets/budget.ts";
import { freeForm } from "../free-form.ts";
import { TASK_STATUSES, TASK_PRIORITIES } from "./task-status.ts";

/** The schema of a priority. */
export const taskPriority = z.enum(TASK_PRIORITIES);

const title = displayName(200);
const description = z.string().max(100_000);

const scheduledFor = timeFrom(1970)
  .nullish()
  .describe("When it is dispatched; immediately if in the past. Null: as soon as it has an agent or a team.");

const assignee = {
  assigned_agent_id: givenId.nullish(),
  assigned_team_id: givenId.nullish(),
};

/** A task has an agent or a team, not both. */
function oneAssignee(
  { assigned_agent_id, assigned_team_id }: z.output<z.ZodObject<typeof assignee>>,
  context: z.RefinementCtx,
): void {
  if (assigned_agent_id == null || assigned_team_id == null) return;
  for (const field of ["assigned_agent_id", "assigned_team_id"]) {
    context.addIssue({ code: "custom", path: [field], message: "a task has an agent or a team, not both" });
  }
}

const beginning = {
  ...assignee,
  scheduled_for: scheduledFor,
  // A record that is copied has one.
  status: z
    .enum(TASK_STATUSES)
    .optional()
    .describe("Ignored: a task starts as pending, or as dispatched with an agent or a team."),
};

/** The body of POST /api-tasks. */
export const taskCreate = z
  .strictObject({
    title,
    description: description.default(""),
    priority: taskPriority.default("medium"),
    ...beginning,
    attachments: attachmentIds,
    metadata: freeForm.default({}),
    budget: runBudget.nullish(),
  })
  .superRefine(oneAssignee)
  .describe("A task; with an agent or a team, it is dispatched immediately, or at scheduled_for.");

/** A task to create, validated and with defaults. */
export type TaskCreate = z.output<typeof taskCreate>;

/** The body of PATCH /api-tasks. */
export const taskPatch = z
  .strictObject({
    title: title.optional(),
    description: description.optional(),
    priority: taskPriority.optional(),
    ...assignee,
    scheduled_for: scheduledFor,
    metadata: freeForm.optional(),
    status: z
      .enum(TASK_STATUSES)
      .optional()
      .describe("dispatched starts a pending task or restarts a finished one; cancelled stops it."),
  })
  .superRefine(oneAssignee)
  .describe("The fields of a task to change.");

/** Changes to a task, validated. */
export type TaskPatch = z.output<typeof taskPatch>;

/** Fields ignored in a change of a task: its files cannot be changed. */
export const TASK_UNCHANGEABLE = ["attachments"] as const;

/** Fields that a client may send back from a record; they are ignored. */
export const TASK_READ_ONLY = [
  "id",
  "workspace_id",
  "team_run_id",
  "result",
  "error",
  "finish_reason",
  "result_truncated",
  "interaction",
  "usage",
  "attempt",
  "agent_version",
  "created_by",
  "created_at",
  "updated_at",
  "dispatched_at",
  "started_at",
  "completed_at",
] as const;
