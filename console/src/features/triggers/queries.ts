import { useQuery } from "@tanstack/react-query";
import { getTrigger, listTriggerDeliveries, listTriggers } from "#client/gen/operations/triggers.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import { plannedQuery } from "../schedules/search.ts";
import type { PlannedSearch } from "../schedules/search.ts";

const PATH = "/console/api/triggers";

/** The path of the triggers that match the filters. */
export function triggersPath(search: PlannedSearch): string {
  return `${PATH}${stringifySearch(plannedQuery(search))}`;
}

/** The triggers, newest first. */
export function useTriggers(search: PlannedSearch) {
  return usePages(["triggers"], [listTriggers, plannedQuery(search)]);
}

/** One of them. */
export function useTrigger(id: string) {
  return useQuery({ queryKey: ["triggers", id], queryFn: () => call(getTrigger)({ id }) });
}

/** What was delivered to a trigger, newest first. */
export function useTriggerDeliveries(id: string) {
  return usePages(["triggers", id, "deliveries"], [listTriggerDeliveries, { id }]);
}
