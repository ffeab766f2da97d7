import { z } from "zod";

/** The number of runs that an estimate is made from: the last that completed. */
export const MAX_SAMPLES = 200;

/** Runs of an agent's current version below which its runs of all versions count. */
export const MIN_VERSION_SAMPLES = 5;

const spread = z.strictObject({
  p50: z.number().describe("Half of the runs stayed at or below."),
  p90: z.number().describe("Nine of ten runs stayed at or below."),
});

const usd = spread.nullable().describe("In US dollars; null without runs.");

/** What a run will cost, by the runs before it. */
export const runEstimate = z.strictObject({
  runs: z.int().describe(`The completed runs that it is made from: up to the last ${MAX_SAMPLES}.`),
  agent_version: z
    .int()
    .nullable()
    .describe(
      `The version of the agent that made them; null for all versions, as when the current one has completed fewer than ${MIN_VERSION_SAMPLES}, and for teams.`,
    ),
  cost_usd: usd,
  total_tokens: spread.nullable().describe("Prompt and completion tokens; null without runs."),
  duration_ms: spread.nullable().describe("The time they worked: without waiting to start and for people."),
  stopped_share: z
    .number()
    .nullable()
    .describe("The share of these runs that the given cap would have stopped; null without a cap or runs."),
});

/** See {@link runEstimate}. */
export type RunEstimate = z.output<typeof runEstimate>;

/** What a run has cost, and what it will still cost. */
export const runOutlook = z.strictObject({
  spent_usd: z.number().describe("What its current attempt has cost so far."),
  going_on_usd: usd.describe(
    "What going on will still cost: the cost of comparable runs beyond what this one has spent. Null when none cost more.",
  ),
  again_usd: usd.describe("What another attempt from the start will cost; null without runs."),
  runs: z.int().describe("The completed runs that it is made from."),
});

/** See {@link runOutlook}. */
export type RunOutlook = z.output<typeof runOutlook>;

/** A completed run. */
export interface Sample {
  readonly cost_usd: number;
  readonly total_tokens: number;
  readonly duration_ms: number;
}

/** A cap of a run; an absent or null limit does not apply. */
export interface Cap {
  readonly max_usd?: number | null | undefined;
  readonly max_tokens?: number | null | undefined;
}

/** Estimates a run from comparable ones. @param cap limits whose share of stopped runs is wanted */
export function estimateFrom(
  { samples, version }: { readonly samples: readonly Sample[]; readonly version: number | null },
  cap: Cap = {},
): RunEstimate {
  return {
    runs: samples.length,
    agent_version: version,
    cost_usd: spreadOf(samples.map((sample) => sample.cost_usd)),
    total_tokens: spreadOf(samples.map((sample) => sample.total_tokens)),
    duration_ms: spreadOf(samples.map((sample) => sample.duration_ms)),
    stopped_share: stoppedShare(samples, cap),
  };
}

/** Estimates what a run that has spent this much will still cost. */
export function outlookFrom(samples: readonly Sample[], spent: number): RunOutlook {
  const costs = samples.map((sample) => sample.cost_usd);
  const beyond = costs.filter((cost) => cost > spent).map((cost) => cost - spent);
  return { spent_usd: spent, going_on_usd: spreadOf(beyond), again_usd: spreadOf(costs), runs: samples.length };
}

function stoppedShare(samples: readonly Sample[], { max_usd, max_tokens }: Cap): number | null {
  if ((max_usd ?? max_tokens) == null || samples.length === 0) return null;
  const isStopped = (sample: Sample) =>
    sample.cost_usd > (max_usd ?? Infinity) || sample.total_tokens > (max_tokens ?? Infinity);
  return samples.filter(isStopped).length / samples.length;
}

function spreadOf(values: readonly number[]): z.output<typeof spread> | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: rank(sorted, 0.5), p90: rank(sorted, 0.9) };
}

/** The smallest value at or below which this share of the values is. */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
}
