const BLANKS = /\s*/uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;
const BARE = /[^",{}\\]+/uy;

/**
 * Parses PostgreSQL's literal of a text array, such as `{a,"b c",NULL}`, in linear time. Returns undefined for an
 * invalid one.
 */
export function parseArrayLiteral(literal: string): readonly (string | null)[] | undefined {
  const text = literal.trim();
  if (text.length < 2 || !text.startsWith("{") || !text.endsWith("}")) return undefined;
  const inner = text.slice(1, -1).trim();
  const list: (string | null)[] = [];
  for (let at = 0; inner !== ""; at += 1) {
    at += matchAt(BLANKS, inner, at).length;
    const quoted = matchAt(QUOTED, inner, at);
    const element = quoted === "" ? matchAt(BARE, inner, at) : quoted;
    if (element.trim() === "") return undefined;
    list.push(quoted === "" ? bareValue(element.trim()) : quoted.slice(1, -1).replaceAll(/\\(.)/gsu, "$1"));
    at += element.length;
    at += matchAt(BLANKS, inner, at).length;
    if (at === inner.length) break;
    if (inner[at] !== ",") return undefined;
  }
  return list;
}

function bareValue(text: string): string | null {
  return text.toUpperCase() === "NULL" ? null : text;
}

/** Returns the match of a sticky expression at a position; an empty text without a match. */
function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? "";
}
