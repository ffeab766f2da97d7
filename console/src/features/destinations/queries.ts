import { useQuery } from "@tanstack/react-query";
import { getDelivery, getDeliveryHealth, listDeliveries } from "#client/gen/operations/deliveries.ts";
import { getRoute, listRouteTypes, listRoutes } from "#client/gen/operations/output-routes.ts";
import { listWebhookSubscriptions } from "#client/gen/operations/webhooks.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { now } from "../../lib/clock.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { DeliverySearch } from "./search.ts";

const PERIOD_MS = { "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000 } as const;
const MINUTE_MS = 60_000;
/** How often deliveries in progress are read again. */
const OPEN_MS = 1_000;

export const ROUTES_PATH = "/console/api/routes";
export const HOOKS_PATH = "/console/api/hooks";

/** The output routes, newest first. @param q a part of the name */
export function useRoutes(q?: string) {
  return usePages(["routes"], [listRoutes, given({ q })]);
}

/** One of them. */
export function useRoute(id: string) {
  return useQuery({ queryKey: ["routes", id], queryFn: () => call(getRoute)({ id }) });
}

/** The types of output routes, which change with the version of the service only. */
export function useRouteTypes() {
  return useQuery({
    queryKey: ["route-types"],
    queryFn: () => call(listRouteTypes)(),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The states of the last deliveries of each route and subscription, newest first, by its id. */
export function useHealth() {
  return useQuery({
    queryKey: ["deliveries", "health"],
    queryFn: async () => {
      const all = await call(getDeliveryHealth)();
      return new Map(all.map(({ target_id: id, recent }) => [id, recent]));
    },
  });
}

/** The path of the deliveries that match the filters. @param target of this route or subscription */
export function deliveriesPath(search: DeliverySearch, target?: string): string {
  return `/console/api/deliveries${stringifySearch(deliveriesQuery(search, target))}`;
}

function deliveriesQuery({ status, since }: DeliverySearch, target: string | undefined) {
  // Whole minutes, so that the same list has the same URL for a while.
  const from = since === undefined ? undefined : Math.floor((now() - PERIOD_MS[since]) / MINUTE_MS) * MINUTE_MS;
  return given({
    status,
    since: from === undefined ? undefined : new Date(from).toISOString(),
    route_id: target,
    limit: 50,
  });
}

/** Deliveries, newest first; read again while one of them is in progress. */
export function useDeliveries(search: DeliverySearch, target?: string) {
  return usePages(["deliveries"], [listDeliveries, deliveriesQuery(search, target)], {
    everyMs: OPEN_MS,
    isChanging: (rows) => rows.some(({ status }) => status === "pending"),
  });
}

/** One delivery with its attempts, read again until it has ended. */
export function useDelivery(id: string) {
  return useQuery({
    queryKey: ["deliveries", id],
    queryFn: () => call(getDelivery)({ id }),
    refetchInterval: ({ state: { data } }) => data?.status === "pending" && OPEN_MS,
  });
}

/** The webhook subscriptions, newest first, paused ones as well. @param q a part of the URL */
export function useHooks(q?: string) {
  return usePages(["hooks"], [listWebhookSubscriptions, given({ q })]);
}
