import { oneOf, textOf } from "../../lib/search.ts";

/** Which schedules or triggers are listed. */
export const PLANNED_STATES = ["active", "paused"] as const;

/** The search parameters of the lists of schedules and triggers, and of their pages. */
export interface PlannedSearch {
  readonly q?: string | undefined;
  readonly state?: (typeof PLANNED_STATES)[number] | undefined;
  readonly agent?: string | undefined;
  readonly team?: string | undefined;
  /** The form is open. */
  readonly edit?: "yes" | undefined;
}

/** Reads the parameters; unknown ones are dropped. */
export function readPlannedSearch(search: Record<string, unknown>): PlannedSearch {
  const state = oneOf(search["state"], PLANNED_STATES);
  const [q, agent, team] = [textOf(search["q"]), textOf(search["agent"]), textOf(search["team"])];
  const edit = oneOf(search["edit"], ["yes"] as const);
  return {
    ...(q !== undefined && { q }),
    ...(state !== undefined && { state }),
    ...(agent !== undefined && { agent }),
    ...(team !== undefined && { team }),
    ...(edit !== undefined && { edit }),
  };
}

/** The same as parameters of the API. */
export function plannedQuery({ q, state, agent, team }: PlannedSearch) {
  return { q, agent_id: agent, team_id: team, is_active: state === undefined ? undefined : state === "active" };
}

/** Whether a list is narrowed. */
export function isNarrowed({ q, state, agent, team }: PlannedSearch): boolean {
  return q !== undefined || state !== undefined || agent !== undefined || team !== undefined;
}
