import { z } from "zod";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";

const ROUTES = "/console/api/routes";
const DELIVERIES = "/console/api/deliveries";
const HOOKS = "/console/api/hooks";

const routeType = z.looseObject({
  type: z.string(),
  title: z.string(),
  config_schema: z.looseObject({
    properties: z.record(z.string(), z.looseObject({})).default({}),
    required: z.array(z.string()).default([]),
  }),
});

const route = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  events: z.array(z.string()),
  is_active: z.boolean(),
  config: z.record(z.string(), z.unknown()),
  health: z.string(),
  failures_in_row: z.number(),
});

const delivery = z.looseObject({
  id: z.string(),
  event: z.string(),
  target_name: z.string(),
  type: z.string(),
  status: z.string(),
  attempt_count: z.number(),
  http_code: z.number().nullable(),
  error: z.string().nullable(),
  created_at: z.string(),
});

const deliveryDetails = delivery.extend({
  attempts: z.array(
    z.looseObject({
      attempt: z.number(),
      status: z.string(),
      http_code: z.number().nullable(),
      error: z.string().nullable(),
      duration_ms: z.number(),
      created_at: z.string(),
    }),
  ),
});

const hook = z.looseObject({ id: z.string(), target_url: z.string(), event: z.string() });
const hookWithSecret = hook.extend({ secret: z.string() });

/** An output route as the commands see it. */
export type Route = z.output<typeof route>;
/** A delivery with its attempts. */
export type DeliveryDetails = z.output<typeof deliveryDetails>;

/** The operations on output routes, deliveries and webhook subscriptions that the commands use. */
export interface DeliveriesApi {
  routeTypes(): Promise<readonly z.output<typeof routeType>[]>;
  listRoutes(limit: number): Promise<Listed<Route>>;
  getRoute(id: string): Promise<Route>;
  createRoute(body: object): Promise<Route>;
  updateRoute(id: string, patch: object): Promise<Route>;
  removeRoute(id: string): Promise<void>;
  /** Sends a marked test; the delivery tells later how it ended. */
  testRoute(id: string): Promise<DeliveryDetails>;
  list(limit: number, filter: Readonly<Record<string, string>>): Promise<Listed<z.output<typeof delivery>>>;
  get(id: string): Promise<DeliveryDetails>;
  redeliver(id: string): Promise<DeliveryDetails>;
  /** Delivers again what failed since a time (ISO 8601); returns how many deliveries that are. */
  redeliverSince(since: string, routeId: string | undefined): Promise<number>;
  listHooks(limit: number): Promise<Listed<z.output<typeof hook>>>;
  createHook(body: object): Promise<z.output<typeof hookWithSecret>>;
  rotateHook(id: string): Promise<z.output<typeof hookWithSecret>>;
  removeHook(id: string): Promise<void>;
}

/** The operations over a client. */
export function createDeliveriesApi(client: HttpClient): DeliveriesApi {
  const one = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;
  const remove = (path: string) => client.request(z.undefined(), { method: "DELETE", path });
  return {
    routeTypes: () => client.request(z.array(routeType), { method: "GET", path: "/console/api/route-types" }),
    listRoutes: (limit) => listRecords(client, { path: ROUTES, record: route, limit }),
    getRoute: (id) => client.request(route, { method: "GET", path: one(ROUTES, id) }),
    createRoute: (body) => client.request(route, { method: "POST", path: ROUTES, body }),
    updateRoute: (id, body) => client.request(route, { method: "PATCH", path: one(ROUTES, id), body }),
    removeRoute: (id) => remove(one(ROUTES, id)),
    testRoute: (id) => client.request(deliveryDetails, { method: "POST", path: `${one(ROUTES, id)}/test` }),
    list: (limit, filter) => listRecords(client, { path: DELIVERIES, record: delivery, limit, filter }),
    get: (id) => client.request(deliveryDetails, { method: "GET", path: one(DELIVERIES, id) }),
    redeliver: (id) => client.request(deliveryDetails, { method: "POST", path: `${one(DELIVERIES, id)}/redeliver` }),
    async redeliverSince(since, routeId) {
      const body = { since, ...(routeId !== undefined && { route_id: routeId }) };
      const answer = z.object({ redelivered: z.number() });
      return (await client.request(answer, { method: "POST", path: `${DELIVERIES}/redeliver`, body })).redelivered;
    },
    listHooks: (limit) => listRecords(client, { path: HOOKS, record: hook, limit }),
    createHook: (body) => client.request(hookWithSecret, { method: "POST", path: HOOKS, body }),
    rotateHook: (id) => client.request(hookWithSecret, { method: "POST", path: `${one(HOOKS, id)}/rotate` }),
    removeHook: (id) => remove(one(HOOKS, id)),
  };
}
