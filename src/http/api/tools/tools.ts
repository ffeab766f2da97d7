import { z } from "zod";
import {
  CUSTOM_TOOL_METHODS,
  CUSTOM_TOOL_READ_ONLY,
  customToolCreate,
  customToolPatch,
} from "#domain/tools/custom-tool.ts";
import { listBuiltInTools } from "#operations/tools/built-in-tools.ts";
import { assertUsableParameters } from "#operations/tools/custom-tools/check-schema.ts";
import {
  createCustomTool,
  deleteCustomTool,
  getCustomTool,
  testCustomTool,
  updateCustomTool,
} from "#operations/tools/custom-tools/custom-tools.ts";
import { listPage } from "#operations/list-records.ts";
import { nameFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/tools";
const testBody = z.strictObject({
  arguments: z.record(z.string(), z.unknown()).default({}).describe("The arguments, as a model would give them."),
});

const toolRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    url: z.string(),
    method: z.enum(CUSTOM_TOOL_METHODS),
    headers: z.record(z.string(), z.string()).describe("Values are masked, except for the last four characters."),
    timeout_ms: z.int(),
    created_by: z.uuid().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "CustomTool" });

const callRecord = z
  .strictObject({
    id: z.uuid(),
    tool_id: z.uuid(),
    task_id: z.uuid().nullable().describe("The task or team run; null for a test by a person."),
    status: z.enum(["success", "failed"]),
    http_status: z.int().nullable(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "CustomToolCall" });

const testResult = z
  .strictObject({
    status: callRecord.shape.status,
    http_status: callRecord.shape.http_status,
    duration_ms: z.int(),
    output: z.string().nullable().describe("The result that a model would get."),
    error: z.string().nullable(),
  })
  .meta({ id: "CustomToolTest" });

const builtInTool = z
  .strictObject({
    name: z.string().describe("The name in an agent's tools."),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()).describe("A JSON Schema of the arguments."),
    available: z.boolean(),
    missing: z.string().nullable().describe("Why agents cannot use it now, and what to configure."),
  })
  .meta({ id: "BuiltInTool" });

/** Adds /console/api/tools: HTTP endpoints of the workspace that its agents can call. */
export default function addTools(api: Api): void {
  addPath(api, PATH, { tag: "Tools", endpoints: [list, create] });
  // Registered before the paths with an id.
  addPath(api, `${PATH}/built-in`, { tag: "Tools", endpoints: [builtIn] });
  addPath(api, `${PATH}/{id}`, { tag: "Tools", endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/test`, { tag: "Tools", endpoints: [test] });
  addPath(api, `${PATH}/{id}/calls`, { tag: "Tools", endpoints: [calls] });
}

const list = endpoint({
  method: "get",
  operationId: "listTools",
  summary: "List the workspace's custom tools, newest first",
  query: pageQuery.extend({ q: nameFilter }),
  success: { status: 200, schema: z.array(toolRecord) },
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondPage(c, await listPage(workspace, { of: "custom_tool", ...pageOf(page), fields: { q } })),
});

const create = endpoint({
  method: "post",
  operationId: "createTool",
  needs: "admin",
  summary: "Create a custom tool; agents list it as custom:<id>",
  body: customToolCreate,
  readOnly: CUSTOM_TOOL_READ_ONLY,
  success: { status: 201, schema: toolRecord },
  async prepare({ c, workspace, body }) {
    await assertUsableParameters(workspace, workspace.who.workspaceId, body);
    return async (joined) => respond(c, await createCustomTool(joined, body), 201);
  },
});

const builtIn = endpoint({
  method: "get",
  operationId: "listBuiltInTools",
  summary: "List the built-in tools, with whether agents can use them",
  success: { status: 200, schema: z.array(builtInTool) },
  async handle({ c, workspace }) {
    const tools = await listBuiltInTools(workspace);
    const shown = tools.map(({ name, description, inputSchema, obstacle }) => ({
      name,
      description,
      input_schema: inputSchema,
      available: obstacle === undefined,
      missing: obstacle ?? null,
    }));
    return respondValue(c, shown);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getTool",
  summary: "Read a custom tool",
  params: idQuery,
  success: { status: 200, schema: toolRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getCustomTool(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateTool",
  needs: "admin",
  summary: "Change a custom tool",
  params: idQuery,
  body: customToolPatch,
  readOnly: CUSTOM_TOOL_READ_ONLY,
  success: { status: 200, schema: toolRecord },
  async prepare({ c, workspace, params, body }) {
    await assertUsableParameters(workspace, workspace.who.workspaceId, body);
    return async (joined) => respond(c, await updateCustomTool(joined, { id: params.id, patch: body }));
  },
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTool",
  needs: "admin",
  summary: "Delete a custom tool that no agent lists, with its log",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteCustomTool(workspace, params.id),
});

const test = endpoint({
  method: "post",
  operationId: "testTool",
  starts: true,
  summary: "Call a custom tool once, as an agent would",
  params: idQuery,
  body: testBody,
  success: { status: 200, schema: testResult },
  async prepare({ c, workspace, params, body }) {
    const { arguments: args } = body;
    const request = { id: params.id, args, signal: c.req.raw.signal };
    const { httpStatus, durationMs, output, error } = await testCustomTool(workspace, request);
    const status = error === null ? "success" : "failed";
    return () => respondValue(c, { status, http_status: httpStatus, duration_ms: durationMs, output, error });
  },
});

const calls = endpoint({
  method: "get",
  operationId: "listToolCalls",
  summary: "List the calls of a custom tool, newest first; they are kept for RETENTION_DAYS",
  params: idQuery,
  query: pageQuery,
  success: { status: 200, schema: z.array(callRecord) },
  async handle({ c, workspace, params, query }) {
    await getCustomTool(workspace, params.id);
    const list = { of: "custom_tool", callsOfTool: params.id, ...pageOf(query) } as const;
    return respondPage(c, await listPage(workspace, list));
  },
});
