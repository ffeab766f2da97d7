import type { StepRow } from "../../records/run-head.ts";
import { isCall } from "./tree.ts";

/** Where a fork begins, and what it may change there. */
export interface ForkPoint {
  /** The number of a pipeline's step, of a turn, or of a model call, from 0; as in POST /console/api/runs/{id}/fork. */
  readonly step: number;
  readonly unit: "step" | "turn" | "call";
}

/** What a fork has for nothing, and what it makes again. */
export interface ForkPrice {
  readonly reused: number;
  readonly again: number;
  /** What the steps that run again have cost. */
  readonly againUsd: number;
}

const UNIT_KEYS = [
  { unit: "step", pattern: /^(?:ask:)?step:(\d+)(?::|$)/ },
  { unit: "turn", pattern: /^(?:turn|moderate|select):(\d+)(?:\/|$)/ },
  { unit: "call", pattern: /^(?:brain\/)?model:(\d+)$/ },
] as const;

/** What the units are called. */
export const UNIT_LABELS = {
  step: { one: "step", many: "steps" },
  turn: { one: "turn", many: "turns" },
  call: { one: "model call", many: "model calls" },
} as const;

/** Where a fork from this step begins; undefined when it cannot. A tool call begins with the model call that asked for it. */
export function forkPointOf(rows: readonly StepRow[], key: string): ForkPoint | undefined {
  const own = ownPoint(key);
  if (own !== undefined) return own;
  const index = rows.findIndex((row) => row.key === key);
  const at = timeOf(rows[index]);
  if (index === -1 || at === undefined) return undefined;
  const before = rows.filter((row) => (timeOf(row) ?? Infinity) <= at && ownPoint(row.key) !== undefined);
  const last = before.toSorted((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0)).at(-1);
  return last === undefined ? undefined : ownPoint(last.key);
}

function ownPoint(key: string): ForkPoint | undefined {
  for (const { unit, pattern } of UNIT_KEYS) {
    const step = pattern.exec(key)?.[1];
    if (step !== undefined) return { unit, step: Number(step) };
  }
  return undefined;
}

function timeOf(row: StepRow | undefined): number | undefined {
  return row?.started_at ?? row?.ended_at;
}

/** The unit in which forks of a run count, in words. */
export function forkUnit(rows: readonly StepRow[] = []): string {
  const found = UNIT_KEYS.find(({ pattern }) => rows.some(({ key }) => pattern.test(key)));
  return UNIT_LABELS[found?.unit ?? "call"].one;
}

/** What is reused and what runs again, in the units of the point. */
export function forkPrice(rows: readonly StepRow[], { step, unit }: ForkPoint): ForkPrice {
  const first = Math.min(
    ...rows.filter((row) => isAtOrBehind(row, { step, unit })).map((row) => timeOf(row) ?? Infinity),
  );
  const units = new Set(rows.flatMap(({ key }) => ownPoint(key)?.step ?? []));
  const again = rows.filter((row) => isCall(row) && (timeOf(row) ?? Infinity) >= first);
  return {
    reused: [...units].filter((each) => each < step).length,
    again: [...units].filter((each) => each >= step).length,
    againUsd: sumOf(again),
  };
}

function isAtOrBehind({ key }: StepRow, { step }: ForkPoint): boolean {
  const point = ownPoint(key);
  return point !== undefined && point.step >= step;
}

const CHANGEABLE = /^ask:|(?:^|\/)answer:(?:approval:(?!budget:)|result:)/;

/**
 * Whether a fork can continue with another answer to this question. An override of a budget applies to its run only,
 * and answers for another system were sent on to it.
 */
export function canChangeAnswer({ kind, key, status }: StepRow): boolean {
  return kind === "question" && status === "completed" && CHANGEABLE.test(key);
}

/** The calls before a question, which are reused, and those after it, which are made again. */
export function answerForkPrice(rows: readonly StepRow[], question: StepRow): ForkPrice {
  const asked = timeOf(question) ?? Infinity;
  const calls = rows.filter((row) => isCall(row) && row.key !== question.key);
  const again = calls.filter((row) => (timeOf(row) ?? Infinity) > asked);
  return { reused: calls.length - again.length, again: again.length, againUsd: sumOf(again) };
}

function sumOf(rows: readonly StepRow[]): number {
  return rows.reduce((sum, { cost_usd: cost = 0 }) => sum + cost, 0);
}
