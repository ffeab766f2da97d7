import { useQuery } from "@tanstack/react-query";
import { getAlert, listAlerts } from "#client/gen/operations/alerts.ts";
import { listRoutes } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { every } from "../../api/query-client.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";

const REFRESH_MS = 15_000;

export const ALERTS_PATH = "/console/api/alerts";

/** The alerts, newest first. Their values change with each check, which is not announced. @param q a part of the name */
export function useAlerts(q?: string) {
  return usePages(["alerts"], [listAlerts, given({ q })], {
    everyMs: REFRESH_MS,
    isChanging: (rows) => rows.length > 0,
  });
}

/** One of them. */
export function useAlert(id: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ["alerts", id],
    queryFn: () => call(getAlert)({ id }),
    enabled: isEnabled,
    refetchInterval: every(REFRESH_MS),
  });
}

/** All output routes, to choose from. */
export function useRouteNames() {
  return useQuery({ queryKey: ["routes", "names"], queryFn: () => readAll(listRoutes, {}) });
}
