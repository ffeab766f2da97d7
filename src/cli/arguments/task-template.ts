import type { Api } from "../service/api.ts";
import { UsageError } from "../errors/cli-error.ts";
import { resolveAgent } from "./resolve-agent.ts";
import { resolveTeam } from "./resolve-team.ts";

/** Options that say what the tasks of a schedule or a trigger are made of. */
export const TEMPLATE = {
  agent: { type: "string", valueHint: "id|name", description: "The agent of the tasks, or" },
  team: { type: "string", valueHint: "id|name", description: "team of the tasks" },
  title: { type: "string", required: true, description: "Title of the tasks" },
  description: { type: "string", description: "Description" },
  priority: { type: "string", description: "low, medium, high or urgent" },
} as const;

/** The fields of a request that these options give. @throws UsageError when they name no agent and no team, or both. */
export async function templateFields(
  api: Api,
  args: {
    readonly agent: string | undefined;
    readonly team: string | undefined;
    readonly title: string;
    readonly description: string | undefined;
    readonly priority: string | undefined;
  },
): Promise<object> {
  const { agent, team, title, description, priority } = args;
  if ((agent === undefined) === (team === undefined)) throw new UsageError("Name either --agent or --team.");
  return {
    ...(agent !== undefined && { assigned_agent_id: await resolveAgent(api, agent) }),
    ...(team !== undefined && { assigned_team_id: await resolveTeam(api, team) }),
    title,
    description,
    priority,
  };
}
