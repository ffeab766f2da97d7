import { useQuery } from "@tanstack/react-query";
import { listMcpServers } from "#client/gen/operations/mcp-servers.ts";
import { getOverview, listRuns } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { every } from "../../api/query-client.ts";
import type { components } from "#client/gen/schema.ts";

/** The current state of the workspace, and what ended in a period. */
export type Overview = components["schemas"]["Overview"];

const REFRESH_MS = 15_000;

/** The URL of the overview. */
export function overviewPath(bucket: "hour" | "day"): string {
  return `/console/api/overview?bucket=${bucket}`;
}

/** The last 24 hours by hour, or the last 14 days by day. Read again every 15 seconds, and when a run ends. */
export function useOverview(bucket: "hour" | "day") {
  return useQuery({
    queryKey: ["runs", "overview", bucket],
    queryFn: () => call(getOverview)({ bucket }),
    refetchInterval: every(REFRESH_MS),
  });
}

/** The runs that work now, the most expensive first. Their cost is read again every few seconds. */
export function useRunningNow() {
  return useQuery({
    queryKey: ["runs", "running-now"],
    queryFn: () => call(listRuns)({ status: ["running"], sort: "cost", limit: 6 }),
    refetchInterval: every(3_000),
  });
}

/** Whether the workspace has ever had a run. */
export function useHasRuns() {
  return useQuery({
    queryKey: ["runs", "any"],
    queryFn: async () => (await call(listRuns)({ limit: 1 })).items.length > 0,
  });
}

/** The MCP servers whose account no longer works: the caller's own, or the workspace's. */
export function useLostAccounts() {
  return useQuery({
    queryKey: ["mcp-servers", "lost"],
    queryFn: async () =>
      (await call(listMcpServers)({ limit: 100 })).items.filter(({ account_status: status }) => status === "lost"),
  });
}
