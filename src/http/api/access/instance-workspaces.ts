import { z } from "zod";
import { PLANS } from "#domain/access/plan.ts";
import { changePlan, listInstanceWorkspaces } from "#operations/accounts/instance-workspaces.ts";
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
  })
  .meta({ id: "InstanceWorkspace" });

const planChange = z.strictObject({
  plan: z.enum(PLANS).describe("The plan, which sets the workspace's limits and quotas."),
});

/** Adds /console/api/instance/workspaces: all workspaces and their plans, for owners of the first one. */
export default function addInstanceWorkspaces(api: Api): void {
  addPath(api, PATH, { tag: "Workspaces", endpoints: [list] });
  addPath(api, `${PATH}/{id}`, { tag: "Workspaces", endpoints: [change] });
}

const list = endpoint({
  method: "get",
  operationId: "listInstanceWorkspaces",
  needs: "owner",
  summary: "List all workspaces of the instance, as an owner of the first one",
  success: { status: 200, schema: z.array(record) },
  handle: async ({ c, workspace }) => respondValue(c, await listInstanceWorkspaces(workspace)),
});

const change = endpoint({
  method: "patch",
  operationId: "setWorkspacePlan",
  needs: "owner",
  summary: "Set the plan of a workspace, as an owner of the instance's first one",
  params: idQuery,
  body: planChange,
  readOnly: ["id", "slug", "name", "created_at"],
  success: { status: 200, schema: record },
  handle: async ({ c, workspace, params, body }) =>
    respondValue(c, await changePlan(workspace, { workspaceId: params.id, plan: body.plan })),
});
