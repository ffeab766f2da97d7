import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import {
  diffAgentVersions,
  getAgentVersion,
  listAgentVersions,
  restoreAgentVersion,
} from "#operations/agents/agent-versions.ts";
import { listQuery } from "../shape/list-query.ts";
import { agentRecord } from "../shape/records.ts";
import { respond, respondItems, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { wholeNumber } from "../shape/whole-number.ts";
import { endpoint } from "../shape/endpoint.ts";

/** The largest version number. */
const MAX_VERSION = 2 ** 31 - 1;

const number = wholeNumber({ min: 1, max: MAX_VERSION });
const agentParam = z.object({ id: givenId });
const versionParam = agentParam.extend({ version: number });
const pageQuery = listQuery
  .pick({ limit: true })
  .extend({ cursor: number.optional().describe("next_cursor of the previous page: a version.") });
const diffQuery = z.strictObject({
  against: number.optional().describe("The version to compare with; by default the previous one."),
});

const versionRecord = z
  .strictObject({
    agent_id: z.uuid(),
    version: z.int(),
    changed_by: z.uuid().nullable().describe("The person; null for a change by the service itself."),
    created_at: z.iso.datetime(),
    changed: z.array(z.string()).describe("The fields that differ from the previous version."),
  })
  .meta({ id: "AgentVersion" });

const versionDetails = versionRecord
  .extend({
    fields: agentRecord.pick({
      name: true,
      model: true,
      fallback_models: true,
      provider: true,
      system_prompt: true,
      temperature: true,
      max_tokens: true,
      reasoning: true,
      output_schema: true,
      prompt_caching: true,
      tools: true,
      voice_profile: true,
      voice_profile_id: true,
      output_template: true,
      output_template_id: true,
      knowledge_base_ids: true,
      config: true,
    }),
  })
  .meta({ id: "AgentVersionDetails" });

const line = z.strictObject({ change: z.enum(["kept", "removed", "added"]), line: z.string() });

const versionDiff = z
  .strictObject({
    from: z.int(),
    to: z.int(),
    changes: z.array(
      z.strictObject({
        field: z.string(),
        before: z.unknown(),
        after: z.unknown(),
        lines: z.array(line).optional().describe("For multi-line texts."),
      }),
    ),
  })
  .meta({ id: "AgentVersionDiff" });

/** Adds /console/api/agents/{id}/versions: the versions of an agent. */
export default function addAgentVersions(api: Api): void {
  const path = "/console/api/agents/{id}/versions";
  addPath(api, path, { tag: "Agent versions", endpoints: [list] });
  addPath(api, `${path}/{version}`, { tag: "Agent versions", endpoints: [read] });
  addPath(api, `${path}/{version}/diff`, { tag: "Agent versions", endpoints: [diff] });
  addPath(api, `${path}/{version}/restore`, { tag: "Agent versions", endpoints: [restore] });
}

const list = endpoint({
  method: "get",
  operationId: "listAgentVersions",
  summary: "List an agent's versions, newest first",
  params: agentParam,
  query: pageQuery,
  success: { status: 200, schema: z.array(versionRecord) },
  async handle({ c, workspace, params, query }) {
    const { limit, cursor: before } = query;
    const page = await listAgentVersions(workspace, { id: params.id, limit, before });
    return respondItems(c, page.items, page.next === null ? null : String(page.next));
  },
});

const read = endpoint({
  method: "get",
  operationId: "getAgentVersion",
  summary: "Read a version with its fields",
  params: versionParam,
  success: { status: 200, schema: versionDetails },
  handle: async ({ c, workspace, params }) => respond(c, await getAgentVersion(workspace, params)),
});

const diff = endpoint({
  method: "get",
  operationId: "diffAgentVersions",
  summary: "Compare a version with another one, field by field",
  params: versionParam,
  query: diffQuery,
  success: { status: 200, schema: versionDiff },
  handle: async ({ c, workspace, params, query }) =>
    respondValue(c, await diffAgentVersions(workspace, { ...params, ...query })),
});

const restore = endpoint({
  method: "post",
  operationId: "restoreAgentVersion",
  summary: "Restore the fields of this version, as a new version",
  params: versionParam,
  success: { status: 200, schema: agentRecord },
  handle: async ({ c, workspace, params }) => respond(c, await restoreAgentVersion(workspace, params)),
});
