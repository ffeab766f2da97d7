import { fanOutLabel } from "./fan-out-label.ts";
import { stepFacts } from "./step-facts.ts";
import { answeredCalls, begunCalls, callOf, endOf, isStopped, openRows } from "./open-steps.ts";
import type { Entry, FinishedRecord, RecordedAttempt, StartedRecord, TakenOverStep } from "./recorded-attempt.ts";
import { branchNumber, modelKey, parseStepKey, parseTurnKey } from "./step-key.ts";
import { stepRow } from "./step-row.ts";
import type { StepRow, StepStatus } from "./step-row.ts";

/** Returns the rows of an attempt: each after its parent, branches by number, other siblings by time, then as asked. */
export function listSteps(attempt: RecordedAttempt): readonly StepRow[] {
  const entries = attempt.finished.map(readEntry);
  const open = openRows(attempt, entries);
  const leaves = [...finishedRows(attempt, entries, open), ...open];
  const turns = turnRows(attempt, entries, leaves);
  return [
    ...attempt.takenOver.map(takenOverRow),
    ...flatten([...underDelegations(turns), ...leaves], placesOf(attempt, entries)),
  ];
}

/** Its calls are in the record of the other run. */
function takenOverRow({ key, label, isChanged }: TakenOverStep): StepRow {
  return {
    key,
    kind: parseTurnKey(key).kind,
    ...(label !== null && { label }),
    status: "completed",
    ...(isChanged ? { changed: true } : { taken_over: true }),
  };
}

function readEntry(record: FinishedRecord): Entry {
  const facts = stepFacts.safeParse(record.facts);
  return { ...record, facts: facts.success ? facts.data : {}, parsed: parseStepKey(record.key) };
}

/** Returns rows of finished steps; a tool call that asked first and then ran is one row. */
function finishedRows(attempt: RecordedAttempt, entries: readonly Entry[], open: readonly StepRow[]): StepRow[] {
  const answered = answeredCalls(entries);
  return entries.flatMap((entry): StepRow[] => {
    const { kind, turn } = entry.parsed;
    if (kind === "internal" || kind === "failure") return [];
    const row = { ...rowOf(entry, kind), ...(turn !== undefined && { parent: turn }) };
    if (entry.facts.unanswered === true) return [{ ...row, ...endOf(attempt) }];
    if (entry.facts.asks !== true) return [row];
    // After its answer, the call has ended, or runs in a step of its own.
    if (entries.some((other) => isLaterExecution(entry, other)) || open.some(({ key }) => key === row.key)) return [];
    // A question without an answer ends as its run does.
    const unanswered = attempt.status === "queued" || attempt.status === "running" ? "waiting" : attempt.status;
    return [{ ...row, status: answered.has(callOf(entry)) ? "completed" : unanswered }];
  });
}

function rowOf(
  { key, facts, startedAt, firstTokenAt, endedAt, failedTries }: Entry,
  kind: "model" | "summary" | "tool" | "question",
): StepRow {
  return defined({
    key,
    kind,
    label: facts.label,
    model: facts.model,
    status: facts.error === undefined ? "completed" : "failed",
    started_at: startedAt ?? undefined,
    first_token_at: firstTokenAt ?? undefined,
    ended_at: endedAt,
    wait_ms: facts.waitMs,
    tries: facts.tries,
    failed_tries: failedTries?.map(([from, to]) => ({ started_at: from, ended_at: to })),
    prompt_tokens: facts.promptTokens,
    completion_tokens: facts.completionTokens,
    cached_tokens: facts.cachedTokens,
    cache_write_tokens: facts.cacheWriteTokens,
    reasoning_tokens: facts.reasoningTokens,
    cost_usd: facts.costUsd,
    finish_reason: facts.finish === "tool_calls" ? undefined : facts.finish,
    notes: facts.notes,
    // What a fork took over is in the log of the other run.
    message_id: facts.takenOver === true ? undefined : facts.messageId,
    taken_over: facts.changed === true ? undefined : facts.takenOver,
    changed: facts.changed,
    error_code: facts.error,
    error: facts.message,
    rejected_by: facts.rejectedBy,
    size: facts.size,
  });
}

function isLaterExecution(asked: Entry, other: Entry): boolean {
  return (
    other !== asked && other.parsed.kind === "tool" && callOf(other) === callOf(asked) && other.endedAt > asked.endedAt
  );
}

/** Returns a row for each turn that has steps or was started, and for its parents. */
function turnRows(attempt: RecordedAttempt, entries: readonly Entry[], leaves: readonly StepRow[]): StepRow[] {
  const begun = new Map(attempt.begun.filter(({ kind }) => kind === "turn").map((part) => [part.key, part]));
  const steps = Map.groupBy(leaves, ({ parent }) => parent);
  const own = new Set([...begun.keys(), ...leaves.flatMap(({ parent }) => parent ?? [])]);
  const all = new Set([...own].flatMap((key) => [parseTurnKey(key).parent ?? [], key].flat()));
  const parts = Map.groupBy(all, (key) => parseTurnKey(key).parent);
  const records = recordsOf(entries);
  return [...all].map((key) => {
    const ownSteps = steps.get(key) ?? [];
    const inside = [...ownSteps, ...(parts.get(key) ?? []).flatMap((part) => steps.get(part) ?? [])];
    return turnRow(attempt, { key, begun: begun.get(key), own: ownSteps, inside, entries, records });
  });
}

/** What the records say of turns. */
interface TurnRecords {
  readonly facts: ReadonlyMap<string, Entry["facts"]>;
  readonly failed: ReadonlySet<string | undefined>;
  /** The turns whose last call has ended, and the turns that they are parts of. */
  readonly done: ReadonlySet<string | undefined>;
  readonly withDoneParts: ReadonlySet<string | undefined>;
}

/** Reads the records once for all turns: a long run has hundreds of turns and thousands of records. */
function recordsOf(entries: readonly Entry[]): TurnRecords {
  const done = new Set(entries.filter(({ facts }) => facts.isLast === true).map(({ parsed }) => parsed.turn));
  return {
    facts: new Map(entries.map(({ key, facts }) => [key, facts])),
    failed: new Set(entries.filter(({ parsed }) => parsed.kind === "failure").map(({ parsed }) => parsed.turn)),
    done,
    withDoneParts: new Set([...done].map((turn) => parseTurnKey(turn ?? "").parent)),
  };
}

/** The label of a worker's turn that revises its result starts with the delegation's. */
const REVISION = /^d\d+: .* \(revision \d+\)$/s;

interface TurnParts {
  readonly key: string;
  readonly begun: StartedRecord | undefined;
  /** Its own steps. */
  readonly own: readonly StepRow[];
  /** Its own steps and those of its parts. */
  readonly inside: readonly StepRow[];
  readonly entries: readonly Entry[];
  readonly records: TurnRecords;
}

function turnRow(attempt: RecordedAttempt, turn: TurnParts): StepRow {
  const { key, begun, own, inside, entries, records } = turn;
  const facts = records.facts.get(modelKey(key, 0))?.turn;
  const starts = inside.flatMap(({ started_at: at }) => at ?? []);
  const ends = inside.flatMap(({ ended_at: at }) => at ?? []);
  const status = statusOfTurn(attempt, turn);
  const label = begun?.label ?? facts?.label ?? fanOutLabel(key, attempt.begun, entries);
  const isRevision = label !== undefined && REVISION.test(label);
  const { kind, parent } = parseTurnKey(key);
  return defined({
    key,
    parent,
    kind: kind === "delegation" && isRevision ? "revision" : kind,
    label,
    agent_id: begun?.agentId ?? facts?.agentId,
    status,
    // A turn that a fork took over as a whole has begun in the other run.
    started_at: starts.length > 0 ? Math.min(...starts) : ends.length > 0 ? undefined : begun?.at,
    ended_at: status === "running" || status === "waiting" ? undefined : lastOf(ends, begun?.endedAt),
    error_code: own.find(hasFailed)?.error_code ?? (status === "failed" ? begun?.code : undefined) ?? undefined,
    taken_over: inside.length > 0 && inside.every(({ taken_over: taken }) => taken) ? true : undefined,
  });
}

function lastOf(ends: readonly number[], endedAt: number | null | undefined): number | undefined {
  return ends.length > 0 ? Math.max(...ends) : (endedAt ?? undefined);
}

function statusOfTurn(
  { status, errorCode }: RecordedAttempt,
  { key, begun, own, inside, records }: TurnParts,
): StepStatus {
  const wasStopped = (row: StepRow) =>
    row.status === "cancelled" || (row.error_code === errorCode && (row.kind === "question" || isStopped(errorCode)));
  if (records.failed.has(key) || own.some(hasFailed)) return "failed";
  const code = begun?.code ?? null;
  if (code !== null) return code === "CANCELLED" ? "cancelled" : "failed";
  const isDone =
    (begun !== undefined && begun.endedAt !== null) ||
    records.done.has(key) ||
    (own.length === 0 && records.withDoneParts.has(key) && !inside.some(wasStopped));
  if (inside.some((row) => row.status === "running")) return "running";
  if (inside.some((row) => row.status === "waiting")) return "waiting";
  if (isDone) return "completed";
  if (status === "queued") return "running";
  return status;
}

/** Without a reply of its model, a turn cannot go on. */
function hasFailed({ kind, status }: StepRow): boolean {
  return (kind === "model" || kind === "summary") && status === "failed";
}

/** Revisions are children of the delegation whose result they revise: both labels start with its name. */
function underDelegations(turns: readonly StepRow[]): StepRow[] {
  const nameOf = ({ label = "" }: StepRow) => label.slice(0, label.indexOf(":"));
  return turns.map((row) => {
    if (row.kind !== "revision") return row;
    const revised = turns.find((other) => other.kind === "delegation" && nameOf(other) === nameOf(row));
    return revised === undefined ? row : { ...row, parent: revised.key };
  });
}

/**
 * The places of calls among those that start in the same millisecond: as they began, by the log; of a call that a
 * packed log no longer names, by its record.
 */
function placesOf(attempt: RecordedAttempt, entries: readonly Entry[]): ReadonlyMap<string, number> {
  return new Map([
    ...entries.flatMap(({ key, facts: { place } }) => (place === undefined ? [] : [[key, place] as const])),
    ...begunCalls(attempt).map(({ key }, index) => [key, index] as const),
  ]);
}

/** Orders parents before their children; branches of a fan-out as in its config, other rows by time, then by place. */
function flatten(rows: readonly StepRow[], places: ReadonlyMap<string, number>): StepRow[] {
  const keys = new Set(rows.map(({ key }) => key));
  const byParent = Map.groupBy(rows, ({ parent }) => (parent !== undefined && keys.has(parent) ? parent : undefined));
  const placeOf = (row: StepRow) => delegationNumber(row) ?? places.get(row.key) ?? Infinity;
  const compare = (a: StepRow, b: StepRow): number => {
    const [one, other] = [branchNumber(a.key), branchNumber(b.key)];
    if (one !== undefined && other !== undefined) return one - other;
    return timeOf(a) - timeOf(b) || placeOf(a) - placeOf(b) || 0;
  };
  const inOrder = (parent: string | undefined): StepRow[] =>
    (byParent.get(parent) ?? []).toSorted(compare).flatMap((row) => [row, ...inOrder(row.key)]);
  return inOrder(undefined);
}

/** Delegations are numbered as the brain made them: their labels start with d1, d2. */
function delegationNumber({ kind, label = "" }: StepRow): number | undefined {
  const number = kind === "delegation" ? /^d(\d+):/.exec(label)?.[1] : undefined;
  return number === undefined ? undefined : Number(number);
}

function timeOf({ started_at: start, ended_at: end }: StepRow): number {
  return start ?? end ?? Infinity;
}

type Optional<T> = { readonly [K in keyof T]: T[K] | undefined };

function defined(row: Optional<StepRow> & Pick<StepRow, "key" | "kind" | "status">): StepRow {
  // A loop: lists of pairs took a third of the time that the list of a long run takes.
  const kept: Record<string, unknown> = {};
  let name: keyof typeof row;
  for (name in row) if (row[name] !== undefined) kept[name] = row[name];
  return stepRow.parse(kept);
}
