/** The beginning of a text that takes at most `max` bytes in UTF-8; no character of it is split. */
export function firstBytes(text: string, max: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}
