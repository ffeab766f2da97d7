import type { Principal } from "#domain/access/principal.ts";
import { includesRole, requireRole } from "#domain/access/role.ts";
import { notFound } from "#domain/errors.ts";
import type { FeedbackInput, FeedbackRecord } from "#domain/runs/feedback.ts";
import { deleteFeedback, readFeedback, saveFeedback } from "#db/queries/runs/feedback.ts";
import { newId } from "#lib/ids.ts";
import type { Services } from "../context.ts";
import { locate } from "./attempts.ts";

type Db = Pick<Services, "db">;

/** Records what a person says of a run or a message; it replaces what they had said of the same. @throws AppError `not_found`. */
export function giveFeedback(
  { db }: Db,
  who: Principal,
  { runId, surface, ...given }: FeedbackInput & { readonly runId: string; readonly surface: "console" | "ag-ui" },
): Promise<FeedbackRecord> {
  requireRole(who, "member");
  const via = surface === "console" && who.keyId !== null ? "api" : surface;
  return db.inWorkspace(who, async (tx) => {
    const { id, attempt } = await locate(tx, { id: runId, attempt: given.attempt });
    const { workspaceId, userId } = who;
    return saveFeedback(tx, { ...given, id: newId(), run_id: id, attempt, via, workspaceId, userId });
  });
}

/** Lists what was said of a run and its messages, in all attempts. @throws AppError `not_found`. */
export function listFeedback({ db }: Db, who: Principal, runId: string): Promise<readonly FeedbackRecord[]> {
  return db.inWorkspace(who, async (tx) => readFeedback(tx, (await locate(tx, { id: runId })).id));
}

/** Takes a piece of feedback back: one's own, or as an admin anybody's. @throws AppError `not_found`. */
export function withdrawFeedback(
  { db }: Db,
  who: Principal,
  { runId, id }: { readonly runId: string; readonly id: string },
): Promise<void> {
  requireRole(who, "member");
  const by = includesRole(who.role, "admin") ? null : who.userId;
  return db.inWorkspace(who, async (tx) => {
    const run = await locate(tx, { id: runId });
    if (!(await deleteFeedback(tx, id, run.id, by))) throw notFound("Feedback");
  });
}
