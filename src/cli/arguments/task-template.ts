import type { MusterClient, Schemas } from "#client/index.ts";
import { TASK_PRIORITIES } from "#domain/tasks/task-status.ts";
import { UsageError } from "../errors/cli-error.ts";
import { resolveId } from "./resolve-record.ts";

/** Options with the template for the tasks of a schedule or a trigger. */
export const TEMPLATE = {
  agent: { type: "string", valueHint: "id or name", description: "Agent of the tasks; give either --agent or --team" },
  team: { type: "string", valueHint: "id or name", description: "Team of the tasks" },
  title: { type: "string", required: true, description: "Title of the tasks" },
  description: { type: "string", description: "Description" },
  priority: { type: "enum", options: [...TASK_PRIORITIES], description: "Priority (default: medium)" },
} as const;

type TaskFields = Pick<
  Schemas["CreateScheduleRequest"],
  "assigned_agent_id" | "assigned_team_id" | "title" | "description" | "priority"
>;

/** Returns the fields that these options set. @throws UsageError unless they name either an agent or a team. */
export async function templateFields(
  muster: MusterClient,
  args: {
    readonly agent: string | undefined;
    readonly team: string | undefined;
    readonly title: string;
    readonly description: string | undefined;
    readonly priority: (typeof TASK_PRIORITIES)[number] | undefined;
  },
): Promise<TaskFields> {
  const { agent, team, title, description, priority } = args;
  if ((agent === undefined) === (team === undefined)) throw new UsageError("Name either --agent or --team.");
  return {
    ...(agent !== undefined && { assigned_agent_id: await resolveId(muster, "agent", agent) }),
    ...(team !== undefined && { assigned_team_id: await resolveId(muster, "team", team) }),
    title,
    description,
    priority,
  };
}
