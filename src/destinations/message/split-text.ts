import { UTF_16 } from "./truncate.ts";
import type { Unit } from "./truncate.ts";

/** How a text is split into messages. */
export interface SplitLimits {
  /** The largest part. */
  readonly max: number;
  readonly unit: Unit;
  /** The number of parts; the last one says that more was left out. */
  readonly parts: number;
}

const CUT = "\n\n… (The rest is in the console.)";
/** A break in the last half of a part is taken, the best kind first. */
const BREAKS = ["\n\n", "\n", " "];

/** Splits a text where it has a paragraph, a line or a word; never empty, and no code point is split. */
export function splitText(text: string, { max, unit, parts }: SplitLimits): readonly string[] {
  const found: string[] = [];
  let rest = text.trim();
  while (rest !== "" && found.length < parts) {
    const isLast = found.length === parts - 1;
    const end = endOf(rest, max - CUT.length, unit);
    if (end === rest.length) return [...found, rest];
    const at = isLast ? end : breakIn(rest, end);
    found.push(rest.slice(0, at).trimEnd() + (isLast ? CUT : ""));
    rest = rest.slice(at).trimStart();
  }
  return found;
}

function breakIn(text: string, end: number): number {
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark, end - mark.length);
    if (at >= end / 2) return at + mark.length;
  }
  return end;
}

function endOf(text: string, max: number, unit: Unit): number {
  let end = 0;
  for (let used = 0; end < text.length;) {
    const codePoint = text.codePointAt(end) ?? 0;
    used += unit(codePoint);
    if (used > max) return end;
    end += UTF_16(codePoint);
  }
  return end;
}
