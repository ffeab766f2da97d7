import { z } from "zod";
import { formSchema } from "#domain/destinations/destination-form.ts";
import { ROUTE_KINDS, ROUTE_READ_ONLY, routeCreate, routePatch } from "#domain/destinations/output-route.ts";
import { ROUTE_EVENTS } from "#domain/destinations/payload.ts";
import { testRoute } from "#operations/destinations/deliveries.ts";
import { createRoute, deleteRoutes, getRoute, setupOfRoute, updateRoute } from "#operations/destinations/routes.ts";
import { listPage } from "#operations/list-records.ts";
import { CALLING_VENDORS, channelPath } from "#domain/people/channel-path.ts";
import { originOf } from "../../middleware/origin.ts";
import { nameFilter } from "../shape/list-query.ts";
import { pageQuery, pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { deliveryDetails } from "./delivery-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const TAG = "Output routes";
const PATH = "/console/api/routes";
const time = z.iso.datetime();

const routeType = z
  .strictObject({
    type: z.string(),
    kinds: z.array(z.enum(ROUTE_KINDS)).describe("What a route of the type can be for."),
    title: z.string(),
    description: z.string(),
    account: z.enum(["google"]).nullable().describe("The account that the workspace must connect first."),
    config_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of config; secrets are writeOnly."),
    agent_config_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("The same for kind agent; null where nobody can talk to an agent."),
  })
  .meta({ id: "OutputRouteType" });

const routeRecord = z
  .strictObject({
    id: z.uuid(),
    workspace_id: z.uuid(),
    name: z.string(),
    kind: z.enum(ROUTE_KINDS),
    type: z.string(),
    events: z.array(z.enum(ROUTE_EVENTS)),
    is_active: z.boolean(),
    config: z.record(z.string(), z.unknown()).describe("Secrets are masked, except for up to four last characters."),
    allowed_user_ids: z
      .array(z.string())
      .describe("Kinds people and agent: who may answer or talk in the channel; []: everybody in it."),
    members: z
      .array(z.strictObject({ member: z.uuid(), user_id: z.string().nullable() }))
      .describe("Kind people: the members in the channel, with the vendor's ids by which their presses are known."),
    agent_id: z.uuid().nullable().describe("Kind agent: the agent that people talk to; null when it was deleted."),
    messages_per_minute: z.int().describe("Kind agent: how many messages a minute the agent takes from one person."),
    retry_delays: z.array(z.int()).describe("Seconds before the second attempt, the third, and so on."),
    health: z.enum(["healthy", "unhealthy"]).describe("unhealthy after 20 failed deliveries in a row."),
    failures_in_row: z.int(),
    last_success_at: time.nullable().describe("Accurate to the minute while no delivery fails."),
    last_failure_at: time.nullable(),
    created_by: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: "OutputRoute" });

const routeSetup = z
  .strictObject({
    request_url: z.string().nullable().describe("The URL at which the vendor calls; null when it does not."),
    steps: z.string().describe("What to do at the vendor, in Markdown."),
  })
  .meta({ id: "OutputRouteSetup" });

/** Adds /console/api/route-types and /console/api/routes: the destinations of results. */
export default function addRoutes(api: Api): void {
  addPath(api, "/console/api/route-types", { tag: TAG, endpoints: [types] });
  addPath(api, PATH, { tag: TAG, endpoints: [list, create] });
  addPath(api, `${PATH}/{id}`, { tag: TAG, endpoints: [read, change, remove] });
  addPath(api, `${PATH}/{id}/setup`, { tag: TAG, endpoints: [setup] });
  addPath(api, `${PATH}/{id}/test`, { tag: TAG, endpoints: [test] });
}

const types = endpoint({
  method: "get",
  operationId: "listRouteTypes",
  summary: "List the types of output routes with their forms",
  success: { status: 200, schema: z.array(routeType) },
  async handle({ c, workspace: { destinations } }) {
    return respondValue(
      c,
      destinations.map((form) => {
        const { type, title, description, account, peopleSetup, agentSetup, agentConfig } = form;
        const setups = { results: "", people: peopleSetup, agent: agentSetup };
        const kinds = ROUTE_KINDS.filter((kind) => setups[kind] !== null);
        const ofAgent = agentConfig && formSchema({ config: agentConfig });
        const schemas = { config_schema: formSchema(form), agent_config_schema: ofAgent };
        return { type, kinds, title, description, account, ...schemas };
      }),
    );
  },
});

const list = endpoint({
  method: "get",
  operationId: "listRoutes",
  summary: "List output routes, newest first",
  query: pageQuery.extend({ q: nameFilter }),
  success: { status: 200, schema: z.array(routeRecord) },
  handle: async ({ c, workspace, query: { q, ...page } }) =>
    respondPage(c, await listPage(workspace, { of: "output_route", ...pageOf(page), fields: { q } })),
});

const create = endpoint({
  method: "post",
  operationId: "createRoute",
  needs: "admin",
  summary: "Create an output route",
  body: routeCreate,
  readOnly: ROUTE_READ_ONLY,
  success: { status: 201, schema: routeRecord },
  handle: async ({ c, workspace, body }) => respond(c, await createRoute(workspace, body), 201),
});

const read = endpoint({
  method: "get",
  operationId: "getRoute",
  summary: "Read an output route",
  params: idQuery,
  success: { status: 200, schema: routeRecord },
  handle: async ({ c, workspace, params }) => respond(c, await getRoute(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateRoute",
  needs: "admin",
  summary: "Change, pause or resume an output route",
  params: idQuery,
  body: routePatch,
  readOnly: [...ROUTE_READ_ONLY, "type", "kind"],
  success: { status: 200, schema: routeRecord },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateRoute(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteRoute",
  needs: "admin",
  summary: "Delete an output route; its delivery log remains",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteRoutes(workspace, [params.id]),
});

const setup = endpoint({
  method: "get",
  operationId: "getRouteSetup",
  summary: "Read how to set the vendor up for an output route that asks people, or lets them talk to an agent",
  params: idQuery,
  success: { status: 200, schema: routeSetup },
  async handle({ c, workspace, params }) {
    const { type, steps } = await setupOfRoute(workspace, params.id);
    const vendor = CALLING_VENDORS.find((one) => one === type);
    const url = vendor === undefined ? null : originOf(c, workspace) + channelPath(params.id, vendor);
    return respondValue(c, { request_url: url, steps: steps.replaceAll("{url}", url ?? "") });
  },
});

const test = endpoint({
  method: "post",
  operationId: "testRoute",
  starts: true,
  summary: "Send a marked test through an output route; read the delivery for its outcome",
  params: idQuery,
  success: { status: 201, schema: deliveryDetails },
  handle: async ({ c, workspace, params }) => respond(c, await testRoute(workspace, params.id), 201),
});
