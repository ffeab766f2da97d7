import { duration } from "../../../lib/format.ts";
import type { RunHead } from "../../records/run-head.ts";
import type { Takeover } from "./waterfall.tsx";

const LABELS = { lost: "Process died", handed_over: "Process stopped" } as const;

/** Where another process went on with a run, by its executions. */
export function takeoversOf(executions: RunHead["executions"]): readonly Takeover[] {
  return executions.flatMap(({ end, to }, index) => {
    if (end !== "lost" && end !== "handed_over") return [];
    const next = executions[index + 1];
    const ended = to ?? next?.from;
    if (ended === undefined) return [];
    const at = Date.parse(ended);
    const resumed =
      next === undefined
        ? "not resumed yet"
        : `resumed ${duration(Math.max(Date.parse(next.from) - at, 0))} later${next.process === null ? "" : ` on ${next.process}`}`;
    return [{ at, words: `${LABELS[end]}, ${resumed}` }];
  });
}
