import type { CheckOutcome } from "#domain/golden/golden-check.ts";
import type { Queries } from "../../database.ts";
import { statement } from "../../statement.ts";

const NOTE = statement({
  name: "note-golden-checks",
  text: `
    update golden_results set checks = $2, tools = $3, cost_usd = $4::double precision, tokens = $5,
      duration_ms = $6
    where run_id = $1 and ended_at is null`,
});

/** How the checks of a case came out, and what its run did until then. */
export interface NotedChecks {
  readonly runId: string;
  readonly checks: readonly CheckOutcome[];
  readonly tools: readonly string[];
  readonly costUsd: number;
  readonly tokens: number;
  readonly durationMs: number;
}

/** Notes the outcome of a case whose run is about to end. Repeated, it changes nothing. */
export async function noteChecks(db: Queries, noted: NotedChecks): Promise<void> {
  const { runId, checks, tools, costUsd, tokens, durationMs } = noted;
  await db.query(NOTE, [runId, JSON.stringify(checks), JSON.stringify(tools), costUsd, tokens, durationMs]);
}
