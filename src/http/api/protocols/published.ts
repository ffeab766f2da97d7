import { z } from "zod";
import { ownPublishedAgents } from "#operations/conversations/a2a/card-agents.ts";
import { listPublishedTools } from "#operations/conversations/published-agents.ts";
import { originOf } from "../../middleware/origin.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/published";
const agent = { agent_id: z.uuid(), name: z.string(), description: z.string() };

const published = z
  .strictObject({
    mcp: z.strictObject({
      url: z.url().describe("The endpoint for MCP clients; it takes an MCP key."),
      tools: z.array(z.strictObject({ ...agent, tool: z.string().describe("The name of its tool.") })),
    }),
    a2a: z.strictObject({
      card_url: z.url().describe("The card of the instance."),
      agents: z.array(
        z.strictObject({ ...agent, url: z.url().describe("Its endpoint, for A2A keys."), card_url: z.url() }),
      ),
    }),
  })
  .meta({ id: "Published" });

/** Adds /console/api/published: the workspace's agents that external clients can call, with their endpoints. */
export default function addPublished(api: Api): void {
  addPath(api, PATH, { tag: "Agents", endpoints: [list] });
}

const list = endpoint({
  method: "get",
  operationId: "listPublishedAgents",
  summary: "List the agents that are published to MCP and A2A, with their endpoints",
  success: { status: 200, schema: published },
  async handle({ c, workspace }) {
    const [tools, agents] = await Promise.all([listPublishedTools(workspace), ownPublishedAgents(workspace)]);
    const origin = originOf(c, workspace);
    return respondValue(c, {
      mcp: {
        url: `${origin}/mcp`,
        tools: tools.map(({ name: tool, agent: { id, name, description } }) => ({
          agent_id: id,
          name,
          description,
          tool,
        })),
      },
      a2a: {
        card_url: `${origin}/.well-known/agent-card.json`,
        agents: agents.map(({ id, name, description }) => {
          const url = `${origin}/a2a/${id}`;
          return { agent_id: id, name, description, url, card_url: `${url}/.well-known/agent-card.json` };
        }),
      },
    });
  },
});
