import { useQuery } from "@tanstack/react-query";
import {
  listErasures,
  listProcesses,
  listQueues,
  listTenants,
  readLogLevel,
} from "#client/gen/operations/workspaces.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { every } from "../../api/query-client.ts";
import { usePages } from "../../api/use-pages.ts";
import type { InstanceSearch } from "./search.ts";

/** What others do is not announced here. */
const REFRESH_MS = 15_000;

export const INSTANCE_PATH = "/console/api/instance";

/** A workspace as the operator sees it. */
export type Tenant = components["schemas"]["Tenant"];

/** All workspaces of the instance. */
export function useTenants(order: InstanceSearch["order"] = "load") {
  return usePages(["tenants"], [listTenants, { order }], { everyMs: REFRESH_MS, isChanging: () => true });
}

/** The processes of the service. */
export function useProcesses() {
  return useQuery({
    queryKey: ["processes"],
    queryFn: () => call(listProcesses)(),
    refetchInterval: every(REFRESH_MS),
  });
}

/** The log level that is set for some time. */
export function useLogLevel() {
  return useQuery({ queryKey: ["log-level"], queryFn: () => call(readLogLevel)(), refetchInterval: every(REFRESH_MS) });
}

/** The jobs of each kind. */
export function useQueues() {
  return useQuery({ queryKey: ["queues"], queryFn: () => call(listQueues)(), refetchInterval: every(REFRESH_MS) });
}

/** The last receipts of erasures. */
export function useErasures() {
  return useQuery({ queryKey: ["erasures"], queryFn: () => call(listErasures)(), refetchInterval: every(REFRESH_MS) });
}
