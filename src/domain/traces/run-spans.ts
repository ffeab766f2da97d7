import { firstKey, parseStepKey } from "../runs/step-key.ts";
import type { StepRow } from "../runs/step-row.ts";
import { conversationOf, describeAgent, describeModelCall, describeTeam, describeToolCall } from "./gen-ai.ts";
import type { Described } from "./gen-ai.ts";
import type { Attributes, Span, SpanEvent } from "./span.ts";
import { RUN_SPAN, deliveryOf, spanIdOf } from "./trace-context.ts";
import type { TraceContext, TracedAttempt } from "./trace-context.ts";

/** An attempt of a run with its steps. Times are in Unix milliseconds. */
export interface TracedRun {
  readonly trace: TraceContext;
  readonly workspaceId: string;
  /** The run as people see it. */
  readonly run: TracedAttempt;
  /** Where its steps are stored: for a team's task, under the id of the team run. */
  readonly log: TracedAttempt;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly name: string } | null;
  readonly agentVersion: number | null;
  readonly source: string;
  readonly status: string;
  readonly errorCode: string | null;
  /** When it was created, and when this attempt started and ended. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly steps: readonly StepRow[];
  /** Moments at which another execution continued the run. */
  readonly events: readonly SpanEvent[];
  /** The provider of a model call, by the key of its step. */
  providerOf(key: string): string | undefined;
  /** Why a model's reply ended, by the key of its step. */
  finishOf(key: string): string;
  /** The name of an agent of the team. */
  nameOf(agentId: string): string | undefined;
}

/** A span with the key of what it shows: the same key is the same span. */
export interface KeyedSpan {
  readonly key: string;
  readonly span: Span;
}

const OVER: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Whether nothing follows in an attempt. */
export function isOver({ status }: Pick<TracedRun, "status">): boolean {
  return OVER.has(status);
}

/** Returns the spans of what has ended in an attempt: its steps and turns, and at last the whole. */
export function spansOf(traced: TracedRun): KeyedSpan[] {
  const steps = traced.steps.flatMap((row) => spanOf(traced, row) ?? []);
  return isOver(traced) ? [...steps, { key: RUN_SPAN, span: rootOf(traced) }] : steps;
}

/** The span of a whole attempt: the first that has no parent here. */
function rootOf(traced: TracedRun): Span {
  const { run, trace, agent, team, agentVersion, createdAt, endedAt, status, errorCode } = traced;
  const startedAt = traced.startedAt ?? createdAt;
  const described: Described = team
    ? describeTeam(team.name)
    : agent
      ? describeAgent({ ...agent, version: agentVersion })
      : { name: "run", attributes: {} };
  return {
    traceId: trace.traceId,
    spanId: spanIdOf(run, RUN_SPAN),
    parentId: trace.parentId,
    name: described.name,
    kind: "internal",
    startedAt,
    endedAt: endedAt ?? startedAt,
    attributes: {
      ...described.attributes,
      ...common(traced),
      "muster.run.attempt": { int: run.attempt },
      "muster.run.source": traced.source,
      "muster.run.status": status,
      "error.type": status === "failed" ? (errorCode ?? "_OTHER") : undefined,
    },
    events: traced.events,
    error: status === "failed" ? (errorCode ?? "_OTHER") : undefined,
  };
}

/** A step that a fork took over is in the trace of the other run. */
function spanOf(traced: TracedRun, row: StepRow): KeyedSpan | undefined {
  const { ended_at: endedAt, parent, status, error_code: code } = row;
  if (endedAt === undefined || row.taken_over === true || row.changed === true) return undefined;
  if (status === "running" || status === "waiting") return undefined;
  const key = firstKey(row.key);
  const error = status === "failed" ? (code ?? "_OTHER") : undefined;
  const described = describe(traced, row);
  const span = {
    traceId: traced.trace.traceId,
    spanId: spanIdOf(traced.log, key),
    parentId: parent === undefined ? spanIdOf(traced.run, RUN_SPAN) : spanIdOf(traced.log, parent),
    name: described.name,
    kind: row.kind === "model" || row.kind === "summary" ? "client" : "internal",
    startedAt: Math.min(row.started_at ?? endedAt, endedAt),
    endedAt,
    attributes: {
      ...described.attributes,
      ...common(traced),
      "muster.step.kind": row.kind,
      "muster.step.key": row.key,
      "muster.cost_usd": row.cost_usd === undefined ? undefined : { double: row.cost_usd },
      "error.type": error,
    },
    events: (row.failed_tries ?? []).map((failed) => ({ name: "muster.try_failed", at: failed.ended_at })),
    error,
  } as const;
  return { key, span };
}

function describe(traced: TracedRun, row: StepRow): Described {
  const { key, kind, agent_id: agentId } = row;
  if (kind === "model" || kind === "summary")
    return describeModelCall(row, { provider: traced.providerOf(key), finish: traced.finishOf(key) });
  if (kind === "tool") return describeToolCall(row, parseStepKey(key).callId);
  // Its title may quote what the run is about.
  if (kind === "question") return { name: "wait for answer", attributes: {} };
  if (agentId !== undefined) return describeAgent({ id: agentId, name: traced.nameOf(agentId) });
  return { name: kind, attributes: {} };
}

function common({ workspaceId, run }: TracedRun): Attributes {
  return { ...conversationOf(run.logId), "muster.workspace.id": workspaceId, "muster.run.id": run.logId };
}

/** A delivery that has ended. Times are in Unix milliseconds. */
export interface TracedDelivery {
  readonly id: string;
  readonly trace: TraceContext;
  readonly workspaceId: string;
  readonly event: string;
  readonly type: string;
  readonly status: string;
  readonly httpCode: number | null;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attempts: readonly { readonly status: string; readonly at: number }[];
}

/** Returns the span of a delivery: from its creation to its last attempt. */
export function deliverySpan(delivery: TracedDelivery): KeyedSpan {
  const { id, trace, type, status, httpCode, attempts } = delivery;
  const error = status === "success" ? undefined : httpCode === null ? "_OTHER" : String(httpCode);
  const span = {
    traceId: trace.traceId,
    spanId: spanIdOf(deliveryOf(id), RUN_SPAN),
    parentId: trace.parentId,
    name: `deliver ${type}`,
    kind: "client",
    startedAt: delivery.startedAt,
    endedAt: delivery.endedAt,
    attributes: {
      "muster.workspace.id": delivery.workspaceId,
      "muster.delivery.id": id,
      "muster.delivery.event": delivery.event,
      "http.response.status_code": httpCode === null ? undefined : { int: httpCode },
      "error.type": error,
    },
    events: attempts.map((attempt) => ({ name: `muster.attempt_${attempt.status}`, at: attempt.at })),
    error,
  } as const;
  return { key: RUN_SPAN, span };
}
