import { textOf } from "../../lib/search.ts";

/** The search parameters of Alerts. */
export interface AlertsSearch {
  /** A part of the name. */
  readonly q?: string;
  /** The alert that is edited, or `new`. */
  readonly alert?: string;
}

/** Reads the search parameters of Alerts; unknown ones are dropped. */
export function readAlertsSearch(search: Record<string, unknown>): AlertsSearch {
  const [q, alert] = [textOf(search["q"]), textOf(search["alert"])];
  return { ...(q !== undefined && { q }), ...(alert !== undefined && { alert }) };
}
