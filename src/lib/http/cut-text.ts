/** About 12,000 tokens: a length of one result that a model can read without losing context. */
const MAX_CHARACTERS = 50_000;

/** Part of a long text, with a note about the rest and how to continue. @param start how many characters to skip */
export function cutText(text: string, start = 0): string {
  const part = text.slice(start, start + MAX_CHARACTERS).toWellFormed();
  const end = start + MAX_CHARACTERS;
  if (start > 0 && start >= text.length) return `(The text has only ${text.length} characters.)`;
  return end < text.length
    ? `${part}\n\n(${text.length - end} of ${text.length} characters are left; they begin at ${end}.)`
    : part;
}
