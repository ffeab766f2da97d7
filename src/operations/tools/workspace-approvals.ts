import type { ApprovalPolicy } from "#domain/approvals/policy.ts";
import { readWorkspaceRules, writeWorkspaceRules } from "#db/queries/runs/approvals.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";
import { checkApprovals } from "./check-approvals.ts";

/** Reads the workspace's rules on approvals, as JSON. */
export async function getApprovals(workspace: Workspace): Promise<JsonText> {
  return readWorkspaceRules(workspace, workspace.who.workspaceId);
}

/**
 * Replaces the workspace's rules on approvals, for the calls of all its agents from their next run on.
 * @throws AppError `bad_request` for rules that can never be met
 */
export async function saveApprovals(workspace: Workspace, policy: ApprovalPolicy): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const checked = await checkApprovals(tx, workspace, { policy, path: "approvals" });
    await writeWorkspaceRules(tx, workspace.who.workspaceId, JSON.stringify(checked));
    return readWorkspaceRules(tx, workspace.who.workspaceId);
  });
}
