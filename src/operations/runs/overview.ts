import { invalid } from "#domain/invalid.ts";
import { MAX_BUCKETS, addCounts, bucketsBetween, totalsOf } from "#domain/runs/run-counts.ts";
import type { Bucket, Buckets, RunTotals } from "#domain/runs/run-counts.ts";
import type { Queries } from "#db/database.ts";
import { readCurrentState } from "#db/queries/runs/current-state.ts";
import type { CurrentState } from "#db/queries/runs/current-state.ts";
import { readBusiestAgents, readPeriods } from "#db/queries/runs/period-totals.ts";
import type { BusyAgent, PeriodSums, Used } from "#db/queries/runs/period-totals.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Workspace } from "../workspace.ts";

/** The maximum number of error codes, agents, questions, destinations and schedules in a response. */
const LIMIT = 10;

const COST_DECIMALS = 8;

/** The totals of an hour or a day. */
export interface BucketTotals extends RunTotals, Used {
  readonly start: string;
}

/** An error code of failed attempts, and its count. */
export interface ErrorCount {
  readonly code: string;
  readonly runs: number;
}

/** The runs that ended in a period, and its usage. */
export interface Period {
  readonly from: string;
  readonly to: string;
  readonly bucket: Bucket;
  readonly buckets: readonly BucketTotals[];
  readonly total: Omit<BucketTotals, "start">;
  readonly error_codes: readonly ErrorCount[];
}

/** The overview of a workspace. */
export interface Overview extends Period {
  readonly now: CurrentState;
  readonly agents: readonly BusyAgent[];
}

/** The requested period and its buckets. */
export interface PeriodQuery {
  readonly bucket: Bucket;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Reads the current state of the caller's workspace, and what ended in a period.
 * @throws AppError `bad_request` for a period that is empty or too long.
 */
export async function readOverview(workspace: Workspace, query: PeriodQuery): Promise<Overview> {
  const buckets = divideIntoBuckets(query);
  const [now, report] = await allSettledOrThrow([
    workspace.transaction((tx) => readCurrentState(tx, LIMIT)),
    workspace.reports.transaction(async (tx) => {
      const [period, agents] = await allSettledOrThrow([
        readPeriod(tx, workspace.who.workspaceId, buckets),
        readBusiestAgents(tx, { ...buckets, limit: LIMIT }),
      ]);
      return { ...period, agents };
    }),
  ]);
  return { now, ...report };
}

/** Divides a period into buckets. @throws AppError `bad_request` when it is empty or too long. */
export function divideIntoBuckets(query: PeriodQuery): Buckets {
  const buckets = bucketsBetween(query, Date.now());
  if (buckets !== undefined) return buckets;
  const message = `must be before to, and no more than ${MAX_BUCKETS} ${query.bucket}s earlier`;
  throw invalid("query", [{ path: "from", message }]);
}

/** Reads what ended in a period, and its usage. @param subjectId the workspace, or the agent or team that did it */
export async function readPeriod(db: Queries, subjectId: string, buckets: Buckets): Promise<Period> {
  const periods = await readPeriods(db, subjectId, buckets);
  const periodsAt = Map.groupBy(periods, ({ start }) => start);
  return {
    from: buckets.from.toISOString(),
    to: buckets.to.toISOString(),
    bucket: buckets.bucket,
    buckets: buckets.starts.map((start) => {
      const own = periodsAt.get(start) ?? [];
      return { start, ...totalsOf(own), ...sumOf(own) };
    }),
    total: { ...totalsOf(periods), ...sumOf(periods) },
    error_codes: mostFrequent(periods),
  };
}

function mostFrequent(periods: readonly PeriodSums[]): readonly ErrorCount[] {
  const counts = [...addCounts(periods.flatMap((period) => period.error_codes))].map(([code, runs]) => ({
    code,
    runs,
  }));
  return counts.toSorted((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1)).slice(0, LIMIT);
}

/** Adds up what was used. */
export function sumOf(used: readonly Used[]): Used {
  return {
    tokens: used.reduce((sum, { tokens }) => sum + tokens, 0),
    cost_usd: Number(used.reduce((sum, { cost_usd: cost }) => sum + cost, 0).toFixed(COST_DECIMALS)),
  };
}
