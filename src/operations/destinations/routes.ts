import type { RouteCreate, RoutePatch } from "#domain/destinations/output-route.ts";
import { notFound, orNotFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import * as rows from "#db/queries/destinations/output-routes.ts";
import { readRecord, readRecordIn } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";
import { checkConfig, formOf, mergeConfig, openConfig, storeConfig } from "./route-config.ts";

const found = orNotFound("Output route");

/**
 * Creates an output route. @throws AppError `bad_request` with the paths, also of its configuration.
 * @param input an `id` is for callers that choose it themselves
 */
export async function createRoute(
  services: Services,
  who: Principal,
  input: RouteCreate & { readonly id?: string },
): Promise<JsonText> {
  const form = formOf(services, input.type);
  checkConfig(services, form, input.config);
  const { workspaceId } = who;
  const { id = newId() } = input;
  const stored = storeConfig(services.secrets, { workspaceId, id, form }, input.config);
  return services.db.inWorkspace(who, async (tx) => {
    await rows.insertRoute(tx, { ...input, ...stored, id, workspace_id: workspaceId }, who.userId);
    return found(await readRecordIn(tx, "output_route", id));
  });
}

/** Reads a route with its secrets masked. @throws AppError `not_found`. */
export async function getRoute(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who, "output_route", id));
}

/** Changes a route. @throws AppError `not_found`; `bad_request` as in {@link createRoute}. */
export async function updateRoute(
  services: Services,
  who: Principal,
  { id, patch }: { readonly id: string; readonly patch: RoutePatch },
): Promise<JsonText> {
  return services.db.inWorkspace(who, async (tx) => {
    const current = found(await rows.lockRoute(tx, id));
    const form = formOf(services, current.type);
    const { config: given, ...changes } = patch;
    if (given === undefined) await rows.updateRoute(tx, { ...current, ...changes });
    else {
      const config = mergeConfig(form, given, openConfig(services.secrets, current));
      checkConfig(services, form, config);
      const stored = storeConfig(services.secrets, { workspaceId: who.workspaceId, id, form }, config);
      await rows.updateRoute(tx, { ...current, ...changes, ...stored });
    }
    return found(await readRecordIn(tx, "output_route", id));
  });
}

/** Deletes routes, all or none; their delivery logs remain. @throws AppError `not_found`. */
export async function deleteRoutes(services: Services, who: Principal, ids: readonly string[]): Promise<void> {
  const deleted = await services.db.inWorkspace(who, (tx) => rows.deleteRoutes(tx, ids));
  if (deleted < ids.length) throw notFound("Output route");
}
