import { z } from "zod";
import { TRIGGER_READ_ONLY, triggerCreate, triggerPatch, HOOKS_ROOT } from "#domain/schedules/trigger.ts";
import { listPage } from "#operations/list-records.ts";
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  rotateTrigger,
  updateTrigger,
} from "#operations/schedules/triggers.ts";
import type { ShownTrigger } from "#operations/schedules/triggers.ts";
import type { HttpContext, HttpServices } from "../../context.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { plannedQuery, plannedPage, templateRecord } from "./schedules.ts";
import { originOf } from "../../middleware/origin.ts";
import { endpoint } from "../shape/endpoint.ts";

const PATH = "/console/api/triggers";
const time = z.iso.datetime();

const triggerRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    token_prefix: z.string(),
    has_secret: z.boolean().describe("Whether deliveries must be signed."),
    is_active: z.boolean(),
    reject_repeats: z.boolean().describe("Whether a body that was accepted within five minutes is rejected."),
    ...templateRecord,
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
    last_outcome: z.enum(["accepted", "refused"]).nullable().describe("The outcome of the last delivery."),
    last_delivery_at: time.nullable(),
  })
  .meta({ id: "Trigger" });

const shownTrigger = triggerRecord
  .extend({ token: z.string(), url: z.url().describe("The URL for deliveries. It is a secret and shown only once.") })
  .meta({ id: "ShownTrigger" });

const deliveryRecord = z
  .strictObject({
    id: z.uuid(),
    trigger_id: z.uuid(),
    outcome: z.enum(["accepted", "refused"]),
    reason: z.string().nullable().describe("Why it was rejected."),
    delivery_key: z.string().nullable().describe("The sender's id of the delivery."),
    bytes: z.int(),
    task_id: z.uuid().nullable(),
    created_at: time,
  })
  .meta({ id: "TriggerDelivery" });

/** Adds /console/api/triggers: URLs whose requests become tasks, and the log of deliveries. */
export default function addTriggers(api: Api): void {
  addPath(api, PATH, { tag: "Triggers", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Triggers", endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/rotate`, { tag: "Triggers", endpoints: [rotate] });
  addPath(api, `${PATH}/{id}/deliveries`, { tag: "Triggers", endpoints: [deliveries] });
}

const list = endpoint({
  method: "get",
  operationId: "listTriggers",
  summary: "List triggers, newest first",
  query: plannedQuery,
  success: { status: 200, schema: z.array(triggerRecord) },
  handle: async ({ c, workspace, query }) =>
    respondPage(c, await listPage(workspace, { of: "trigger", ...plannedPage(query) })),
});

const create = endpoint({
  method: "post",
  operationId: "createTrigger",
  summary: "Create a trigger; its URL is shown once",
  body: triggerCreate,
  keepsDigits: true,
  readOnly: TRIGGER_READ_ONLY,
  success: { status: 201, schema: shownTrigger },
  handle: async ({ c, workspace, body }) =>
    respondValue(c, withUrl(workspace, c, await createTrigger(workspace, body)), 201),
});

const read = endpoint({
  method: "get",
  operationId: "getTrigger",
  summary: "Read a trigger",
  params: idQuery,
  success: { status: 200, schema: triggerRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getTrigger(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateTrigger",
  summary: "Change, pause or resume a trigger",
  params: idQuery,
  body: triggerPatch,
  keepsDigits: true,
  readOnly: TRIGGER_READ_ONLY,
  success: { status: 200, schema: triggerRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateTrigger(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteTrigger",
  summary: "Delete a trigger with its log; its tasks remain",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteTrigger(workspace, params.id),
});

const rotate = endpoint({
  method: "post",
  operationId: "rotateTrigger",
  summary: "Replace a trigger's URL; the old one becomes invalid",
  params: idQuery,
  success: { status: 200, schema: shownTrigger },
  handle: async ({ c, workspace, params }) =>
    respondValue(c, withUrl(workspace, c, await rotateTrigger(workspace, params.id))),
});

const deliveries = endpoint({
  method: "get",
  operationId: "listTriggerDeliveries",
  summary: "List the deliveries to a trigger, newest first",
  params: idQuery,
  query: pageQuery,
  success: { status: 200, schema: z.array(deliveryRecord) },
  async handle({ c, workspace, params, query }) {
    await getTrigger(workspace, params.id);
    return respondPage(c, await listPage(workspace, { of: "trigger", triggerId: params.id, ...pageOf(query) }));
  },
});

function withUrl(services: HttpServices, c: HttpContext, { record, token }: ShownTrigger): object {
  const url = `${originOf(c, services)}${HOOKS_ROOT}${token}`;
  return { ...z.looseObject({}).parse(JSON.parse(record)), token, url };
}
