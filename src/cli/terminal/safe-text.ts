/** Control characters of ASCII and Latin-1, but not tab and line feed. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text that cannot steer a terminal: names and answers come from other people and models, and an
 * escape sequence in them could rewrite what stands on the screen. Safe on pieces of a text too.
 */
export function safeText(text: string): string {
  return text.replaceAll(CONTROLS, "");
}

/** Safe text on one line, cut to a number of characters. */
export function oneLine(text: string, length: number): string {
  const characters = [...safeText(text).replaceAll(/\s+/g, " ").trim()];
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length - 1).join("")}…`;
}
