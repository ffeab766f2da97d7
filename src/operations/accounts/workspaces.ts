import { z } from "zod";
import { AppError, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { requireWholeWorkspace } from "#domain/access/principal.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import type { WorkspaceChange } from "#domain/access/workspace-change.ts";
import type { WorkspaceDatabase } from "#db/database.ts";
import { markDeleted } from "#db/queries/access/deleted-workspaces.ts";
import { readPlace } from "#db/queries/access/instance-workspaces.ts";
import type { PlaceInInstance } from "#db/queries/access/instance-workspaces.ts";
import * as rows from "#db/queries/access/workspaces.ts";
import { readPasskeyStanding } from "#db/queries/accounts/passkeys.ts";
import type { WorkspaceDetails, WorkspaceRecord } from "#db/queries/access/workspaces.ts";
import { holdQueuedRuns, releaseHeldRuns, lockStarts } from "#db/queries/queue/held-jobs.ts";
import { newId } from "#lib/ids.ts";
import { displayName } from "#domain/display-name.ts";
import type { Services } from "../context.ts";
import type { Workspace } from "../workspace.ts";

/** The body of POST /console/api/workspaces. */
export const workspaceInput = z.strictObject({ name: displayName(100).trim() });

/** A workspace with its quotas, and what of the instance concerns it. */
export type WorkspaceInInstance = WorkspaceDetails & PlaceInInstance;

/** Reads the caller's workspace with its quotas and their use. @throws AppError `not_found`. */
export async function getWorkspace(
  workspace: Pick<Services, "db"> & WorkspaceDatabase<Principal>,
): Promise<WorkspaceInInstance> {
  const { db, who } = workspace;
  const [record, place] = await Promise.all([rows.readWorkspace(workspace), readPlace(db, who.workspaceId)]);
  return { ...orNotFound("Workspace")(record), ...orNotFound("Workspace")(place) };
}

/** Lists the workspaces of the caller; a key belongs to one workspace and shows that one only. */
export async function listWorkspaces(
  workspace: Pick<Services, "db"> & WorkspaceDatabase<Principal>,
): Promise<WorkspaceRecord[]> {
  if (workspace.who.keyId !== null) {
    const { quotas: _, ...record } = orNotFound("Workspace")(await rows.readWorkspace(workspace));
    return [record];
  }
  return rows.listWorkspaces(workspace.db, workspace.who.userId);
}

/**
 * Creates a workspace that the caller owns. With sign-ups closed, only the operator may: an owner of the instance's
 * first workspace.
 * @throws AppError `forbidden`; `quota_exceeded` when the caller owns the maximum number of workspaces.
 */
export async function createWorkspace(
  workspace: Workspace,
  { name, plan }: { readonly name: string; readonly plan: string },
): Promise<WorkspaceRecord> {
  requireWholeWorkspace(workspace.who);
  if (workspace.signUps === "closed" && !(await rows.ownsFirstWorkspace(workspace.db, workspace.who.userId))) {
    throw new AppError("forbidden", "Sign-ups are closed on this instance: only its operator creates workspaces.");
  }
  const created = await workspace.db.transaction(async (tx) => {
    const max = workspace.workspacesPerPerson;
    if ((await rows.countOwned(tx, workspace.who.userId)) >= max) throw tooMany(max);
    return rows.createWorkspace(tx, { id: newId(), name, plan, ownerId: workspace.who.userId });
  });
  if (created === undefined) throw new Error("Creating a workspace must return its record.");
  return created;
}

/**
 * Changes the caller's workspace. While it is paused, queued runs are held; started runs continue, on any process.
 * @throws AppError `not_found`; `bad_request` when it would keep runs for longer than the instance; `conflict` when it
 * would close the workspace to the caller's own session.
 */
export async function changeWorkspace(workspace: Workspace, change: WorkspaceChange): Promise<WorkspaceInInstance> {
  const { workspaceId } = workspace.who;
  const { paused } = change;
  checkRetention(change, workspace.retentionTasksDays);
  if (change.require_passkeys === true) await checkOwnAccess(workspace);
  await workspace.transaction(async (tx) => {
    if (paused !== undefined) await lockStarts(tx, workspaceId);
    await rows.changeWorkspace(tx, workspaceId, change);
    if (paused === true) await holdQueuedRuns(tx, workspaceId);
    if (paused === false) await releaseHeldRuns(tx, workspaceId);
  });
  return getWorkspace(workspace);
}

/**
 * Deletes the caller's workspace: access ends before this returns. Its work is cancelled and its rows are deleted soon
 * after, in small transactions (`purgeWorkspaces`).
 * @throws AppError `forbidden` unless the caller owns it; `bad_request` when `confirm` is not its name; `conflict` for
 * the first workspace of the instance.
 */
export async function deleteWorkspace(workspace: Workspace, confirm: string): Promise<void> {
  const { workspaceId } = workspace.who;
  requireRole(workspace.who, "owner");
  // Runs as the service itself: the database roles of requests may not delete a workspace.
  await workspace.db.transaction(async (tx) => {
    const record = orNotFound("Workspace")(await rows.lockWorkspace(tx, workspaceId, workspace.who.userId));
    requireRole({ role: record.role ?? "viewer" }, "owner");
    if (confirm !== record.name) {
      throw new AppError("bad_request", `Confirm with the workspace's name: confirm must be "${record.name}".`);
    }
    // Otherwise the owners of the next one would operate the instance.
    if (record.isFirst) {
      throw new AppError(
        "conflict",
        "The first workspace of an instance cannot be deleted: its owners operate the instance. Rename it instead.",
      );
    }
    await markDeleted(tx, workspaceId);
  });
  workspace.keys.invalidateAll();
}

function checkRetention({ retention_tasks_days: days }: WorkspaceChange, max: number | undefined): void {
  if (days == null || max === undefined || days <= max) return;
  const message = `must be at most ${max}, as many days as this instance keeps runs (RETENTION_TASKS_DAYS)`;
  throw invalid("body", [{ path: "retention_tasks_days", message }]);
}

/** Who requires passkeys has used one here, or needs none: otherwise everyone could be locked out. */
async function checkOwnAccess({ db, who: { userId, sessionId } }: Workspace): Promise<void> {
  const standing = sessionId === undefined ? undefined : await readPasskeyStanding(db, { userId, sessionId });
  if (standing?.byPassword === false) return;
  throw new AppError(
    "conflict",
    "First add a passkey to your account, or sign in with one: who requires passkeys must be able to use them here.",
  );
}

function tooMany(max: number): AppError {
  return new AppError(
    "quota_exceeded",
    `A person may own at most ${max} workspaces on this instance. Delete one, or ask the operator (WORKSPACES_PER_PERSON).`,
  );
}
