import { createHash } from "node:crypto";

/** The header of W3C Trace Context; also the key in the `_meta` of an MCP call. */
export const TRACEPARENT = "traceparent";

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_SPAN = "0".repeat(16);
const NO_TRACE = "0".repeat(32);
const SAMPLED = 1;

/** A position in a trace: the span that caused a request. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. Without a parent, the run is the root of its trace. */
  readonly parentId?: string | undefined;
  readonly isSampled: boolean;
}

/** Reads a `traceparent`; undefined without one, and for an invalid one, which W3C Trace Context has us ignore. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const context = typeof text === "string" ? parseForm(text) : undefined;
  return context?.parentId === undefined ? undefined : context;
}

/**
 * Reads the trace that a run is stored with: a `traceparent`, in which a span id of zeros says that the run is the root.
 */
export function readStoredTrace(text: string | null | undefined): TraceContext | undefined {
  return text == null ? undefined : parseForm(text);
}

function parseForm(text: string): TraceContext | undefined {
  const [, version, traceId = NO_TRACE, spanId = NO_SPAN, flags = "", rest] = FORM.exec(text) ?? [];
  const isValid = version !== undefined && version !== "ff" && (version !== "00" || rest === undefined);
  if (!isValid || traceId === NO_TRACE) return undefined;
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, isSampled, ...(spanId !== NO_SPAN && { parentId: spanId }) };
}

/** Writes a `traceparent`, as it is sent and as runs store it. */
export function formatTraceparent({ traceId, parentId = NO_SPAN, isSampled }: TraceContext): string {
  return `00-${traceId}-${parentId}-${isSampled ? "01" : "00"}`;
}

/** The trace of a run without a parent: its id is the run's, so that either is found by the other. */
export function traceIdOf(runId: string): string {
  return runId.replaceAll("-", "").toLowerCase();
}

/** An attempt of a run, by the id under which its steps are stored. */
export interface TracedAttempt {
  readonly logId: string;
  readonly attempt: number;
}

/**
 * The id of the span of a step. It follows from the step's key, so every process, execution and repeated export gives
 * the same one.
 */
export function spanIdOf({ logId, attempt }: TracedAttempt, key: string): string {
  return createHash("sha256").update(`${logId}/${attempt}/${key}`).digest("hex").slice(0, NO_SPAN.length);
}

/**
 * Returns the `traceparent` of a request that a step of a run sends; undefined for a run without a trace.
 * @param stored as {@link readStoredTrace}
 */
export function traceparentOf(
  stored: string | null | undefined,
  attempt: TracedAttempt,
  key: string,
): string | undefined {
  const trace = readStoredTrace(stored);
  if (trace === undefined) return undefined;
  // What is not sampled has no span here: the caller's remains the parent.
  const parentId = trace.isSampled ? spanIdOf(attempt, key) : trace.parentId;
  return parentId === undefined ? undefined : formatTraceparent({ ...trace, parentId });
}

/** The key of the span of a whole attempt, under the id that people see; and of a delivery, under its own. */
export const RUN_SPAN = "run";

/** A delivery, which has the one span {@link RUN_SPAN}. */
export function deliveryOf(id: string): TracedAttempt {
  return { logId: id, attempt: 0 };
}
