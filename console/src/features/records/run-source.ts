import type { RunRow } from "./run-row.ts";

/** The kinds of sources in words. */
export const SOURCE_LABELS = {
  api: "API",
  console: "Console",
  schedule: "Schedule",
  trigger: "Trigger",
  a2a: "A2A",
  mcp: "MCP",
  page: "Page",
  fork: "Fork",
  channel: "Channel",
  golden: "Golden run",
} as const satisfies Record<RunRow["source"]["kind"], string>;

/** Who or what started a run: the name of its key, person, schedule, trigger, page or route, else the kind. */
export function sourceLabel({ kind, name }: RunRow["source"]): string {
  return name ?? SOURCE_LABELS[kind];
}
