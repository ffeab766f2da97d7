import { EXIT } from "../errors/exit-codes.ts";
import type { ExitCode } from "../errors/exit-codes.ts";
import type { Schemas } from "#client/index.ts";
import { formatCost, formatDuration, formatUsedTokens } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";

/** Prints how a task or a run ended and its usage; returns the command's exit code. */
export function summarize(out: Output, what: "task" | "run", ended: Schemas["Task"] | Schemas["Run"]): ExitCode {
  const { id, status, usage, started_at, completed_at } = ended;
  const parts = [
    status,
    formatUsedTokens(usage),
    formatCost(usage.cost_usd),
    ...(started_at && completed_at ? [formatDuration(Date.parse(completed_at) - Date.parse(started_at))] : []),
    `${what} ${id}`,
  ];
  const isDone = status === "completed";
  out.note(parts.join(" · "), isDone ? "green" : "red");
  return isDone ? EXIT.ok : EXIT.failed;
}
