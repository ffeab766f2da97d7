import { apiOf, consoleOf, fieldsOf } from "./api.ts";
import type { Api } from "./api.ts";
import { createKey } from "./keys.ts";
import type { ShownKey } from "./keys.ts";
import { useSharedService } from "./shared-service.ts";
import type { SharedService } from "./shared-service.ts";
import { QUICK, createAgent, createTask, taskIn } from "./work.ts";

/** What the name of everything contains that limited keys must not see. */
export const HIDDEN = "Hidden-from-keys";

/** A workspace with an agent and a team that keys reach, and with others that they do not. */
export interface ReachScene {
  readonly service: SharedService;
  readonly api: Api;
  readonly desk: Api;
  readonly agentId: string;
  readonly teamId: string;
  /** Ended tasks of the agent, and of the other one. */
  readonly taskId: string;
  readonly hidden: { readonly agentId: string; readonly teamId: string; readonly taskId: string };
  /** Creates a key that is limited to the agent, unless the fields say otherwise. */
  limitedKey(fields?: Readonly<Record<string, unknown>>): Promise<ShownKey>;
}

/** Opens the workspace in the shared service. */
export async function openReachScene(): Promise<ReachScene> {
  const service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const published = { is_mcp_published: true, is_a2a_published: true, tools: ["wait", "request_choice"] };
  const agent = await createAgent(api, { name: "Reached", ...published });
  // Cards of published agents are public.
  const other = await createAgent(api, { name: HIDDEN, system_prompt: HIDDEN, ...published, is_a2a_published: false });
  const team = { mode: "pipeline", config: { steps: [{ agent_id: other.id }] } };
  const ended = async (agentId: string, title: string) => {
    const { id } = await createTask(api, { title, assigned_agent_id: agentId, description: QUICK });
    return (await taskIn(api, id, "completed")).id;
  };
  const teamOf = async (name: string) => String(fieldsOf(await api.post("/api-teams", { name, ...team }))["id"]);
  return {
    service,
    api,
    desk,
    agentId: agent.id,
    teamId: await teamOf("Reached team"),
    taskId: await ended(agent.id, "Reached task"),
    hidden: {
      agentId: other.id,
      teamId: await teamOf(`${HIDDEN} team`),
      taskId: await ended(other.id, `${HIDDEN} task`),
    },
    limitedKey: (fields = {}) => createKey(desk, { label: "Limited", agents: [agent.id], ...fields }),
  };
}
