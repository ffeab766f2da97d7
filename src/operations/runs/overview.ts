import type { Principal } from "#domain/access/principal.ts";
import { invalid } from "#domain/invalid.ts";
import { MAX_BUCKETS, bucketsBetween, totalsOf } from "#domain/runs/run-counts.ts";
import type { Bucket, Buckets, RunCount, RunTotals } from "#domain/runs/run-counts.ts";
import type { Transaction } from "#db/database.ts";
import { readCurrentState } from "#db/queries/runs/current-state.ts";
import type { CurrentState } from "#db/queries/runs/current-state.ts";
import { readBusiestAgents, readCosts, readErrorCodes, readRunCounts } from "#db/queries/runs/run-counts.ts";
import type { BusyAgent, CostSum, ErrorCount } from "#db/queries/runs/run-counts.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Services } from "../context.ts";

/** The maximum number of error codes, agents, questions, destinations and schedules in a response. */
const LIMIT = 10;

const COST_DECIMALS = 8;

/** The totals of an hour or a day. */
export interface BucketTotals extends RunTotals {
  readonly start: string;
  readonly tokens: number;
  readonly cost_usd: number;
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
export function readOverview(services: Pick<Services, "db">, who: Principal, query: PeriodQuery): Promise<Overview> {
  const buckets = divideIntoBuckets(query);
  return services.db.inWorkspace(who, async (tx) => {
    const [now, period, agents] = await allSettledOrThrow([
      readCurrentState(tx, LIMIT),
      readPeriod(tx, { runsOf: who.workspaceId, costOf: null, buckets }),
      readBusiestAgents(tx, { ...buckets, limit: LIMIT }),
    ]);
    return { now, ...period, agents };
  });
}

/** Divides a period into buckets. @throws AppError `bad_request` when it is empty or too long. */
export function divideIntoBuckets(query: PeriodQuery): Buckets {
  const buckets = bucketsBetween(query, Date.now());
  if (buckets !== undefined) return buckets;
  const message = `must be before to, and no more than ${MAX_BUCKETS} ${query.bucket}s earlier`;
  throw invalid("query", [{ path: "from", message }]);
}

/**
 * Reads what ended in a period.
 * @param of.runsOf the workspace, agent or team whose attempts count
 * @param of.costOf the agent whose usage counts, in teams too; null for that of the whole workspace
 */
export async function readPeriod(
  tx: Transaction,
  of: { readonly runsOf: string; readonly costOf: string | null; readonly buckets: Buckets },
): Promise<Period> {
  const { buckets } = of;
  const [counts, costs, codes] = await allSettledOrThrow([
    readRunCounts(tx, of.runsOf, buckets),
    readCosts(tx, of.costOf, buckets),
    readErrorCodes(tx, of.runsOf, { ...buckets, limit: LIMIT }),
  ]);
  return {
    from: buckets.from.toISOString(),
    to: buckets.to.toISOString(),
    bucket: buckets.bucket,
    buckets: eachBucket(buckets, counts, costs),
    total: { ...totalsOf(counts), ...sumOf(costs) },
    error_codes: codes,
  };
}

function eachBucket(
  { starts }: Buckets,
  counts: readonly RunCount[],
  costs: readonly CostSum[],
): readonly BucketTotals[] {
  const countsAt = Map.groupBy(counts, ({ start }) => start);
  const costsAt = Map.groupBy(costs, ({ start }) => start);
  return starts.map((start) => ({
    start,
    ...totalsOf(countsAt.get(start) ?? []),
    ...sumOf(costsAt.get(start) ?? []),
  }));
}

/** Adds up what was used. */
export function sumOf(costs: readonly Omit<CostSum, "start">[]): Omit<CostSum, "start"> {
  return {
    tokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    cost_usd: Number(costs.reduce((sum, cost) => sum + cost.cost_usd, 0).toFixed(COST_DECIMALS)),
  };
}
