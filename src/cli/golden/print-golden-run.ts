import type { Schemas } from "#client/index.ts";
import { formatCost, formatDuration } from "../terminal/format.ts";
import type { Output } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { whyNotPassed } from "./junit.ts";

/** Prints a golden run: a line for each case with its figures before and after, then why cases have not passed. */
export function printGoldenRun(out: Output, run: Schemas["GoldenRunDetails"]): void {
  out.table(
    ["CASE", "STATUS", "COST", "TIME"],
    run.results.map(({ name, status, before, after }) => [
      name,
      status,
      change(formatCost(before.cost_usd), after.cost_usd === null ? undefined : formatCost(after.cost_usd)),
      change(
        formatDuration(before.duration_ms),
        after.duration_ms === null ? undefined : formatDuration(after.duration_ms),
      ),
    ]),
  );
  for (const result of run.results) {
    for (const why of whyNotPassed(result)) out.line(`${safeText(result.name)}: ${safeText(why)}`);
  }
  out.line(`${run.passed} of ${run.cases} cases passed`);
}

function change(before: string, after: string | undefined): string {
  return after === undefined ? before : `${before} → ${after}`;
}
