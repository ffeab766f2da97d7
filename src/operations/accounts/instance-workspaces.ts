import { AppError, orNotFound } from "#domain/errors.ts";
import type { Plan } from "#domain/access/plan.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import * as rows from "#db/queries/access/instance-workspaces.ts";
import type { InstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import { nearest } from "#lib/text/nearest.ts";
import type { Workspace } from "../workspace.ts";
import { eraseWorkspace, holdWorkspace } from "./operate.ts";

/** Lists all workspaces of the instance. @throws AppError `forbidden` unless the caller operates it. */
export async function listInstanceWorkspaces(workspace: Workspace): Promise<InstanceWorkspace[]> {
  await requireOperator(workspace.db, workspace.who);
  return rows.listAllWorkspaces(workspace.db);
}

/** What an operator changes in a workspace; omitted fields are unchanged. */
export interface InstanceChange {
  readonly workspaceId: string;
  /** Its limits apply immediately. */
  readonly plan?: Plan | undefined;
  readonly held?: boolean | undefined;
}

/**
 * Changes any workspace.
 * @throws AppError `forbidden` unless the caller operates the instance; `not_found`; `conflict` for a hold of the first.
 */
export async function changeInstanceWorkspace(
  workspace: Workspace,
  { workspaceId, plan, held }: InstanceChange,
): Promise<InstanceWorkspace> {
  const { db, who: actor } = workspace;
  await requireOperator(db, actor);
  if (held !== undefined) await holdWorkspace(db, { workspaceId, actor }, held);
  if (plan !== undefined) await db.transaction((tx) => rows.setPlan(tx, { workspaceId, plan, actor }));
  return orNotFound("Workspace")(await rows.readInstanceWorkspace(db, workspaceId));
}

/**
 * Erases any workspace but the first: see {@link eraseWorkspace}.
 * @throws AppError `forbidden` unless the caller operates the instance; `not_found`; `bad_request` for a wrong
 * `confirm`; `conflict` for the first.
 */
export async function eraseInstanceWorkspace(workspace: Workspace, id: string, confirm: string): Promise<void> {
  await requireOperator(workspace.db, workspace.who);
  await eraseWorkspace(workspace.db, { workspaceId: id, actor: workspace.who }, confirm);
  workspace.keys.invalidateAll();
}

/**
 * Sets the plan of the workspace with this slug or id, for an operator with access to the database.
 * @throws AppError `not_found`, with the slug that was probably meant.
 */
export async function setPlanBySlug(db: Database, slug: string, plan: Plan): Promise<InstanceWorkspace> {
  const workspaceId = await findBySlug(db, slug);
  return orNotFound("Workspace")(await db.transaction((tx) => rows.setPlan(tx, { workspaceId, plan })));
}

/**
 * Finds the workspace with this slug or id; returns its id.
 * @throws AppError `not_found`, with the slug that was probably meant.
 */
export async function findBySlug(db: Database, slug: string): Promise<string> {
  const workspaceId = await rows.findWorkspace(db, slug);
  if (workspaceId !== undefined) return workspaceId;
  const near = nearest(
    slug,
    (await rows.listAllWorkspaces(db)).map((each) => each.slug),
  );
  const hint = near === undefined ? "See: muster workspaces list" : `Did you mean ${near}?`;
  throw new AppError("not_found", `No workspace has the slug or id ${slug}. ${hint}`);
}

/** The owners of the first workspace operate the instance, in that workspace. @throws AppError `forbidden` */
export async function requireOperator(db: Database, who: Principal): Promise<void> {
  requireRole(who, "owner");
  if ((await rows.readPlace(db, who.workspaceId))?.is_first === true) return;
  throw new AppError("forbidden", "Only owners of the instance's first workspace can do this, in that workspace.");
}
