import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { listBudgets } from "#client/gen/operations/budgets.ts";
import { listRuns } from "#client/gen/operations/runs.ts";
import { getUsage } from "#client/gen/operations/usage.ts";
import { call } from "../../api/client.ts";
import { every } from "../../api/query-client.ts";
import { readAll } from "../../api/use-pages.ts";
import type { components } from "#client/gen/schema.ts";
import { now } from "../../lib/clock.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { GROUPS } from "./search.ts";

/** A budget and its current window. */
export type Budget = components["schemas"]["Budget"];
/** What was used, by day and something else. */
export type Usage = components["schemas"]["Usage"];

const DAY_MS = 86_400_000;
const REFRESH_MS = 15_000;

/** The budgets of the workspace, its agents and teams. */
export function useBudgets() {
  return useQuery({
    queryKey: ["budgets"],
    queryFn: () => readAll(listBudgets, {}),
    refetchInterval: every(REFRESH_MS),
  });
}

/** The URL of a report. @param format `csv` for a table */
export function usagePath(by: (typeof GROUPS)[number], days: number, format?: "csv"): string {
  return `/console/api/usage${stringifySearch({ ...usageQuery(by, days), format })}`;
}

function usageQuery(by: (typeof GROUPS)[number], days: number) {
  return { group_by: `day,${by}`, from: firstDay(days) };
}

/** The first of the last days, in UTC: `2026-11-01`. */
export function firstDay(days: number): string {
  return new Date(now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** The usage of the last days. A new query keeps the previous result until its own is loaded. */
export function useUsage(by: (typeof GROUPS)[number], days: number) {
  return useQuery({
    queryKey: ["usage", by, days],
    queryFn: () => call(getUsage)(usageQuery(by, days)),
    placeholderData: keepPreviousData,
  });
}

/** The runs of the last days that cost most. */
export function useExpensiveRuns(days: number) {
  return useQuery({
    queryKey: ["runs", "expensive", days],
    queryFn: () => {
      const since = new Date(Math.floor((now() - days * DAY_MS) / DAY_MS) * DAY_MS).toISOString();
      return call(listRuns)({ sort: "cost", since, limit: 6 });
    },
    placeholderData: keepPreviousData,
  });
}

/** The runs that have started and not ended, up to 200, the most expensive first. */
export function useStartedRuns() {
  return useQuery({
    queryKey: ["runs", "started"],
    queryFn: () => call(listRuns)({ status: ["running", "waiting_for_input"], sort: "cost", limit: 200 }),
    refetchInterval: every(REFRESH_MS),
  });
}
