/** The unit in which a vendor counts its limit: the size of a code point. */
export type Unit = (codePoint: number) => number;

/** Characters as Python and Ruby count them (Slack, Discord, GitHub). */
export const CODE_POINTS: Unit = () => 1;
/** Characters as JavaScript and Java count them; an emoji is two or more. */
export const UTF_16: Unit = (codePoint) => (codePoint > 0xffff ? 2 : 1);
/** Bytes of UTF-8. */
export const BYTES: Unit = (codePoint) =>
  codePoint < 0x80 ? 1 : codePoint < 0x8_00 ? 2 : codePoint < 0x1_00_00 ? 3 : 4;

/**
 * The beginning of a text, of at most `limit` units. A longer text is followed by a note of its full length, in addition
 * to the limit: `… (12,345 chars)`, at most 25 characters. No code point is split.
 */
export function truncate(text: string, limit: number, unit: Unit = CODE_POINTS): string {
  const end = endOf(text, limit, unit);
  if (end === text.length) return text;
  return `${text.slice(0, end)}… (${countCodePoints(text).toLocaleString("en-US")} chars)`;
}

/** A text of at most `limit` units, more than 3; a truncated one ends with `…`. */
export function clip(text: string, limit: number, unit: Unit = CODE_POINTS): string {
  if (endOf(text, limit, unit) === text.length) return text;
  return `${text.slice(0, endOf(text, limit - unit(0x20_26), unit))}…`;
}

/** Splits a text into parts of at most `size` UTF-16 units, without splitting a code point. */
export function chunk(text: string, size: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const last = text.codePointAt(start + size - 1) ?? 0;
    const end = last > 0xffff ? start + size - 1 : start + size;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** The position in a string after its first `limit` units. */
function endOf(text: string, limit: number, unit: Unit): number {
  let end = 0;
  for (let used = 0; end < text.length;) {
    const codePoint = text.codePointAt(end) ?? 0;
    used += unit(codePoint);
    if (used > limit) return end;
    end += UTF_16(codePoint);
  }
  return end;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += UTF_16(text.codePointAt(at) ?? 0);
  return count;
}
