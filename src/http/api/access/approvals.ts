import { z } from "zod";
import { approvalPolicy } from "#domain/approvals/policy.ts";
import { getApprovals, saveApprovals } from "#operations/tools/workspace-approvals.ts";
import { respond } from "../shape/respond.ts";
import { addPath } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";

const policyBody = z.strictObject({ approvals: approvalPolicy });
const policyRecord = policyBody.meta({ id: "WorkspaceApprovals" });

/** Adds /console/api/workspace/approvals: the rules on approvals for all agents of the workspace. */
export default function addApprovals(api: Api): void {
  addPath(api, "/console/api/workspace/approvals", { tag: "Workspaces", endpoints: [read, save] });
}

const read = endpoint({
  method: "get",
  operationId: "getWorkspaceApprovals",
  summary: "Read the workspace's rules on approvals",
  success: { status: 200, schema: policyRecord },
  handle: async ({ c, workspace }) => respond(c, await getApprovals(workspace)),
});

const save = endpoint({
  method: "put",
  operationId: "saveWorkspaceApprovals",
  needs: "admin",
  summary: "Replace the workspace's rules on approvals, which come before those of its agents",
  body: policyBody,
  success: { status: 200, schema: policyRecord },
  handle: async ({ c, workspace, body }) => respond(c, await saveApprovals(workspace, body.approvals)),
});
