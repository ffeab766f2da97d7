/** A character of a JavaScript string has at most this many bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

/** The beginning of a text, at most `max` bytes in UTF-8, without splitting a character. */
export function firstBytes(text: string, max: number): string {
  // Usually the text is short; the buffer would cost more than all else.
  if (text.length * MAX_CHARACTER_BYTES <= max) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}
