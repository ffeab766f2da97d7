import { streamedText } from "../log/streamed-text.ts";
import type { Transcript } from "../log/transcript.ts";
import type { StepRow } from "../../records/run-head.ts";

/** What a step streams now. */
export interface LiveWords {
  /** The words of its open messages. */
  readonly words: number;
  /** On average since they began. */
  readonly perSecond: number;
  /** When the first of them began, in Unix milliseconds. */
  readonly since: number;
}

const SECOND_MS = 1_000;

/** The words of each model call that streams, by the key of its row, and their sums for the rows above it. */
export function liveWords(
  rows: readonly StepRow[],
  transcript: Transcript,
  now: number,
): ReadonlyMap<string, LiveWords> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const above = (row: StepRow): readonly StepRow[] => {
    const parent = byKey.get(row.parent ?? "");
    return parent === undefined ? [] : [parent, ...above(parent)];
  };
  const running = rows.filter(({ kind, status }) => kind === "model" && status === "running");
  const found = new Map<string, LiveWords>();
  for (const row of running) {
    const message = streamedText(transcript, row, byKey.get(row.parent ?? "")?.label);
    if (message?.isOpen !== true) continue;
    const words = message.text.match(/\S+/g)?.length ?? 0;
    const perSecond = (words * SECOND_MS) / Math.max(now - message.at, SECOND_MS);
    for (const { key } of [row, ...above(row)]) {
      const before = found.get(key);
      found.set(key, {
        words: words + (before?.words ?? 0),
        perSecond: perSecond + (before?.perSecond ?? 0),
        since: Math.min(message.at, before?.since ?? Infinity),
      });
    }
  }
  return found;
}
