/** Control characters, but not tab and line feed. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/**
 * Text that cannot steer a terminal: names and answers come from other people and models, and an
 * escape sequence in them could rewrite what the screen shows. Safe on pieces of a text too.
 */
export function safeText(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** Created when it is needed: its data takes longer to load than most commands to run. */
let segmenter: Intl.Segmenter | undefined;

/** A text's characters as a reader counts them. */
export function characters(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Safe text on one line, cut to a number of characters. */
export function oneLine(text: string, length: number): string {
  const line = safeText(text).replaceAll(/\s+/g, " ").trim();
  if (line.length <= length) return line;
  const all = characters(line);
  return all.length <= length ? line : `${all.slice(0, length - 1).join("")}…`;
}

/** A text as one word of a shell, quoted where that is needed. */
export function quoteForShell(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${safeText(text).replaceAll("'", `'\\''`)}'`;
}
