import { z } from "zod";
import type { TeamModeName } from "../teams/team-config.ts";

/** A finished step of a team's run: its key, what it returned as JSON, and when that was recorded (ISO 8601, UTC). */
export const journalRow = z.object({ key: z.string(), result: z.string(), at: z.string() });

/** See {@link journalRow}. */
export type JournalRow = z.output<typeof journalRow>;

/** Under this key a run has recorded what its team remembers. */
export const MEMORY_KEY = "memory";

/** In these modes the keys of a step's rows begin with its number; an orchestrator's are told by their times. */
const KEYS = {
  pipeline: (step: number) => new RegExp(`^step:${step}:|^ask:step:${step}$`),
  collaboration: (step: number) => new RegExp(`^(turn|moderate|select):${step}/`),
} as const;

/** What a person has said to the question of a budget: the call that it was about, the budget, its window, a number. */
const BUDGET_ANSWER = /(?:^|\/)answer:approval:budget:\d+:[^/]+$/;

/**
 * The rows that a fork may have. Leave to exceed a budget was given, or rejected, to the other run alone: a fork that
 * makes such a call itself asks again.
 */
export function rowsToPassOn(rows: readonly JournalRow[]): readonly JournalRow[] {
  return rows.filter(({ key }) => !BUDGET_ANSWER.test(key));
}

/** The rows of one step of a run: of a pipeline's step, a turn of a discussion, or an iteration of a brain. */
export function rowsOfStep(mode: TeamModeName, rows: readonly JournalRow[], step: number): readonly JournalRow[] {
  if (mode !== "orchestrator") return rows.filter(({ key }) => KEYS[mode](step).test(key));
  const [begin, end] = [beginOf(rows, step), beginOf(rows, step + 1)];
  return rows.filter(({ at }) => begin !== undefined && at >= begin && (end === undefined || at < end));
}

/**
 * The rows of all iterations of a brain before one, which has begun or is the next; undefined when they are not all
 * on record any more.
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

/** A row as it is in a fork: a model's reply is not paid again, and its words are not in the fork's log. */
export function takeOver(row: JournalRow): JournalRow {
  const answered = modelRow.safeParse(JSON.parse(row.result));
  if (!answered.success) return row;
  const { messageId: _, ...reply } = answered.data.reply;
  return { ...row, result: JSON.stringify({ ...answered.data, reply: { ...reply, takenOver: true } }) };
}

/** The rows of one call of a task's agent: the call, the tools that it asks for, and their questions. */
export function rowsOfCall(rows: readonly JournalRow[], call: number): readonly JournalRow[] {
  const [begin, end] = [atOf(rows, `model:${call}`), atOf(rows, `model:${call + 1}`)];
  return rows.filter(({ at }) => begin !== undefined && at >= begin && (end === undefined || at < end));
}

/** The rows of all calls of a task's agent before one; undefined when they are not all on record any more. */
export function rowsBeforeCall(rows: readonly JournalRow[], call: number): readonly JournalRow[] | undefined {
  if (call > answeredCalls(rows)) return undefined;
  const end = atOf(rows, `model:${call}`);
  return end === undefined ? rows : rows.filter(({ at }) => at < end);
}

/** How many calls of a task's agent were answered, from the first one on. */
export function answeredCalls(rows: readonly JournalRow[]): number {
  const keys = new Set(
    rows.filter(({ result }) => modelRow.safeParse(JSON.parse(result)).success).map(({ key }) => key),
  );
  let calls = 0;
  while (keys.has(`model:${calls}`)) calls += 1;
  return calls;
}

/** An iteration begins with a model call, which is recorded before what it asks for is begun. */
function beginOf(rows: readonly JournalRow[], iteration: number): string | undefined {
  return atOf(rows, `brain/model:${iteration}`);
}

function atOf(rows: readonly JournalRow[], wanted: string): string | undefined {
  return rows.find(({ key }) => key === wanted)?.at;
}
