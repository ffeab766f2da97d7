import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { givenId } from "#domain/given-id.ts";
import { deliveryHealth, getDelivery, redeliver, redeliverFailed } from "#operations/destinations/deliveries.ts";
import { listPage } from "#operations/list-records.ts";
import { listQuery } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondItems, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { deliveryDetails, deliveryRecord } from "./delivery-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const TAG = "Deliveries";
const PATH = "/console/api/deliveries";

const deliveriesQuery = listQuery.omit({ id: true }).extend({
  status: deliveryRecord.shape.status.optional(),
  event: z.string().max(50).optional(),
  route_id: givenId.optional().describe("Only those of this output route or webhook subscription."),
  task_id: givenId.optional(),
  run_id: givenId.optional().describe("Only those of this team run."),
  since: givenTime.optional().describe("Only deliveries created at this time or later."),
});

const healthRecord = z
  .strictObject({
    target_id: z.uuid().describe("An output route or a webhook subscription."),
    recent: z.array(deliveryRecord.shape.status).describe("The states of its last 50 deliveries, newest first."),
  })
  .meta({ id: "DeliveryHealth" });

const bulkBody = z
  .strictObject({
    since: givenTime.describe("Failed deliveries created since this time."),
    route_id: givenId.optional().describe("Only those of this output route."),
  })
  .describe("The failed deliveries to repeat.");

/** Adds /console/api/deliveries: deliveries to output routes and webhook subscriptions, kept for 30 days. */
export default function addDeliveries(api: Api): void {
  addPath(api, PATH, { tag: TAG, endpoints: [list] });
  addPath(api, `${PATH}/health`, { tag: TAG, endpoints: [health] });
  addPath(api, `${PATH}/redeliver`, { tag: TAG, endpoints: [redeliverAll] });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: [read] });
  addPath(api, `${PATH}/{id}/redeliver`, { tag: TAG, endpoints: [again] });
}

const list = endpoint({
  method: "get",
  operationId: "listDeliveries",
  summary: "List deliveries, newest first",
  query: deliveriesQuery,
  success: { status: 200, schema: z.array(deliveryRecord) },
  async handle({ c, workspace, query }) {
    const { limit, cursor, status, event, since, ...of } = query;
    const deliveries = { status, event, since, targetId: of.route_id, taskId: of.task_id, runId: of.run_id };
    return respondPage(c, await listPage(workspace, { of: "delivery", deliveries, ...pageOf({ limit, cursor }) }));
  },
});

const health = endpoint({
  method: "get",
  operationId: "getDeliveryHealth",
  summary: "Read the states of the last 50 deliveries of each output route and webhook subscription",
  success: { status: 200, schema: z.array(healthRecord) },
  handle: async ({ c, workspace }) => respondItems(c, await deliveryHealth(workspace), null),
});

const redeliverAll = endpoint({
  method: "post",
  operationId: "redeliverFailed",
  starts: true,
  summary: "Repeat all failed deliveries since a time, up to 10,000",
  body: bulkBody,
  success: { status: 201, schema: z.strictObject({ redelivered: z.int() }) },
  async handle({ c, workspace, body }) {
    const { since, route_id: routeId } = body;
    const redelivered = await redeliverFailed(workspace, { since, routeId });
    return respondValue(c, { redelivered }, 201);
  },
});

const read = endpoint({
  method: "get",
  operationId: "getDelivery",
  summary: "Read a delivery with its attempts",
  params: idQuery,
  success: { status: 200, schema: deliveryDetails },
  handle: async ({ c, workspace, params }) => respond(c, await getDelivery(workspace, params.id)),
});

const again = endpoint({
  method: "post",
  operationId: "redeliverDelivery",
  starts: true,
  summary: "Repeat a delivery, as a new one",
  params: idQuery,
  success: { status: 201, schema: deliveryDetails },
  handle: async ({ c, workspace, params }) => respond(c, await redeliver(workspace, params.id), 201),
});
