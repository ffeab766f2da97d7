import { apiOf } from "../support/api.ts";
import { createCrewAgent } from "../support/teams/crew.ts";
import type { TestService } from "../support/service.ts";
import { createTeam } from "../support/teams.ts";

/** The ids of the agents and teams by their role in the work. */
export interface Workforce {
  readonly solo: string;
  /** Needs leave to use a tool. */
  readonly guarded: string;
  readonly pipeline: string;
  /** A pipeline that asks before it continues. */
  readonly handoffs: string;
  readonly orchestra: string;
  readonly discussion: string;
}

const TOOLS = ["wait", "current_time", "request_input"];

/** Creates the agents and teams. */
export async function createWorkforce(service: TestService): Promise<Workforce> {
  const agent = (name: string, fields: object = {}) => createCrewAgent(service, name, { tools: TOOLS, ...fields });
  const solo = await agent("Solo", { is_a2a_published: true });
  const guarded = await agent("Guarded", { config: { approvers: "caller", requires_approval: ["wait"] } });
  const [ann, bert, carl, dora] = [await agent("Ann"), await agent("Bert"), await agent("Carl"), await agent("Dora")];
  const brain = await agent("Brain", { tools: [] });
  const api = apiOf(service, service.keys.api);
  const team = async (mode: string, config: object) => (await createTeam(api, { mode, config })).id;
  const side = { type: "fan_out", parallel_agents: [bert, carl], merge_agent_id: dora };
  return {
    solo,
    guarded,
    pipeline: await team("pipeline", { steps: [{ agent_id: ann }, side] }),
    handoffs: await team("pipeline", { steps: [{ agent_id: ann }, { agent_id: bert }], auto_handoff: false }),
    orchestra: await team("orchestrator", { brain_agent_id: brain, worker_agent_ids: [bert, carl] }),
    discussion: await team("collaboration", { agent_ids: [carl, dora], max_turns: 4 }),
  };
}
