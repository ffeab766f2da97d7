import type { Unit } from "./truncate.ts";

/** A link, whose characters mean nothing else, or a character of Discord's Markdown, mentions or times. */
const MARKUP = /https?:\/\/[\w./?=&%#:+,;@!$-]+|[\\`*_~|<>[\]#-]/g;
const CHARACTERS = new Set(Array.from("\\`*_~|<>[]#-", (one) => one.codePointAt(0)));

/** The size of a text after {@link escapeDiscord}, at most. */
export const WITH_ESCAPES: Unit = (codePoint) => (CHARACTERS.has(codePoint) ? 2 : 1);

/** A text that Discord shows as it is: nothing in it is hidden, styled, or a link under another name. */
export function escapeDiscord(text: string): string {
  return text.replaceAll(MARKUP, (found) => (found.length > 1 ? found : `\\${found}`));
}
