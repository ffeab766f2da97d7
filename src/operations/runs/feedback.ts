import { includesRole, requireRole } from "#domain/access/role.ts";
import { notFound } from "#domain/errors.ts";
import type { FeedbackInput, FeedbackRecord } from "#domain/runs/feedback.ts";
import { deleteFeedback, readFeedback, saveFeedback } from "#db/queries/runs/feedback.ts";
import { newId } from "#lib/ids.ts";
import { locate } from "./attempts.ts";
import type { Workspace } from "../workspace.ts";

/** Records what a person says of a run or a message; it replaces what they had said of the same. @throws AppError `not_found`. */
export function giveFeedback(
  workspace: Workspace,
  { runId, surface, ...given }: FeedbackInput & { readonly runId: string; readonly surface: "console" | "ag-ui" },
): Promise<FeedbackRecord> {
  requireRole(workspace.who, "member");
  const via = surface === "console" && workspace.who.keyId !== null ? "api" : surface;
  return workspace.transaction(async (tx) => {
    const { id, attempt } = await locate(tx, { id: runId, attempt: given.attempt });
    const { workspaceId, userId } = workspace.who;
    return saveFeedback(tx, { ...given, id: newId(), run_id: id, attempt, via, workspaceId, userId });
  });
}

/** Lists what was said of a run and its messages, in all attempts. @throws AppError `not_found`. */
export function listFeedback(workspace: Workspace, runId: string): Promise<readonly FeedbackRecord[]> {
  return workspace.transaction(async (tx) => readFeedback(tx, (await locate(tx, { id: runId })).id));
}

/** Takes a piece of feedback back: one's own, or as an admin anybody's. @throws AppError `not_found`. */
export function withdrawFeedback(
  workspace: Workspace,
  { runId, id }: { readonly runId: string; readonly id: string },
): Promise<void> {
  requireRole(workspace.who, "member");
  const by = includesRole(workspace.who.role, "admin") ? null : workspace.who.userId;
  return workspace.transaction(async (tx) => {
    const run = await locate(tx, { id: runId });
    if (!(await deleteFeedback(tx, id, run.id, by))) throw notFound("Feedback");
  });
}
