import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { Fire, Schedule } from "./records.ts";
import { plannedQuery } from "./search.ts";
import type { PlannedSearch } from "./search.ts";

const PATH = "/console/api/schedules";

/** The path of the schedules that match the filters. */
export function schedulesPath(search: PlannedSearch): string {
  return `${PATH}${stringifySearch(plannedQuery(search))}`;
}

/** The schedules, newest first. */
export function useSchedules(search: PlannedSearch) {
  return usePages<Schedule>(["schedules"], schedulesPath(search));
}

/** One of them. */
export function useSchedule(id: string) {
  return useQuery({
    queryKey: ["schedules", id],
    queryFn: () => fetchJson<Schedule>(`${PATH}/${id}`),
  });
}

/** What became of a schedule's times, newest first. */
export function useFires(id: string) {
  return usePages<Fire>(["schedules", id, "fires"], `${PATH}/${id}/fires`);
}

/** The next times of a cron expression that has not been saved; the error is the server's. */
export function usePreview(cron: string, timeZone: string) {
  return useQuery({
    queryKey: ["schedule-preview", cron, timeZone],
    async queryFn() {
      const body = JSON.stringify({ cron, time_zone: timeZone });
      const headers = { "Content-Type": "application/json" };
      const preview = await fetchJson<{ readonly next_times: readonly string[] }>(`${PATH}/preview`, {
        method: "POST",
        headers,
        body,
      });
      return preview.next_times;
    },
    placeholderData: keepPreviousData,
    enabled: cron.trim() !== "",
    retry: false,
  });
}
