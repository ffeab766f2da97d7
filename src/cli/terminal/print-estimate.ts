import type { Schemas } from "#client/index.ts";
import { formatCost, formatDuration } from "./format.ts";
import type { Output } from "./output.ts";

/** Prints what a task will cost, by the runs before it. */
export function printEstimate(out: Output, told: Schemas["RunEstimate"]): void {
  const { cost_usd: cost, total_tokens: tokens, duration_ms: time, runs } = told;
  if (cost === null || tokens === null || time === null) {
    out.line("No run has completed yet that could tell.");
    return;
  }
  const row = (share: string, p: "p50" | "p90") => [
    share,
    formatCost(cost[p]),
    String(tokens[p]),
    formatDuration(time[p]),
  ];
  out.table(["AT MOST", "COST", "TOKENS", "TIME"], [row("half of the runs", "p50"), row("nine of ten", "p90")]);
  out.note(`By the last ${runs} completed ${runs === 1 ? "run" : "runs"}.`);
}
