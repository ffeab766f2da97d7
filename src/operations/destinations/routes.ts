import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import { defaultEvents } from "#domain/destinations/output-route.ts";
import type { RouteCreate, RouteKind, RoutePatch } from "#domain/destinations/output-route.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import * as rows from "#db/queries/destinations/output-routes.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { checkConfig, formOf, mergeConfig, openConfig, storeConfig } from "./route-config.ts";
import type { Workspace } from "../workspace.ts";
import { nameMembers } from "./route-members.ts";

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
  const { id = newId(), events = defaultEvents(input.kind) } = input;
  checkKind(workspace, form, { ...input, events });
  checkConfig(workspace, form, input.config);
  const { workspaceId } = workspace.who;
  const stored = storeConfig(workspace.secrets, { workspaceId, id, form }, input.config);
  return workspace.transaction(async (tx) => {
    const members = await nameMembers(tx, workspaceId, input.members);
    const row = { ...input, ...stored, events, members, id, workspace_id: workspaceId };
    await rows.insertRoute(tx, row, workspace.who.userId);
    return found(await readRecord(tx, "output_route", id));
  });
}

/** Reads a route with its secrets masked. @throws AppError `not_found`. */
export async function getRoute(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "output_route", id));
}

/**
 * Reads how to set the vendor up for a route's questions, with `{url}` for the route's own.
 * @throws AppError `not_found`; `conflict` for a route that asks nobody.
 */
export async function setupOfRoute(
  workspace: Workspace,
  id: string,
): Promise<{ readonly type: string; readonly steps: string }> {
  const { kind, type } = found(await rows.readRouteKind(workspace, id));
  const { peopleSetup } = formOf(workspace, type);
  if (kind === "results" || peopleSetup === null) {
    throw new AppError("conflict", "Only a route of kind people has a setup.");
  }
  return { type, steps: peopleSetup };
}

/** Changes a route. @throws AppError `not_found`; `bad_request` as in {@link createRoute}. */
export async function updateRoute(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: RoutePatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockRoute(tx, id));
    const form = formOf(workspace, current.type);
    const { config: given, members, ...fields } = patch;
    const named = members && { members: await nameMembers(tx, workspace.who.workspaceId, members) };
    const changes = { ...fields, ...named };
    checkKind(workspace, form, { ...current, ...changes });
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

/** Checks what depends on a route's kind. @throws AppError `bad_request` naming what is allowed. */
function checkKind(
  { destinations }: Pick<Workspace, "destinations">,
  form: DestinationForm,
  route: {
    readonly kind: RouteKind;
    readonly events: readonly string[];
    readonly allowed_user_ids: readonly string[];
    readonly members: readonly object[];
  },
): void {
  if (route.kind === "results") {
    const given = (["allowed_user_ids", "members"] as const).filter((field) => route[field].length > 0);
    if (given.length === 0) return;
    throw invalid(
      "body",
      given.map((path) => ({ path, message: "is for routes of kind people" })),
    );
  }
  if (form.peopleSetup === null) {
    const able = destinations.flatMap(({ type, peopleSetup }) => (peopleSetup === null ? [] : [type]));
    throw invalid("body", [{ path: "type", message: `must be one that asks people: ${able.join(", ")}` }]);
  }
  if (!route.events.includes("task.waiting_for_input")) {
    throw invalid("body", [{ path: "events", message: "must include task.waiting_for_input for kind people" }]);
  }
}
