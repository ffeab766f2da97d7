import type { Participant } from "./discussion.ts";

const DIRECTIVE = /\bNEXT\b\W*:\W*(.+)$/gim;
/** Characters with a meaning in a pattern. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/**
 * Whom a text names as the next speaker: in its last line `NEXT: <name>`, or else, of the names in it, the last one.
 * Upper and lower case are alike; undefined when it names nobody.
 */
export function findNamed(text: string, among: readonly Participant[]): Participant | undefined {
  const directive = [...text.matchAll(DIRECTIVE)].at(-1)?.[1];
  return (directive === undefined ? undefined : lastNamed(directive, among)) ?? lastNamed(text, among);
}

function lastNamed(text: string, among: readonly Participant[]): Participant | undefined {
  const found = among.map((one) => ({ one, end: endOfName(text, one.name) })).filter(({ end }) => end >= 0);
  // Of two that end at the same place one is the end of the other: "Ann" in "Mary Ann".
  found.sort((a, b) => b.end - a.end || b.one.name.length - a.one.name.length);
  return found[0]?.one;
}

/** Behind the last place where the name stands as a word of its own; -1 when there is none. */
function endOfName(text: string, name: string): number {
  const escaped = name.replaceAll(SYNTAX, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu");
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? -1 : last.index + last[0].length;
}
