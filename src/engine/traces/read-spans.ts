import type { Database, Transaction } from "#db/database.ts";
import { readTracedDelivery, readTracedRun } from "#db/queries/runs/trace-exports.ts";
import type { TraceExport } from "#db/queries/runs/trace-exports.ts";
import { locateRun, readRunHead } from "#db/queries/runs/run-heads.ts";
import { serviceIn } from "#domain/access/role.ts";
import { listSteps } from "#domain/runs/list-steps.ts";
import { stepFacts } from "#domain/runs/step-facts.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import { describeContents } from "#domain/traces/gen-ai.ts";
import { deliverySpan, isOver, spansOf } from "#domain/traces/run-spans.ts";
import type { KeyedSpan } from "#domain/traces/run-spans.ts";
import type { Attributes } from "#domain/traces/span.ts";
import { readStoredTrace } from "#domain/traces/trace-context.ts";
import type { TraceContext, TracedAttempt } from "#domain/traces/trace-context.ts";
import { logIdOf, recordedAttempt } from "#operations/runs/attempts.ts";
import { readStepContents } from "#operations/runs/read-step.ts";

const finish = stepFacts.pick({ finish: true });

/** The spans of an export. */
export interface ReadSpans {
  readonly spans: readonly KeyedSpan[];
  /** Whether no others follow. */
  readonly isOver: boolean;
  /** Where the steps are stored; undefined for a delivery. */
  readonly log: TracedAttempt | undefined;
}

/** Reads the finished spans of an attempt or a delivery; undefined when it was deleted. */
export function readSpans(db: Database, { workspaceId, ...exported }: TraceExport): Promise<ReadSpans | undefined> {
  const trace = readStoredTrace(exported.trace);
  if (trace === undefined) throw new Error(`The trace of ${exported.subjectId} cannot be read.`);
  return db
    .inWorkspace(serviceIn(workspaceId))
    .transaction((tx) =>
      exported.attempt === 0
        ? readDelivery(tx, { id: exported.subjectId, trace, workspaceId })
        : readRun(tx, { run: { logId: exported.subjectId, attempt: exported.attempt }, trace, workspaceId }),
    );
}

async function readDelivery(
  tx: Transaction,
  delivery: { readonly id: string; readonly trace: TraceContext; readonly workspaceId: string },
): Promise<ReadSpans | undefined> {
  const row = await readTracedDelivery(tx, delivery.id);
  if (row === undefined) return undefined;
  const span = deliverySpan({ ...delivery, ...row, attempts: row.attempts ?? [] });
  return { spans: [span], isOver: true, log: undefined };
}

interface RunToRead {
  readonly run: TracedAttempt;
  readonly trace: TraceContext;
  readonly workspaceId: string;
}

async function readRun(tx: Transaction, { run, trace, workspaceId }: RunToRead): Promise<ReadSpans | undefined> {
  const located = await locateRun(tx, run.logId, run.attempt);
  if (located === undefined) return undefined;
  const log = { logId: logIdOf(located), attempt: run.attempt };
  const [head, recorded, row] = await Promise.all([
    readRunHead(tx, located),
    recordedAttempt(tx, located),
    readTracedRun(tx, { id: run.logId, ...log }),
  ]);
  if (head === undefined || row === undefined) return undefined;
  const providers = new Map(
    row.calls?.map(({ turn, call, provider }) => [modelKey(turn ?? undefined, call), provider]),
  );
  const finishes = new Map(recorded.finished.map(({ key, facts }) => [key, finish.safeParse(facts).data?.finish]));
  const traced = {
    ...row,
    ...recorded,
    run,
    log,
    trace,
    workspaceId,
    agent: head.agent,
    team: head.team,
    steps: listSteps(recorded),
    events: (row.executions ?? []).map(({ outcome, at }) => ({ name: `muster.execution_${outcome}`, at })),
    providerOf: (key: string) => providers.get(key) ?? row.provider ?? undefined,
    finishOf: (key: string) => finishes.get(key) ?? "stop",
    nameOf: (agentId: string) => row.agents?.[agentId] ?? (head.agent?.id === agentId ? head.agent.name : undefined),
  };
  return { spans: spansOf(traced), isOver: isOver(traced), log };
}

/** Adds what was asked and answered to spans of steps. */
export function withContents(
  db: Database,
  { workspaceId }: TraceExport,
  log: TracedAttempt,
  spans: readonly KeyedSpan[],
): Promise<KeyedSpan[]> {
  return db.inWorkspace(serviceIn(workspaceId)).transaction(async (tx) => {
    const whole: KeyedSpan[] = [];
    for (const { key, span } of spans) {
      const contents: Attributes = describeContents(await readStepContents(tx, log, stepKeyOf(span.attributes, key)));
      whole.push({ key, span: { ...span, attributes: { ...span.attributes, ...contents } } });
    }
    return whole;
  });
}

/** The key of the step's last execution. */
function stepKeyOf({ "muster.step.key": stepKey }: Attributes, key: string): string {
  return typeof stepKey === "string" ? stepKey : key;
}
