import { z } from "zod";
import { ALERT_READ_ONLY, ALERT_STATES, alertCreate, alertPatch } from "#domain/alerts/alert.ts";
import { ALERT_KINDS } from "#domain/alerts/alert-kinds.ts";
import { createAlert, deleteAlert, getAlert, testAlert, updateAlert } from "#operations/alerts/alerts.ts";
import { listPage } from "#operations/list-records.ts";
import { nameFilter } from "../shape/list-query.ts";
import { pageOf, pageQuery } from "../shape/page-query.ts";
import { respond, respondPage } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { endpoint } from "../shape/endpoint.ts";
import { deliveryDetails } from "../destinations/delivery-records.ts";

const PATH = "/console/api/alerts";
const time = z.iso.datetime();

const alertRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    kind: z.enum(ALERT_KINDS),
    threshold: z.number(),
    window_minutes: z.int().nullable(),
    min_runs: z.int().nullable(),
    agent_id: z.uuid().nullable(),
    team_id: z.uuid().nullable(),
    watched_route_id: z.uuid().nullable(),
    target_name: z.string().nullable().describe("The agent, the team or the watched route; null for the workspace."),
    route_id: z.uuid().nullable().describe("The destination of its events."),
    route_name: z.string().nullable().describe("null with a route_id: this route was deleted, and nothing is sent."),
    is_enabled: z.boolean(),
    state: z.enum(ALERT_STATES),
    since: time.describe("When the state last changed."),
    last_value: z
      .number()
      .nullable()
      .describe("In the unit of the threshold; null if there was nothing to measure, or fewer runs than min_runs."),
    last_checked_at: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "Alert" });

/** Adds /console/api/alerts: rules that are checked once a minute. */
export default function addAlerts(api: Api): void {
  addPath(api, PATH, { tag: "Alerts", endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: "Alerts", endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/test`, { tag: "Alerts", endpoints: [test] });
}

const list = endpoint({
  method: "get",
  operationId: "listAlerts",
  summary: "List alerts with their states, newest first",
  query: pageQuery.extend({ q: nameFilter }),
  success: { status: 200, schema: z.array(alertRecord) },
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondPage(c, await listPage(workspace, { of: "alert", ...pageOf(page), fields: { q } })),
});

const create = endpoint({
  method: "post",
  operationId: "createAlert",
  summary: "Create an alert; it is checked immediately, then once a minute",
  body: alertCreate,
  readOnly: ALERT_READ_ONLY,
  success: { status: 201, schema: alertRecord },
  handle: async ({ c, workspace, body }) => respond(c, await createAlert(workspace, body), 201),
});

const read = endpoint({
  method: "get",
  operationId: "getAlert",
  summary: "Read an alert with its state",
  params: idQuery,
  success: { status: 200, schema: alertRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getAlert(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateAlert",
  summary: "Change, enable or disable an alert; an enabled one is checked immediately",
  params: idQuery,
  body: alertPatch,
  readOnly: [...ALERT_READ_ONLY, "kind"],
  success: { status: 200, schema: alertRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateAlert(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteAlert",
  summary: "Delete an alert; its delivery log remains",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteAlert(workspace, params.id),
});

const test = endpoint({
  method: "post",
  operationId: "testAlert",
  starts: true,
  summary: "Send a marked test to an alert's destination; read the delivery for its outcome",
  params: idQuery,
  success: { status: 201, schema: deliveryDetails },
  handle: async ({ c, workspace, params }) => respond(c, await testAlert(workspace, params.id), 201),
});
