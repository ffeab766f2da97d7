import { z } from "zod";
import { plainParts } from "../models/reply-parts.ts";
import { stepFacts } from "../runs/step-facts.ts";
import type { StepFacts } from "../runs/step-facts.ts";
import { modelKey } from "../runs/step-key.ts";
import type { TeamModeName } from "../teams/team-mode.ts";

/** A finished step of a team run: its key, its result as JSON, and when it was recorded (ISO 8601, UTC). */
export const journalRow = z.object({
  key: z.string(),
  result: z.string(),
  at: z.string(),
  /** If a fork was started with this result instead of the other run's: who gave it, and how. */
  changed: stepFacts.optional(),
});

/** See {@link journalRow}. */
export type JournalRow = z.output<typeof journalRow>;

/** The key under which a run records its team's memories. */
export const MEMORY_KEY = "memory";

/** In these modes, the keys of a step's rows start with its number; an orchestrator's are assigned by time. */
const KEYS = {
  pipeline: (step: number) => new RegExp(`^step:${step}:|^ask:step:${step}$`),
  collaboration: (step: number) => new RegExp(`^(turn|moderate|select):${step}/`),
} as const;

/** Matches the key of an answer to a budget's question: the call, the budget, its window, a number. */
const BUDGET_ANSWER = /(?:^|\/)answer:approval:budget:(?:model|summary:\d+):\d+:[^/]+$/;

/** Matches the key of a summary of older turns. */
const SUMMARY = /(?:^|\/)summary:\d+:\d+$/;

/**
 * Returns the rows that a fork may have. An override of a budget, or its rejection, applies to the other run only: a
 * fork that makes such a call asks again. A summary that failed is tried again.
 */
export function copyableRows(rows: readonly JournalRow[]): readonly JournalRow[] {
  return rows.filter(({ key, result }) => {
    if (SUMMARY.test(key)) return modelRow.safeParse(JSON.parse(result)).success;
    return !BUDGET_ANSWER.test(key);
  });
}

/** Returns the rows of one step of a run: of a pipeline's step, a turn of a discussion, or an iteration of a brain. */
export function rowsOfStep(mode: TeamModeName, rows: readonly JournalRow[], step: number): readonly JournalRow[] {
  if (mode !== "orchestrator") return rows.filter(({ key }) => KEYS[mode](step).test(key));
  const [begin, end] = [beginOf(rows, step), beginOf(rows, step + 1)];
  return rows.filter(({ at }) => begin !== undefined && at >= begin && (end === undefined || at < end));
}

/** In the keys of a run's rows, the number of the step. */
const STEP_NUMBERS: Readonly<Record<TeamModeName, RegExp>> = {
  pipeline: /^(?:ask:)?step:(\d+)(?::|$)/,
  collaboration: /^(?:turn|moderate|select):(\d+)\//,
  orchestrator: /^brain\/model:(\d+)$/,
};

/** Returns the number of the last step of a run that has rows; null without any. All steps before it are finished. */
export function lastStep(mode: TeamModeName, rows: readonly JournalRow[]): number | null {
  const steps = rows.flatMap(({ key }) => STEP_NUMBERS[mode].exec(key)?.[1] ?? []).map(Number);
  return steps.length === 0 ? null : Math.max(...steps);
}

/**
 * Returns the rows of all iterations of a brain before a started one or the next; undefined when some are no longer
 * stored.
 */
export function rowsBeforeIteration(rows: readonly JournalRow[], iteration: number): readonly JournalRow[] | undefined {
  const isComplete = Array.from({ length: iteration }, (_, step) => beginOf(rows, step)).every(Boolean);
  if (!isComplete) return undefined;
  const end = beginOf(rows, iteration);
  return end === undefined ? rows : rows.filter(({ at }) => at < end);
}

const modelRow = z.looseObject({
  ok: z.literal(true),
  reply: z.looseObject({ messageId: z.string().optional() }),
});

/** Returns a row for a fork: a model's reply costs nothing again, and its text is not in the fork's log. */
export function takeOver(row: JournalRow): JournalRow {
  const answered = modelRow.safeParse(JSON.parse(row.result));
  if (!answered.success) return row;
  const { messageId: _, ...reply } = answered.data.reply;
  return { ...row, result: JSON.stringify({ ...answered.data, reply: { ...reply, takenOver: true } }) };
}

/** A text that a person gives instead of a model call's reply. */
export interface GivenReply {
  /** The key of the call's turn in a team run; undefined for a task. */
  readonly turn?: string;
  /** The number of the call, from 0. */
  readonly call: number;
  readonly text: string;
  readonly by: NonNullable<StepFacts["answeredBy"]>;
}

/** Returns the row of a given reply. No model was called, and no tool is: the agent's work ends with it. */
export function givenReply({ turn, call, text, by }: GivenReply): JournalRow {
  const at = new Date().toISOString();
  const usage = { promptTokens: 0, completionTokens: 0 };
  const used = { provider: "", model: "", usage, billing: "per-token", answeredAt: at, takenOver: true };
  const end = { reason: "stop", raw: "given" };
  return {
    key: modelKey(turn, call),
    result: JSON.stringify({ ok: true, reply: { parts: plainParts(text), end, ...used } }),
    at,
    changed: { answeredBy: by, isLast: true },
  };
}

/** Returns the rows of one model call of a task's agent: the call, its tool calls, and their questions. */
export function rowsOfCall(rows: readonly JournalRow[], call: number): readonly JournalRow[] {
  const [begin, end] = [atOf(rows, `model:${call}`), atOf(rows, `model:${call + 1}`)];
  return rows.filter(({ at }) => begin !== undefined && at >= begin && (end === undefined || at < end));
}

/** Returns the rows of all model calls of a task's agent before one; undefined when some are no longer stored. */
export function rowsBeforeCall(rows: readonly JournalRow[], call: number): readonly JournalRow[] | undefined {
  if (call > answeredCalls(rows)) return undefined;
  const end = atOf(rows, `model:${call}`);
  return end === undefined ? rows : rows.filter(({ at }) => at < end);
}

/** Returns how many model calls of a task's agent were answered, starting with the first. */
export function answeredCalls(rows: readonly JournalRow[]): number {
  const keys = new Set(
    rows.filter(({ result }) => modelRow.safeParse(JSON.parse(result)).success).map(({ key }) => key),
  );
  let calls = 0;
  while (keys.has(`model:${calls}`)) calls += 1;
  return calls;
}

/** An iteration starts with a model call, which is recorded before its tool calls start. */
function beginOf(rows: readonly JournalRow[], iteration: number): string | undefined {
  return atOf(rows, `brain/model:${iteration}`);
}

function atOf(rows: readonly JournalRow[], wanted: string): string | undefined {
  return rows.find(({ key }) => key === wanted)?.at;
}
