import type { RouteCreate, RoutePatch } from "#domain/destinations/output-route.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import * as rows from "#db/queries/destinations/output-routes.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { checkConfig, formOf, mergeConfig, openConfig, storeConfig } from "./route-config.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Output route");

/**
 * Creates an output route. @throws AppError `bad_request` with the paths, also of its configuration.
 * @param input an `id` is for callers that choose it themselves
 */
export async function createRoute(
  workspace: Workspace,
  input: RouteCreate & { readonly id?: string },
): Promise<JsonText> {
  const form = formOf(workspace, input.type);
  checkConfig(workspace, form, input.config);
  const { workspaceId } = workspace.who;
  const { id = newId() } = input;
  const stored = storeConfig(workspace.secrets, { workspaceId, id, form }, input.config);
  return workspace.transaction(async (tx) => {
    await rows.insertRoute(tx, { ...input, ...stored, id, workspace_id: workspaceId }, workspace.who.userId);
    return found(await readRecord(tx, "output_route", id));
  });
}

/** Reads a route with its secrets masked. @throws AppError `not_found`. */
export async function getRoute(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "output_route", id));
}

/** Changes a route. @throws AppError `not_found`; `bad_request` as in {@link createRoute}. */
export async function updateRoute(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: RoutePatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockRoute(tx, id));
    const form = formOf(workspace, current.type);
    const { config: given, ...changes } = patch;
    if (given === undefined) await rows.updateRoute(tx, { ...current, ...changes });
    else {
      const config = mergeConfig(form, given, openConfig(workspace.secrets, current));
      checkConfig(workspace, form, config);
      const stored = storeConfig(workspace.secrets, { workspaceId: workspace.who.workspaceId, id, form }, config);
      await rows.updateRoute(tx, { ...current, ...changes, ...stored });
    }
    return found(await readRecord(tx, "output_route", id));
  });
}

/** Deletes routes, all or none; their delivery logs remain. @throws AppError `not_found`. */
export async function deleteRoutes(workspace: Workspace, ids: readonly string[]): Promise<void> {
  const deleted = await workspace.transaction((tx) => rows.deleteRoutes(tx, ids));
  if (deleted < ids.length) throw notFound("Output route");
}
