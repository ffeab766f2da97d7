import { MAX_FENCE, closesFence, fenceAt } from "./fences.ts";
import type { Fence } from "./fences.ts";
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

/**
 * Splits Markdown where it has a paragraph, a line or a word; never empty, and no code point is split. A code block that
 * is split is closed in its part, and opened again in the next one.
 */
export function splitText(text: string, { max, unit, parts }: SplitLimits): readonly string[] {
  const found: string[] = [];
  let [rest, opening] = [text.trim(), ""];
  while (rest !== "" && found.length < parts) {
    const isLast = found.length === parts - 1;
    const end = endOf(rest, max - CUT.length - 2 * MAX_FENCE, unit);
    if (end === rest.length) return [...found, opening + rest];
    const at = isLast ? end : breakIn(rest, end);
    const part = opening + rest.slice(0, at).trimEnd();
    const fence = openFence(part);
    found.push(part + (fence === undefined ? "" : `\n${fence.indent}${fence.mark}`) + (isLast ? CUT : ""));
    rest = withoutLines(rest.slice(at));
    const [next = ""] = rest.split("\n", 1);
    const isClosed = fence !== undefined && closesFence(next, fence);
    if (isClosed) rest = withoutLines(rest.slice(next.length));
    opening = fence === undefined || isClosed ? "" : `${fence.line}\n`;
  }
  return found;
}

/** The code block in which a text ends. */
function openFence(text: string): Fence | undefined {
  let open: Fence | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) open = fenceAt(line);
    else if (closesFence(line, open)) open = undefined;
  }
  return open;
}

function withoutLines(text: string): string {
  return text.replace(/^\n+/, "");
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
