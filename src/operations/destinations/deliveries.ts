import { notFound, orNotFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import * as rows from "#db/queries/destinations/deliveries.ts";
import { readRecord, readRecordIn } from "#db/queries/tasks/read-record.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Services } from "../context.ts";

const found = orNotFound("Delivery");

/** Reads a delivery with its attempts. @throws AppError `not_found`. */
export async function getDelivery(services: Services, who: Principal, id: string): Promise<JsonText> {
  return found(await readRecord(services.db, who, "delivery", id));
}

/** Reads the state of the last deliveries of each output route and webhook subscription, separated by commas. */
export function deliveryHealth({ db }: Services, who: Principal): Promise<JsonText> {
  return rows.readDeliveryHealth(db, who);
}

/** Sends a marked test through a route, active or not; it is logged like any delivery. @throws AppError `not_found`. */
export async function testRoute(services: Services, who: Principal, routeId: string): Promise<JsonText> {
  return services.db.inWorkspace(who, async (tx) => {
    const ids = { eventId: newId(), deliveryId: newId() };
    if (!(await rows.insertTestDelivery(tx, { ...ids, workspaceId: who.workspaceId, routeId }))) {
      throw notFound("Output route");
    }
    return found(await readRecordIn(tx, "delivery", ids.deliveryId));
  });
}

/** Repeats a delivery, as a new delivery to the same receiver. @throws AppError `not_found`. */
export async function redeliver(services: Services, who: Principal, deliveryId: string): Promise<JsonText> {
  return services.db.inWorkspace(who, async (tx) => {
    const id = newId();
    if (!(await rows.insertRedelivery(tx, { id, deliveryId }))) throw notFound("Delivery");
    return found(await readRecordIn(tx, "delivery", id));
  });
}

/** Repeats every delivery that has failed since a time and was not repeated yet; returns their number. */
export async function redeliverFailed(
  services: Services,
  who: Principal,
  filter: { readonly since: string; readonly routeId?: string | undefined },
): Promise<number> {
  return services.db.inWorkspace(who, (tx) => rows.insertRedeliveries(tx, who.workspaceId, filter));
}
