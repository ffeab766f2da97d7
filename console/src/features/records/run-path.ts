import { stringifySearch } from "../../lib/search.ts";

/** The URL of a run, or of a part of it. */
export function runPath(id: string, part: "" | "/steps" | "/step" = "", query: Record<string, unknown> = {}): string {
  return `/console/api/runs/${encodeURIComponent(id)}${part}${stringifySearch(query)}`;
}
