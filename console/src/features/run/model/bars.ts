import type { StepRow } from "../../records/run-head.ts";

/** How a part of a bar is drawn. */
export type BarLook = "first-token" | "retry" | "stream" | "tool" | "question" | "group" | "wait";

/** A part of the bar of a step. Times in Unix milliseconds. */
export interface Bar {
  readonly look: BarLook;
  readonly from: number;
  readonly to: number;
}

/** The parts of the bar of a step. What is open lasts until now. */
export function barsOf(row: StepRow, now: number): readonly Bar[] {
  const { kind, started_at: from, ended_at: end, first_token_at: first, wait_ms: waited = 0 } = row;
  if (from === undefined) return [];
  const isOpen = row.status === "running" || row.status === "waiting";
  const to = Math.max(end ?? (isOpen ? now : from), from);
  switch (kind) {
    case "tool":
      return [{ look: "tool", from, to }];
    case "question":
    case "wait":
      return [{ look: "question", from, to }];
    case "model":
    case "summary":
      return modelBars({ from, to, first, waited, failed: row.failed_tries ?? [], hasFailed: row.status === "failed" });
    default:
      return [{ look: "group", from, to }];
  }
}

interface ModelTimes {
  readonly from: number;
  readonly to: number;
  readonly first: number | undefined;
  readonly waited: number;
  readonly failed: NonNullable<StepRow["failed_tries"]>;
  readonly hasFailed: boolean;
}

/** A bar for each try that failed, with the waits between them, and the last try, in which the first token comes. */
function modelBars({ from, to, first, waited, failed, hasFailed }: ModelTimes): readonly Bar[] {
  const retries = failed.map((each): Bar => ({ look: "retry", from: each.started_at, to: each.ended_at }));
  const begin = retries.at(-1)?.to ?? from;
  const pauses = retries
    .slice(1)
    .map((bar, n): Bar => ({ look: "wait", from: retries[n]?.to ?? bar.from, to: bar.from }));
  if (hasFailed && retries.length > 0) return drawn([...retries, ...pauses]);
  const streamed = Math.min(Math.max(first ?? to, begin), to);
  const paused = pauses.reduce((sum, bar) => sum + bar.to - bar.from, 0);
  const answered = Math.min(begin + Math.max(waited - paused, 0), streamed);
  return drawn([
    ...retries,
    ...pauses,
    { look: "wait", from: begin, to: answered },
    { look: "first-token", from: answered, to: streamed },
    { look: "stream", from: streamed, to },
  ]);
}

/** Gives every bar a width, so that a try that was rejected immediately is visible. */
function drawn(bars: readonly Bar[]): readonly Bar[] {
  return bars.filter(({ look, from, to }) => look === "retry" || to > from);
}

/** How long a step took, or takes until now; undefined when it has not begun. */
export function durationOf(row: StepRow, now: number): number | undefined {
  const { started_at: from, ended_at: to, status } = row;
  if (from === undefined) return undefined;
  if (to !== undefined) return Math.max(to - from, 0);
  return status === "running" || status === "waiting" ? Math.max(now - from, 0) : undefined;
}
