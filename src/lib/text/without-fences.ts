/** A line that begins or ends a block of code in Markdown. */
const FENCE = /^```(?:json)?$\n?/gm;

/** Markdown for where all text is plain: its code has no fences. */
export function withoutFences(text: string): string {
  return text.replaceAll(FENCE, "").trimEnd();
}
