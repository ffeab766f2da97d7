import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import * as rows from "#db/queries/destinations/deliveries.ts";
import { readRouteKind } from "#db/queries/destinations/output-routes.ts";
import { readRecord } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Workspace } from "../workspace.ts";

const found = orNotFound("Delivery");

/** Reads a delivery with its attempts. @throws AppError `not_found`. */
export async function getDelivery(workspace: Workspace, id: string): Promise<JsonText> {
  return found(await readRecord(workspace, "delivery", id));
}

/** Reads the state of the last deliveries of each output route and webhook subscription, separated by commas. */
export function deliveryHealth(workspace: Workspace): Promise<JsonText> {
  return rows.readDeliveryHealth(workspace);
}

/**
 * Sends a marked test through a route, active or not; it is logged like any delivery.
 * @throws AppError `not_found`; `conflict` for a route of kind agent.
 */
export async function testRoute(workspace: Workspace, routeId: string): Promise<JsonText> {
  if ((await readRouteKind(workspace, routeId))?.kind === "agent") {
    throw new AppError("conflict", "A route of kind agent has no test: write to the agent in the channel.");
  }
  return workspace.transaction(async (tx) => {
    const ids = { eventId: newId(), deliveryId: newId() };
    if (!(await rows.insertTestDelivery(tx, { ...ids, workspaceId: workspace.who.workspaceId, routeId }))) {
      throw notFound("Output route");
    }
    return found(await readRecord(tx, "delivery", ids.deliveryId));
  });
}

/** Repeats a delivery, as a new delivery to the same receiver. @throws AppError `not_found`. */
export async function redeliver(workspace: Workspace, deliveryId: string): Promise<JsonText> {
  return workspace.transaction(async (tx) => {
    const id = newId();
    if (!(await rows.insertRedelivery(tx, { id, deliveryId }))) throw notFound("Delivery");
    return found(await readRecord(tx, "delivery", id));
  });
}

/** Repeats every delivery that has failed since a time and was not repeated yet; returns their number. */
export async function redeliverFailed(
  workspace: Workspace,
  filter: { readonly since: string; readonly routeId?: string | undefined },
): Promise<number> {
  return workspace.transaction((tx) => rows.insertRedeliveries(tx, workspace.who.workspaceId, filter));
}
