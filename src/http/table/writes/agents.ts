import { agentCreate, agentPatch } from "#domain/agents/agent.ts";
import { createAgent, deleteAgents, updateAgent } from "#operations/agents/agents.ts";
import { checkAgent } from "#operations/agents/check-agent.ts";
import type { Row } from "../body.ts";
import { checked, checkViolation } from "./rejections.ts";
import type { Writer } from "./writer.ts";

const TABLE = "agents";

/** Writes agents, by the rules of the workspace API. */
export const agentsWriter: Writer = {
  async insert({ workspace }, { id, ...row }) {
    const agent = { ...checked(TABLE, agentCreate, withoutStatus(row)), id };
    await createAgent(workspace, await checkAgent(workspace, agent));
  },
  async update({ workspace }, id, row) {
    const patch = checked(TABLE, agentPatch, withoutStatus(row));
    await updateAgent(workspace, { id, patch: await checkAgent(workspace, patch) });
  },
  remove: ({ workspace }, ids) => deleteAgents(workspace, ids),
};

/** The status is derived from the agent's tasks: a client may only send `idle` for a new agent. */
function withoutStatus({ status = "idle", ...row }: Row): Row {
  if (status !== "idle")
    throw checkViolation(TABLE, "status", "The status is derived from the agent's tasks; only idle is accepted.");
  return row;
}
