import { z } from "zod";

/** The sizes of buckets. */
export const BUCKETS = ["hour", "day"] as const;

/** One of {@link BUCKETS}. */
export type Bucket = (typeof BUCKETS)[number];

/** The maximum number of buckets in a response. */
export const MAX_BUCKETS = 750;

const BUCKET_MS = { hour: 3_600_000, day: 86_400_000 } as const satisfies Record<Bucket, number>;
/** The default number of buckets. */
const DEFAULT_BUCKETS = { hour: 24, day: 14 } as const satisfies Record<Bucket, number>;

/** The numbers of attempts that ended. */
export interface EndSums {
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /**
   * The completed and failed attempts by their bucket of durations, see `duration_bucket` in the database; together
   * they count each. Attempts that never started have none.
   */
  readonly durations: readonly Readonly<Record<string, number>>[];
}

/** The totals of attempts in a period. */
export const runTotals = z.strictObject({
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  p50_ms: z.int().nullable().describe("The median duration of completed and failed attempts, within 10 %."),
  p95_ms: z.int().nullable(),
});

/** See {@link runTotals}. */
export type RunTotals = z.output<typeof runTotals>;

/** A period divided into buckets, in UTC: `from` is the start of the first, `to` the end of the last. */
export interface Buckets {
  readonly bucket: Bucket;
  readonly from: Date;
  readonly to: Date;
  /** The start of each bucket. */
  readonly starts: readonly string[];
}

/**
 * Divides the period between two times into buckets, including those of both times; undefined for none or more than
 * {@link MAX_BUCKETS}.
 * @param now the default of `to`; the default of `from` is 24 hours or 14 days earlier
 */
export function bucketsBetween(
  asked: { readonly bucket: Bucket; readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
): Buckets | undefined {
  const { bucket } = asked;
  const width = BUCKET_MS[bucket];
  const last = Math.ceil((asked.to === undefined ? now : Date.parse(asked.to)) / width);
  const first = asked.from === undefined ? last - DEFAULT_BUCKETS[bucket] : Math.floor(Date.parse(asked.from) / width);
  const count = last - first;
  if (count < 1 || count > MAX_BUCKETS) return undefined;
  const starts = Array.from({ length: count }, (_, n) => new Date((first + n) * width).toISOString());
  return { bucket, from: new Date(first * width), to: new Date(last * width), starts };
}

/** Adds up the ends of any period. */
export function totalsOf(sums: readonly EndSums[]): RunTotals {
  const sumOf = (status: "completed" | "failed" | "cancelled") => sums.reduce((runs, sum) => runs + sum[status], 0);
  const durations = addCounts(sums.flatMap((sum) => sum.durations));
  return {
    completed: sumOf("completed"),
    failed: sumOf("failed"),
    cancelled: sumOf("cancelled"),
    p50_ms: durationAt(durations, 0.5),
    p95_ms: durationAt(durations, 0.95),
  };
}

/** Adds up counts by key. */
export function addCounts(maps: readonly Readonly<Record<string, number>>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const map of maps) {
    for (const [key, count] of Object.entries(map)) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}

/** Returns the duration that a share of the attempts did not exceed: the middle of its bucket, in milliseconds. */
function durationAt(durations: ReadonlyMap<string, number>, share: number): number | null {
  const sorted = [...durations].map(([bucket, runs]) => ({ bucket: Number(bucket), runs }));
  sorted.sort((a, b) => a.bucket - b.bucket);
  let left = sorted.reduce((sum, { runs }) => sum + runs, 0) * share;
  for (const { bucket, runs } of sorted) {
    left -= runs;
    if (left <= 0) return Math.round(2 ** ((bucket + 0.5) / 4));
  }
  return null;
}
