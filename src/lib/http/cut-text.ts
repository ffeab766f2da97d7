/** About 12,000 tokens: what a model can read of one result without losing sight of its work. */
const MAX_CHARACTERS = 50_000;

/** A part of a long text, with a note on what is left and how to continue. @param start how many characters to leave out */
export function cutText(text: string, start = 0): string {
  const part = text.slice(start, start + MAX_CHARACTERS).toWellFormed();
  const end = start + MAX_CHARACTERS;
  if (start > 0 && start >= text.length) return `(The text has only ${text.length} characters.)`;
  return end < text.length
    ? `${part}\n\n(${text.length - end} of ${text.length} characters are left; they begin at ${end}.)`
    : part;
}
