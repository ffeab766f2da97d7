import { BRAIN_TOOLS, BRAIN_TURN } from "../teams/brain-tools.ts";
import type { Entry, RecordedAttempt, StartedRecord } from "./recorded-attempt.ts";
import { modelKey, parseStepKey } from "./step-key.ts";
import type { StepRow } from "./step-row.ts";

/** With these codes an attempt ends in the middle of its calls; with others, they have ended before. */
const STOPPED: ReadonlySet<string | null> = new Set(["CANCELLED", "TASK_TIMEOUT", "RUN_TIMEOUT", "CRASH_LOOP"]);

/** What a brain calls to direct its workers is no step: the work of a delegation has a row of its own. */
const DIRECTS: ReadonlySet<string | undefined> = new Set(Object.values(BRAIN_TOOLS));

/** Whether an attempt with this code was stopped while calls were in progress. */
export function isStopped(errorCode: string | null): boolean {
  return STOPPED.has(errorCode);
}

/** Identifies the tool call that a step executes, or that its question is about, among all calls of a run. */
export function callOf({ parsed: { turn, callId } }: Entry): string {
  return JSON.stringify([turn, callId]);
}

/** The calls (see {@link callOf}) with a recorded answer of a person, or results of a client. */
export function answeredCalls(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(
    entries.filter(({ parsed, facts }) => parsed.kind === "question" && facts.unanswered !== true).map(callOf),
  );
}

/**
 * Returns rows of steps without a result: the open question, tool calls, and model calls of turns without other such
 * steps. Those that a turn's or the attempt's end has stopped are cancelled, or have failed with the attempt.
 */
export function openRows(attempt: RecordedAttempt, entries: readonly Entry[]): StepRow[] {
  const { status } = attempt;
  const asked = askedRows(attempt);
  if (status === "queued" || status === "waiting") return asked;
  const calls = openCalls(attempt, entries);
  const tools = calls.filter(({ parent, label }) => parent !== BRAIN_TURN || !DIRECTS.has(label));
  return [...asked, ...tools, ...openModels(attempt, entries, calls)];
}

function askedRows({ question }: RecordedAttempt): StepRow[] {
  if (question === undefined) return [];
  const { turn } = parseStepKey(question.key);
  return [
    {
      key: question.key,
      ...(turn !== undefined && { parent: turn }),
      kind: "question",
      label: question.title,
      status: "waiting",
      started_at: question.askedAt,
    },
  ];
}

function openCalls(attempt: RecordedAttempt, entries: readonly Entry[]): StepRow[] {
  const waiting = unanswered(entries);
  // A call that has asked first is in progress again after its answer.
  const recorded = new Set(
    entries.filter((entry) => entry.facts.asks !== true || waiting.includes(entry)).map(({ key }) => key),
  );
  return begunCalls(attempt).flatMap(({ key, turn, label, at, endedAt }): StepRow[] => {
    if (endedAt !== null || recorded.has(key)) return [];
    const row = { key, ...(turn && { parent: turn.key }), kind: "tool", label, started_at: at } as const;
    return [{ ...row, ...endOf(attempt, turn) }];
  });
}

interface BegunCall extends StartedRecord {
  readonly turn: StartedRecord | undefined;
}

/** The tool calls of {@link RecordedAttempt.begun} in their order, each with the key of its step and its turn. */
export function begunCalls({ begun, isTeam }: RecordedAttempt): readonly BegunCall[] {
  const turns = begun.filter(({ kind }) => kind === "turn");
  return begun.flatMap((part): BegunCall[] => {
    if (part.kind !== "tool") return [];
    const turn = isTeam ? turns.find((known) => part.key.startsWith(`${known.key}/`)) : undefined;
    if (turn === undefined) return [{ ...part, turn, key: `tool:${part.key}` }];
    return [{ ...part, turn, key: `${turn.key}/tool:${part.key.slice(turn.key.length + 1)}` }];
  });
}

/** In an open turn without an open tool call, the agent waits for its model. */
function openModels(attempt: RecordedAttempt, entries: readonly Entry[], calls: readonly StepRow[]): StepRow[] {
  const { begun, isTeam, startedAt } = attempt;
  const turns = begun.filter((part) => part.kind === "turn" && wasInProgress(attempt, part));
  const delegates = turns.filter(({ key }) => key.startsWith("delegation:"));
  const agent = wasInProgress(attempt) && startedAt !== null ? [{ turn: undefined, at: startedAt }] : [];
  const open = isTeam ? turns.map((part) => ({ turn: part, at: part.at })) : agent;
  return open.flatMap(({ turn, at }): StepRow[] => {
    const key = turn?.key;
    const own = entries.filter(({ parsed }) => parsed.turn === key);
    const isBusy = calls.some(({ parent }) => parent === key) || (key === BRAIN_TURN && delegates.length > 0);
    if (isBusy || isWaiting(attempt, own) || own.some(({ facts }) => facts.isLast === true)) return [];
    const made = own.filter(({ parsed }) => parsed.kind === "model").length;
    const since = Math.max(at, ...own.map(({ endedAt }) => endedAt));
    const row = { key: modelKey(key, made), ...(turn && { parent: turn.key }), kind: "model" } as const;
    return [{ ...row, started_at: since, ...endOf(attempt, turn) }];
  });
}

/** Whether a turn, or without one the agent of a task, is at work, or was when it was stopped. */
function wasInProgress({ status, errorCode }: RecordedAttempt, turn?: StartedRecord): boolean {
  if (turn !== undefined && turn.endedAt !== null) return turn.code === "CANCELLED";
  return status === "running" || isStopped(errorCode);
}

/** Whether an ended attempt has waited for an answer in this turn. */
function isWaiting({ status }: RecordedAttempt, own: readonly Entry[]): boolean {
  return status !== "running" && unanswered(own).length > 0;
}

/** The calls that have asked a question without an answer. */
function unanswered(entries: readonly Entry[]): readonly Entry[] {
  const answered = answeredCalls(entries);
  return entries.filter((entry) => entry.facts.asks === true && !answered.has(callOf(entry)));
}

/** How a call or a question without a result ended: with its turn, else with the attempt. */
export function endOf(
  { status, errorCode, endedAt }: RecordedAttempt,
  turn?: StartedRecord,
): Pick<StepRow, "status" | "ended_at" | "error_code"> {
  if (turn !== undefined && turn.endedAt !== null) return { status: "cancelled", ended_at: turn.endedAt };
  if (status === "running") return { status };
  const ended = endedAt !== null && { ended_at: endedAt };
  return status === "failed"
    ? { status, ...ended, ...(errorCode !== null && { error_code: errorCode }) }
    : { status: "cancelled", ...ended };
}
