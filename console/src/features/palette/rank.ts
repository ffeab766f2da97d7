/** What the server has found, perhaps by something that its name does not show. */
export const FOUND = "\u001Ffound";
/** Ends the name in the value of a row; what follows tells rows of the same name apart. */
export const NAME_END = "\u001F";

/** Where a text may match, the best first: the whole name, its first words, its beginning, beginnings of its words, anywhere in it. */
const EXACT = 1;
const FIRST_WORDS = 0.95;
const PREFIX = 0.9;
const WORDS = 0.7;
const INSIDE = 0.4;
/** What a thing is found by besides its name. */
const KEYWORD = 0.5;
const ANY = 0.1;

/**
 * How well a thing matches the text, from 0 to 1.
 * @param value what is shown of it, perhaps with {@link NAME_END} and more
 * @param keywords what it is found by, too
 */
export function rank(value: string, text: string, keywords: readonly string[] = []): number {
  const wanted = text.trim().toLowerCase();
  const byKeyword = keywords.map((keyword) => scoreOf(keyword.toLowerCase(), wanted) * KEYWORD);
  const [name = ""] = value.toLowerCase().split(NAME_END);
  return Math.max(scoreOf(name, wanted), ...byKeyword, keywords.includes(FOUND) ? ANY : 0);
}

function scoreOf(name: string, wanted: string): number {
  if (name === wanted) return EXACT;
  if (name.startsWith(wanted)) return /^[\p{L}\p{N}]/u.test(name.slice(wanted.length)) ? PREFIX : FIRST_WORDS;
  const starts = name.split(/[^\p{L}\p{N}]+/u);
  const words = wanted.split(/\s+/);
  if (words.every((word) => starts.some((start) => start.startsWith(word)))) return WORDS;
  return name.includes(wanted) ? INSIDE : 0;
}
