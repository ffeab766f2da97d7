import { z } from "zod";
import { agentCreate } from "#domain/agents/agent.ts";
import { agentFile, teamFile } from "#domain/agents/export-file.ts";
import { checkTemplate, listTemplates, useTemplate } from "#operations/agents/templates.ts";
import { agentRecord } from "../shape/records.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";
import { teamRecord } from "../teams/team-records.ts";

const template = z
  .strictObject({
    id: z.string(),
    purpose: z.string().describe("What it is for, in one line."),
    task: z.string().describe("An example of what to give it."),
    demo_task: z.string().describe("The same for the demo model, with directives that show the tools."),
    tools: z.array(z.string()).describe("The tools of its agents."),
    file: z.discriminatedUnion("type", [agentFile, teamFile]).describe("Its agent or team, as an import takes it."),
  })
  .meta({ id: "Template" });

const { shape } = agentCreate;

/** What a person changes in a template. */
const choice = z.strictObject({
  name: shape.name.optional().describe("Of the agent or the team; that of the template if absent."),
  model: shape.model.optional().describe("Of its agents; the demo model if absent."),
  provider: shape.provider.optional().describe("Of the model, if several providers have it."),
});

const used = z
  .strictObject({
    agents: z.array(agentRecord),
    team: teamRecord.nullable().describe("null when it is an agent's."),
    task: z.string().describe("An example of what to give it, for its model."),
    warnings: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .describe("What cannot be used yet, such as a tool that is not set up."),
  })
  .meta({ id: "UsedTemplate" });

/** Adds /console/api/templates: agents and teams to begin with. */
export default function addTemplates(api: Api): void {
  addPath(api, "/console/api/templates", { tag: "Templates", endpoints: [list] });
  addPath(api, "/console/api/templates/{id}/use", { tag: "Templates", endpoints: [use] });
}

const list = endpoint({
  method: "get",
  operationId: "listTemplates",
  summary: "List the templates of agents and teams",
  success: { status: 200, schema: z.array(template) },
  handle: ({ c }) => respondValue(c, listTemplates()),
});

const use = endpoint({
  method: "post",
  operationId: "useTemplate",
  summary: "Create the agent or team of a template",
  params: z.object({ id: z.string().min(1).max(100) }),
  body: choice,
  success: { status: 201, schema: used },
  async prepare({ c, workspace, params, body }) {
    const checked = await checkTemplate(workspace, { ...params, ...body });
    return async (joined) => {
      const { agents, team, task, warnings } = await useTemplate(joined, checked);
      const records = { agents: agents.map(parsed), team: team === null ? null : parsed(team) };
      return respondValue(c, { ...records, task, warnings }, 201);
    };
  },
});

function parsed(record: string): unknown {
  return JSON.parse(record);
}
