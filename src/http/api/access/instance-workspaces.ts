import { z } from "zod";
import { PLANS } from "#domain/access/plan.ts";
import {
  changeInstanceWorkspace,
  eraseInstanceWorkspace,
  listInstanceWorkspaces,
} from "#operations/accounts/instance-workspaces.ts";
import { endpoint } from "../shape/endpoint.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";

const PATH = "/console/api/instance/workspaces";

const record = z
  .strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    plan: z.enum(PLANS),
    created_at: z.iso.datetime(),
    held_at: z.iso.datetime().nullable().describe("Since when the operator holds it; null: it is not held."),
  })
  .meta({ id: "InstanceWorkspace" });

const change = z
  .strictObject({
    plan: z.enum(PLANS).optional().describe("The plan, which sets the workspace's limits and quotas."),
    held: z
      .boolean()
      .optional()
      .describe("true: it is read as before, but nothing new is stored in it, and nothing runs."),
  })
  .refine(({ plan, held }) => plan !== undefined || held !== undefined, { message: "set plan or held" });

const confirmation = z.strictObject({ confirm: z.string().describe("The workspace's name, as a confirmation.") });

/** Adds /console/api/instance/workspaces: all workspaces and their plans, for owners of the first one. */
export default function addInstanceWorkspaces(api: Api): void {
  addPath(api, PATH, { tag: "Workspaces", endpoints: [list] });
  addPath(api, `${PATH}/{id}`, { tag: "Workspaces", endpoints: [update, erase] });
}

const list = endpoint({
  method: "get",
  operationId: "listInstanceWorkspaces",
  needs: "owner",
  summary: "List all workspaces of the instance, as an owner of the first one",
  success: { status: 200, schema: z.array(record) },
  handle: async ({ c, workspace }) => respondValue(c, await listInstanceWorkspaces(workspace)),
});

const update = endpoint({
  method: "patch",
  operationId: "setWorkspacePlan",
  needs: "owner",
  summary: "Set the plan of a workspace, hold or release it, as an owner of the instance's first one",
  params: idQuery,
  body: change,
  readOnly: ["id", "slug", "name", "created_at", "held_at"],
  success: { status: 200, schema: record },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await changeInstanceWorkspace(workspace, { workspaceId: params.id, ...body })),
});

const erase = endpoint({
  method: "delete",
  operationId: "eraseWorkspace",
  needs: "owner",
  summary: "Erase a workspace with everything in it, as an owner of the instance's first one",
  params: idQuery,
  query: confirmation,
  success: { status: 204 },
  handle: ({ workspace, params, query }) => eraseInstanceWorkspace(workspace, params.id, query.confirm),
});
