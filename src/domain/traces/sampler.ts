import { formatTraceparent, parseTraceparent, traceIdOf } from "./trace-context.ts";

/** The names of OTEL_TRACES_SAMPLER that are supported. */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** Which runs are traced. */
export interface Sampling {
  readonly sampler: (typeof SAMPLERS)[number];
  /** The part of the traces that a `traceidratio` samples, from 0 to 1. */
  readonly ratio: number;
}

/**
 * Decides about a new run, and returns what is stored with it: its trace, or null for a run that is not traced.
 * @param parent the `traceparent` of the request that creates it
 */
export type TraceNewRun = (runId: string, parent?: string) => string | null;

/** For a process without traces. */
export const NO_TRACES: TraceNewRun = () => null;

/** The last 14 hex digits of a trace id are random (W3C Trace Context, level 2). */
const RANDOM_DIGITS = 14;
const RANDOM_VALUES = 16 ** RANDOM_DIGITS;

/** Creates the decision. A trace that another service has begun goes on, also if this one adds no spans to it. */
export function createSampler(sampling: Sampling): TraceNewRun {
  return (runId, parent) => {
    const begun = parseTraceparent(parent);
    const traceId = begun?.traceId ?? traceIdOf(runId);
    const isSampled = decide(sampling, traceId, begun?.isSampled);
    return begun === undefined && !isSampled ? null : formatTraceparent({ ...begun, traceId, isSampled });
  };
}

function decide({ sampler, ratio }: Sampling, traceId: string, parent: boolean | undefined): boolean {
  if (parent !== undefined && sampler.startsWith("parentbased_")) return parent;
  if (sampler.endsWith("always_on")) return true;
  if (sampler.endsWith("always_off")) return false;
  return Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) / RANDOM_VALUES < ratio;
}
