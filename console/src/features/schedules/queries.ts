import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getSchedule, listScheduleFires, listSchedules, previewSchedule } from "#client/gen/operations/schedules.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import { plannedQuery } from "./search.ts";
import type { PlannedSearch } from "./search.ts";

const PATH = "/console/api/schedules";

/** The path of the schedules that match the filters. */
export function schedulesPath(search: PlannedSearch): string {
  return `${PATH}${stringifySearch(plannedQuery(search))}`;
}

/** The schedules, newest first. */
export function useSchedules(search: PlannedSearch) {
  return usePages(["schedules"], [listSchedules, plannedQuery(search)]);
}

/** One of them. */
export function useSchedule(id: string) {
  return useQuery({
    queryKey: ["schedules", id],
    queryFn: () => call(getSchedule)({ id }),
  });
}

/** What became of a schedule's times, newest first. */
export function useFires(id: string) {
  return usePages(["schedules", id, "fires"], [listScheduleFires, { id }]);
}

/** The next times of a cron expression that has not been saved; the error is the server's. */
export function usePreview(cron: string, timeZone: string) {
  return useQuery({
    queryKey: ["schedule-preview", cron, timeZone],
    queryFn: async () => (await call(previewSchedule)({ cron, time_zone: timeZone })).next_times,
    placeholderData: keepPreviousData,
    enabled: cron.trim() !== "",
    retry: false,
  });
}
