/** Control characters except tab and line feed. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/**
 * Removes what a terminal would execute: names and replies come from other people and models, and an escape sequence
 * could rewrite the screen. Works on pieces of a text too.
 */
export function safeText(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** Created at first use: its data takes longer to load than most commands to run. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the characters of a text as a reader counts them (grapheme clusters). */
export function characters(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns safe text on one line, cut to a number of characters. */
export function oneLine(text: string, length: number): string {
  const line = safeText(text).replaceAll(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const all = characters(line);
  return all.length <= length ? line : `${all.slice(0, length - 1).join("")}…`;
}

/** Returns a text as one word for a shell, quoted if needed. */
export function quoteForShell(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${safeText(text).replaceAll("'", `'\\''`)}'`;
}
