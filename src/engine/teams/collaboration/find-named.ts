import type { Participant } from "./discussion.ts";

const DIRECTIVE = /\bNEXT\b\W*:\W*(.+)$/gim;
/** Characters with a special meaning in a regular expression. */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/**
 * The next speaker that a text names: in its last line `NEXT: <name>`, or else the last known name in the text. Ignores
 * case; undefined when the text names no participant.
 */
export function findNamed(text: string, among: readonly Participant[]): Participant | undefined {
  const directive = [...text.matchAll(DIRECTIVE)].at(-1)?.[1];
  return (directive === undefined ? undefined : lastNamed(directive, among)) ?? lastNamed(text, among);
}

function lastNamed(text: string, among: readonly Participant[]): Participant | undefined {
  const found = among.map((one) => ({ one, end: endOfName(text, one.name) })).filter(({ end }) => end >= 0);
  // If two names end at the same position, the longer one wins: "Mary Ann" before "Ann".
  found.sort((a, b) => b.end - a.end || b.one.name.length - a.one.name.length);
  return found[0]?.one;
}

/** The position after the last whole-word occurrence of the name; -1 when there is none. */
function endOfName(text: string, name: string): number {
  const escaped = name.replaceAll(SYNTAX, "\\$&");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu");
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? -1 : last.index + last[0].length;
}
