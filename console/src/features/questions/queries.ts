import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import type { components } from "../../api/paths.gen.ts";
import type { RunRow } from "../runs/records.ts";

/** More open questions than anybody answers in one go. */
const LIMIT = 100;
const PATH = `/console/api/runs?status=waiting_for_input&limit=${LIMIT}`;

/** The runs that wait for an answer, the next deadline first. */
export function useWaitingRuns() {
  return useQuery({
    queryKey: ["runs", "waiting"],
    queryFn: () => fetchJson<components["schemas"]["RunPage"]>(PATH),
    select: ({ items }) => items.toSorted(byDeadline),
  });
}

/** How many questions wait for an answer in this workspace. */
export function useOpenQuestionCount(): number {
  return useWaitingRuns().data?.length ?? 0;
}

/** The address of the list, for programs. */
export const WAITING_PATH = PATH;

function byDeadline(one: RunRow, other: RunRow): number {
  return deadlineOf(one) - deadlineOf(other);
}

function deadlineOf({ question_due: due }: RunRow): number {
  return due === null ? Number.POSITIVE_INFINITY : Date.parse(due);
}
