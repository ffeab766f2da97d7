import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import {
  diffAgentVersions,
  getAgentVersion,
  listAgentVersions,
  restoreAgentVersion,
} from "#operations/agents/agent-versions.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { listQuery } from "../shape/list-query.ts";
import { agentRecord } from "../shape/records.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { respond, respondItems, respondValue } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readParams, readQuery } from "../../middleware/read-body.ts";
import { wholeNumber } from "../shape/whole-number.ts";

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
      fallback_model: true,
      provider: true,
      system_prompt: true,
      temperature: true,
      max_tokens: true,
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
  addPath(api, path, { tag: "Agent versions", endpoints: collection() });
  addPath(api, `${path}/{version}`, { tag: "Agent versions", endpoints: single() });
  addPath(api, `${path}/{version}/diff`, { tag: "Agent versions", endpoints: comparison() });
  addPath(api, `${path}/{version}/restore`, { tag: "Agent versions", endpoints: restore() });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listAgentVersions",
      summary: "List an agent's versions, newest first",
      params: agentParam,
      query: pageQuery,
      success: { status: 200, schema: z.array(versionRecord) },
      handle: list,
    },
  ];
}

function single(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "getAgentVersion",
      summary: "Read a version with its fields",
      params: versionParam,
      success: { status: 200, schema: versionDetails },
      handle: async (c, services) =>
        respond(c, await getAgentVersion(services, c.get("principal"), readParams(c, versionParam))),
    },
  ];
}

function comparison(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "diffAgentVersions",
      summary: "Compare a version with another one, field by field",
      params: versionParam,
      query: diffQuery,
      success: { status: 200, schema: versionDiff },
      handle: diff,
    },
  ];
}

function restore(): Endpoint[] {
  return [
    {
      method: "post",
      operationId: "restoreAgentVersion",
      summary: "Restore the fields of this version, as a new version",
      params: versionParam,
      success: { status: 200, schema: agentRecord },
      handle: async (c, services) =>
        respond(c, await restoreAgentVersion(services, c.get("principal"), readParams(c, versionParam))),
    },
  ];
}

async function list(c: HttpContext, services: HttpServices): Promise<Response> {
  const { id } = readParams(c, agentParam);
  const { limit, cursor: before } = readQuery(c, pageQuery);
  const page = await listAgentVersions(services, c.get("principal"), { id, limit, before });
  return respondItems(c, page.items, page.next === null ? null : String(page.next));
}

async function diff(c: HttpContext, services: HttpServices): Promise<Response> {
  const asked = { ...readParams(c, versionParam), ...readQuery(c, diffQuery) };
  return respondValue(c, await diffAgentVersions(services, c.get("principal"), asked));
}
