import { oneOf, textOf } from "../../lib/search.ts";

/** The times that usage is shown for, in days. */
export const RANGES = ["7", "30", "90"] as const;
/** By what it is stacked. */
export const GROUPS = ["agent", "model", "team"] as const;
/** What is counted. */
export const METRICS = ["cost", "tokens", "kinds"] as const;

/** The search parameters of Usage; defaults are omitted. */
export interface UsageSearch {
  readonly days?: (typeof RANGES)[number];
  readonly by?: (typeof GROUPS)[number];
  readonly of?: (typeof METRICS)[number];
  /** The budget that is edited, or `new`. */
  readonly budget?: string;
}

/** Reads the search parameters of Usage; unknown ones are dropped. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const [days, by, of, budget] = [
    oneOf(search["days"], RANGES),
    oneOf(search["by"], GROUPS),
    oneOf(search["of"], METRICS),
    textOf(search["budget"]),
  ];
  return {
    ...(days !== undefined && { days }),
    ...(by !== undefined && { by }),
    ...(of !== undefined && { of }),
    ...(budget !== undefined && { budget }),
  };
}
