/** The beginning of a text, at most `max` bytes in UTF-8, without splitting a character. */
export function firstBytes(text: string, max: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}
