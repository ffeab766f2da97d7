import { formOfKind } from "#domain/destinations/destination-form.ts";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import { defaultRetries } from "#domain/destinations/default-retries.ts";
import { defaultEvents } from "#domain/destinations/output-route.ts";
import type { RouteCreate, RouteKind, RoutePatch } from "#domain/destinations/output-route.ts";
import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import * as rows from "#db/queries/destinations/output-routes.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { checkConfig, formOf, mergeConfig, openConfig, storeConfig } from "./route-config.ts";
import type { RouteConfig } from "./route-config.ts";
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
  const form = formOfKind(formOf(workspace, input.type), input.kind);
  const { kind } = input;
  const { id = newId(), events = defaultEvents(kind), retry_delays = defaultRetries(kind) } = input;
  checkKind(workspace, form, { ...input, events });
  checkConfig(workspace, form, input.config);
  checkAudience(input.type, input.kind, { config: input.config, allowed: input.allowed_user_ids });
  const { workspaceId } = workspace.who;
  const stored = storeConfig(workspace.secrets, { workspaceId, id, form }, input.config);
  return workspace.transaction(async (tx) => {
    const members = await nameMembers(tx, workspaceId, input.members);
    const row = { ...input, ...stored, events, retry_delays, members, id, workspace_id: workspaceId };
    await rows.insertRoute(tx, row, workspace.who.userId);
    return found(await readRecord(tx, "output_route", id));
  });
}

/** Reads a route with its secrets masked. @throws AppError `not_found`. */
export async function getRoute(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "output_route", id));
}

/**
 * Reads how to set the vendor up for a route's questions or conversations, with `{url}` for the route's own.
 * @throws AppError `not_found`; `conflict` for a route of results.
 */
export async function setupOfRoute(
  workspace: Workspace,
  id: string,
): Promise<{ readonly type: string; readonly steps: string }> {
  const { kind, type } = found(await rows.readRouteKind(workspace, id));
  const { peopleSetup, agentSetup } = formOf(workspace, type);
  const steps = { results: null, people: peopleSetup, agent: agentSetup }[kind];
  if (steps === null) throw new AppError("conflict", "Only a route of kind people or agent has a setup.");
  return { type, steps };
}

/** Changes a route. @throws AppError `not_found`; `bad_request` as in {@link createRoute}. */
export async function updateRoute(
  workspace: Workspace,
  { id, patch }: { readonly id: string; readonly patch: RoutePatch },
): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const current = found(await rows.lockRoute(tx, id));
    const form = formOfKind(formOf(workspace, current.type), current.kind);
    const { config: given, members, ...fields } = patch;
    const named = members && { members: await nameMembers(tx, workspace.who.workspaceId, members) };
    const changes = { ...fields, ...named };
    const { agent_id: chosen } = changes;
    // A deleted agent may be left so; only a choice is checked.
    checkKind(workspace, form, { ...current, ...changes, agent_id: chosen === undefined ? "kept" : chosen });
    const allowed = changes.allowed_user_ids ?? current.allowed_user_ids;
    checkAudience(current.type, current.kind, { config: given ?? current.config, allowed });
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

/** What depends on a route's kind. */
interface KindFields {
  readonly kind: RouteKind;
  readonly events: readonly string[];
  readonly allowed_user_ids: readonly string[];
  readonly members: readonly object[];
  readonly agent_id: string | null;
}

/** Checks what depends on a route's kind. @throws AppError `bad_request` naming what is allowed. */
function checkKind({ destinations }: Pick<Workspace, "destinations">, form: DestinationForm, route: KindFields): void {
  const issue = (path: string, message: string) => invalid("body", [{ path, message }]);
  const typesWith = (setup: "peopleSetup" | "agentSetup") =>
    destinations.flatMap((one) => (one[setup] === null ? [] : [one.type])).join(", ");
  if (route.kind !== "people" && route.members.length > 0) throw issue("members", "is for routes of kind people");
  switch (route.kind) {
    case "results":
      if (route.allowed_user_ids.length > 0) throw issue("allowed_user_ids", "is for routes of kind people or agent");
      break;
    case "people":
      if (form.peopleSetup === null) throw issue("type", `must be one that asks people: ${typesWith("peopleSetup")}`);
      if (!route.events.includes("task.waiting_for_input")) {
        throw issue("events", "must include task.waiting_for_input for kind people");
      }
      break;
    case "agent":
      if (form.agentSetup === null) throw issue("type", `must be one in which people talk: ${typesWith("agentSetup")}`);
      if (route.agent_id === null) throw issue("agent_id", "is required for kind agent");
      if (route.events.length > 0)
        throw issue("events", "must be empty for kind agent: only the conversations go there");
      return;
  }
  if (route.agent_id !== null && route.agent_id !== "kept") throw issue("agent_id", "is for routes of kind agent");
  if (route.events.length === 0) throw issue("events", "must have at least one");
}

/** Everybody can write to a bot of Telegram, so an agent there needs a list of people or a chat. */
function checkAudience(type: string, kind: RouteKind, { config, allowed }: Audience): void {
  if (kind !== "agent" || type !== "telegram" || allowed.length > 0 || config["chat_id"] !== undefined) return;
  const message = "is required without config.chat_id: otherwise everybody on Telegram may talk to the agent";
  throw invalid("body", [{ path: "allowed_user_ids", message }]);
}

interface Audience {
  readonly config: RouteConfig;
  readonly allowed: readonly string[];
}
