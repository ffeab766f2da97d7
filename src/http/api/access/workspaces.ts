import { z } from "zod";
import { ROLES } from "#domain/access/role.ts";
import { workspaceChange } from "#domain/access/workspace-change.ts";
import {
  changeWorkspace,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  workspaceInput,
} from "#operations/accounts/workspaces.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { respondValue } from "../shape/respond.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";

const READ_ONLY = ["id", "slug", "plan", "role", "quotas", "created_at", "updated_at"];

const confirmation = z.strictObject({ confirm: z.string().describe("The workspace's name, as a confirmation.") });

const workspaceRecord = z
  .strictObject({
    id: z.uuid(),
    slug: z.string().describe("Its name in the console's URLs, derived from the name. Former slugs remain valid."),
    name: z.string(),
    plan: z.enum(["free", "pro", "team", "enterprise"]),
    role: z.enum(ROLES),
    paused: z.boolean().describe("No queued run starts; started runs continue."),
    answer_links: z.boolean().describe("Whether members may create links that answer one question."),
    log_url: z.string().nullable().describe("The template of the log link on runs."),
    trace_url: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Workspace" });

const quota = z.strictObject({
  used: z.int(),
  limit: z.int().nullable().describe("The plan's limit; null: none."),
});
const workspaceDetails = workspaceRecord
  .extend({
    quotas: z.strictObject({
      records: quota.describe("Agents with their versions, teams, tasks, runs, files and other records, together."),
      stored_bytes: quota.describe("Contents of files and documents."),
      schedules: quota,
    }),
  })
  .meta({ id: "WorkspaceDetails" });

/** Adds /console/api/workspace, the current one, and /console/api/workspaces, all of a person's. */
export default function addWorkspaces(api: Api): void {
  addPath(api, "/console/api/workspace", { tag: "Workspaces", endpoints: current() });
  addPath(api, "/console/api/workspaces", { tag: "Workspaces", endpoints: collection() });
}

function current(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "getWorkspace",
      summary: "Read the workspace with its quotas and their use",
      success: { status: 200, schema: workspaceDetails },
      handle: async (c, services) => respondValue(c, await getWorkspace(services, c.get("principal"))),
    },
    {
      method: "patch",
      operationId: "updateWorkspace",
      needs: "admin",
      summary: "Rename the workspace, pause new work, or set the links of runs",
      body: workspaceChange,
      success: { status: 200, schema: workspaceDetails },
      handle: change,
    },
    {
      method: "delete",
      operationId: "deleteWorkspace",
      needs: "owner",
      summary: "Delete the workspace with everything in it; its work is cancelled",
      query: confirmation,
      success: { status: 204 },
      handle: remove,
    },
  ];
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listWorkspaces",
      summary: "List your workspaces; with a key, the key's",
      success: { status: 200, schema: z.array(workspaceRecord) },
      handle: async (c, services) => respondValue(c, await listWorkspaces(services, c.get("principal"))),
    },
    {
      method: "post",
      operationId: "createWorkspace",
      needs: "viewer",
      summary: "Create a workspace; you become its owner",
      body: workspaceInput,
      success: { status: 201, schema: workspaceRecord },
      handle: create,
    },
  ];
}

async function change(c: HttpContext, services: HttpServices): Promise<Response> {
  const given = await readBody(c, workspaceChange, READ_ONLY);
  return respondValue(c, await changeWorkspace(services, c.get("principal"), given));
}

async function remove(c: HttpContext, services: HttpServices): Promise<Response> {
  await deleteWorkspace(services, c.get("principal"), readQuery(c, confirmation).confirm);
  return c.body(null, 204);
}

async function create(c: HttpContext, services: HttpServices): Promise<Response> {
  const { name } = await readBody(c, workspaceInput);
  const made = await createWorkspace(services, c.get("principal"), { name, plan: services.defaultPlan });
  return respondValue(c, made, 201);
}
