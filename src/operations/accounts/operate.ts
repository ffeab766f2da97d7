import { AppError, orNotFound } from "#domain/errors.ts";
import type { Database, Transaction } from "#db/database.ts";
import { markDeleted } from "#db/queries/access/deleted-workspaces.ts";
import { readInstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import type { InstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import { beginErasure, readErasure } from "#db/queries/access/erasures.ts";
import type { Erasure } from "#domain/access/erasure.ts";
import * as rows from "#db/queries/access/operated-workspaces.ts";
import type { OperatorActor } from "#db/queries/access/operated-workspaces.ts";
import { announceSchedules, lockStarts, releaseHeldRuns, stopJobs } from "#db/queries/queue/held-jobs.ts";

/** A workspace, and who operates on it; undefined for the operator at the machine. */
export interface Operated {
  readonly workspaceId: string;
  readonly actor?: OperatorActor | undefined;
}

/**
 * Holds a workspace or ends its hold. While it is held it is read as before; nothing new is stored or started in it, its
 * runs stop where they are, and its schedules, triggers and deliveries wait or are refused. Its questions have as much time
 * left afterwards as before.
 * @throws AppError `not_found`; `conflict` for the first workspace.
 */
export async function holdWorkspace(
  db: Database,
  { workspaceId, actor }: Operated,
  isHeld: boolean,
): Promise<InstanceWorkspace> {
  await db.transaction(async (tx) => {
    await rows.actAs(tx, actor);
    await lockStarts(tx, workspaceId);
    const workspace = orNotFound("Workspace")(await rows.lockOperated(tx, workspaceId));
    if (isHeld) rejectFirst(workspace, "held");
    if (workspace.isHeld === isHeld) return;
    if (!isHeld) await rows.giveTimeBack(tx, workspaceId);
    await rows.setHeld(tx, workspaceId, isHeld);
    await (isHeld ? stopJobs : resumeWork)(tx, workspaceId);
    await rows.recordOperation(tx, isHeld ? "workspace.held" : "workspace.released", workspaceId);
  });
  return orNotFound("Workspace")(await readInstanceWorkspace(db, workspaceId));
}

async function resumeWork(tx: Transaction, workspaceId: string): Promise<void> {
  await releaseHeldRuns(tx, workspaceId);
  await announceSchedules(tx, workspaceId);
}

/**
 * Erases a workspace: access ends before this returns. Its rows and files are deleted soon after, in small transactions
 * that continue after a crash (`purge`). Returns the receipt, which is not complete yet.
 * @throws AppError `not_found`, also for one that is being erased; `bad_request` when `confirm` is not its name;
 * `conflict` for the first workspace.
 */
export async function eraseWorkspace(
  db: Database,
  { workspaceId, actor }: Operated,
  confirm: string,
): Promise<Erasure> {
  await db.transaction(async (tx) => {
    await rows.actAs(tx, actor);
    const workspace = orNotFound("Workspace")(await rows.lockOperated(tx, workspaceId));
    if (confirm !== workspace.name) {
      throw new AppError("bad_request", `Confirm with the workspace's name: it is "${workspace.name}".`);
    }
    rejectFirst(workspace, "erased");
    await rows.recordOperation(tx, "workspace.erased", workspaceId);
    await beginErasure(tx, { kind: "workspace", subjectId: workspaceId, actor });
    await markDeleted(tx, workspaceId);
  });
  return orNotFound("Erasure")(await readErasure(db, workspaceId));
}

/** Records that a workspace was exported with all that it has. */
export async function recordExport(db: Database, workspaceId: string): Promise<void> {
  await db.transaction((tx) => rows.recordOperation(tx, "workspace.exported", workspaceId));
}

function rejectFirst({ isFirst }: rows.OperatedWorkspace, what: string): void {
  if (isFirst !== true) return;
  throw new AppError(
    "conflict",
    `The first workspace of an instance cannot be ${what}: its owners operate the instance.`,
  );
}
