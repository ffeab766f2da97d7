/**
 * The first `limit` code points of a text. A longer text is followed by a note of its full length, in addition to the
 * limit: `… (12,345 chars)`, at most 25 characters. Code points, not UTF-16 units, so no emoji is split.
 */
export function truncate(text: string, limit: number): string {
  const end = endOf(text, limit);
  if (end === text.length) return text;
  return `${text.slice(0, end)}… (${countCodePoints(text).toLocaleString("en-US")} chars)`;
}

/** A text of at most `limit` code points; a truncated one ends with `…`. */
export function clip(text: string, limit: number): string {
  return endOf(text, limit) === text.length ? text : `${text.slice(0, endOf(text, limit - 1))}…`;
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

/** The position in a string after its first `limit` code points. */
function endOf(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}
