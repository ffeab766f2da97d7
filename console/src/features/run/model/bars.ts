import type { StepRow } from "../records.ts";

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
  const { kind, started_at: from, ended_at: end, first_token_at: first, wait_ms: waited = 0, tries = 1 } = row;
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
      return modelBars({ from, to, first, waited, tries });
    default:
      return [{ look: "group", from, to }];
  }
}

/** Tries that failed and the waits are before the last try, in which the first token comes. */
function modelBars({
  from,
  to,
  first = to,
  waited,
  tries,
}: {
  readonly from: number;
  readonly to: number;
  readonly first: number | undefined;
  readonly waited: number;
  readonly tries: number;
}): readonly Bar[] {
  const streamed = Math.min(Math.max(first, from), to);
  const answered = Math.min(from + waited, streamed);
  const before: readonly Bar[] =
    tries > 1
      ? [{ look: "retry", from, to: streamed }]
      : [
          { look: "wait", from, to: answered },
          { look: "first-token", from: answered, to: streamed },
        ];
  return [...before, { look: "stream" as const, from: streamed, to }].filter((bar) => bar.to > bar.from);
}

/** How long a step took, or takes until now; undefined when it has not begun. */
export function durationOf(row: StepRow, now: number): number | undefined {
  const { started_at: from, ended_at: to, status } = row;
  if (from === undefined) return undefined;
  if (to !== undefined) return Math.max(to - from, 0);
  return status === "running" || status === "waiting" ? Math.max(now - from, 0) : undefined;
}
