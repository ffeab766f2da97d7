import { AppError, orNotFound } from "#domain/errors.ts";
import type { Plan } from "#domain/access/plan.ts";
import type { Principal } from "#domain/access/principal.ts";
import { requireRole } from "#domain/access/role.ts";
import type { Database } from "#db/database.ts";
import * as rows from "#db/queries/access/instance-workspaces.ts";
import type { InstanceWorkspace } from "#db/queries/access/instance-workspaces.ts";
import { nearest } from "#lib/text/nearest.ts";
import type { Workspace } from "../workspace.ts";

/** Lists all workspaces of the instance. @throws AppError `forbidden` unless the caller operates it. */
export async function listInstanceWorkspaces(workspace: Workspace): Promise<InstanceWorkspace[]> {
  await requireOperator(workspace.db, workspace.who);
  return rows.listAllWorkspaces(workspace.db);
}

/**
 * Sets the plan of any workspace; its limits apply immediately.
 * @throws AppError `forbidden` unless the caller operates the instance; `not_found`.
 */
export async function changePlan(
  workspace: Workspace,
  { workspaceId, plan }: { readonly workspaceId: string; readonly plan: Plan },
): Promise<InstanceWorkspace> {
  await requireOperator(workspace.db, workspace.who);
  return orNotFound("Workspace")(
    await workspace.db.transaction((tx) => rows.setPlan(tx, { workspaceId, plan, actor: workspace.who })),
  );
}

/**
 * Sets the plan of the workspace with this slug or id, for an operator with access to the database.
 * @throws AppError `not_found`, with the slug that was probably meant.
 */
export async function setPlanBySlug(db: Database, slug: string, plan: Plan): Promise<InstanceWorkspace> {
  const workspaceId = await rows.findWorkspace(db, slug);
  const changed =
    workspaceId === undefined ? undefined : await db.transaction((tx) => rows.setPlan(tx, { workspaceId, plan }));
  if (changed !== undefined) return changed;
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
  if (await rows.isFirstWorkspace(db, who.workspaceId)) return;
  throw new AppError("forbidden", "Only owners of the instance's first workspace can do this, in that workspace.");
}
