import { compilePattern } from "../approvals/pattern.ts";
import type { CheckOutcome, GoldenCheck } from "./golden-check.ts";

/** What a run of a case did. */
export interface CaseResult {
  readonly result: string;
  /** The names of the tools that it called, in order. */
  readonly tools: readonly string[];
  readonly costUsd: number;
  readonly durationMs: number;
}

/** What the case has recorded. */
export interface CaseRecord {
  readonly expected: string;
  readonly tools: readonly string[];
}

/** Checks that need neither a model nor a worker. */
export type PlainCheck = Exclude<GoldenCheck, { readonly type: "judge" | "json_schema" }>;

const MAX_SHOWN = 120;

/** Checks the result of a case. */
export function checkResult(check: PlainCheck, found: CaseResult, recorded: CaseRecord): CheckOutcome {
  const reason = reasonOf(check, found, recorded);
  return { type: check.type, passed: reason === undefined, reason: reason ?? "" };
}

function reasonOf(check: PlainCheck, found: CaseResult, recorded: CaseRecord): string | undefined {
  const { result, costUsd, durationMs } = found;
  switch (check.type) {
    case "exact":
      return whyNotEqual(result, check.value ?? recorded.expected);
    case "contains":
      return holds(result, check.value, check.ignore_case) ? undefined : `The result lacks ${shown(check.value)}.`;
    case "pattern":
      return compilePattern(check.pattern)?.matcher(result).find() === true
        ? undefined
        : `Nothing in the result matches ${shown(check.pattern)}.`;
    case "numbers":
      return whyNotNear(result, recorded.expected, check);
    case "tools":
      return whyOtherTools(found.tools, check.called ?? recorded.tools);
    case "cost":
      return costUsd <= check.max_usd ? undefined : `It cost $${costUsd}; allowed: $${check.max_usd}.`;
    case "time":
      return durationMs <= check.max_ms ? undefined : `It took ${durationMs} ms; allowed: ${check.max_ms} ms.`;
  }
}

function whyNotEqual(result: string, expected: string): string | undefined {
  const [is, should] = [result.trim(), expected.trim()];
  if (is === should) return undefined;
  let same = 0;
  while (same < should.length && is[same] === should[same]) same += 1;
  const from = Math.max(0, same - 10);
  return `The result differs: it has ${shown(is.slice(from))} in the place of ${shown(should.slice(from))}.`;
}

function holds(result: string, value: string, ignoresCase: boolean): boolean {
  return ignoresCase ? result.toLowerCase().includes(value.toLowerCase()) : result.includes(value);
}

/** A number as people write it: with digits after a point, and commas between thousands. */
const NUMBER = /-?\d[\d,]*(?:\.\d+)?/g;

/** The numbers of a text, in order. */
export function numbersIn(text: string): readonly number[] {
  return (text.match(NUMBER) ?? []).map((found) => Number(found.replaceAll(",", "")));
}

function whyNotNear(
  result: string,
  expected: string,
  { within, unit }: Extract<PlainCheck, { readonly type: "numbers" }>,
): string | undefined {
  const [is, should] = [numbersIn(result), numbersIn(expected)];
  if (is.length !== should.length) {
    return `The result has ${is.length} numbers, and ${should.length} are expected.`;
  }
  const far = should.findIndex((number, index) => {
    const allowed = unit === "percent" ? (Math.abs(number) * within) / 100 : within;
    return Math.abs((is[index] ?? NaN) - number) > allowed;
  });
  return far === -1 ? undefined : `Number ${far + 1} is ${is[far]}, and ${should[far]} is expected.`;
}

function whyOtherTools(called: readonly string[], expected: readonly string[]): string | undefined {
  if (called.length === expected.length && called.every((name, index) => name === expected[index])) return undefined;
  return `It called ${listOf(called)}; expected: ${listOf(expected)}.`;
}

function listOf(names: readonly string[]): string {
  return names.length === 0 ? "no tool" : names.join(", ");
}

function shown(text: string): string {
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text;
  return `“${short.toWellFormed()}”`;
}
