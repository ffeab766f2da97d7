const WIDTH = 100;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const STRING = /"(?:\\.|[^"\\])*"/y;

/**
 * Lays out a line of Python, as Black does: what is too long is split at its longest bracket, each part on a line of
 * its own.
 * @param indent in columns
 */
export function layOut(line: string, indent: number): readonly string[] {
  const start = " ".repeat(indent);
  const longest = groupsIn(line).toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  if (indent + line.length <= WIDTH || longest === undefined) return [start + line];
  const parts = partsOf(line.slice(longest.start + 1, longest.end));
  // One part with a comma would be a tuple.
  const comma = line[longest.start] === "[" && parts.length === 1 ? "" : ",";
  return [
    start + line.slice(0, longest.start + 1),
    ...parts.flatMap((part) => layOut(part + (part === "*" ? "," : comma), indent + 4)),
    start + line.slice(longest.end),
  ];
}

/** A docstring, wrapped. */
export function docstring(text: string, indent: number): readonly string[] {
  const start = " ".repeat(indent);
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
  const lines = safe.split("\n").flatMap((line) => wrapped(line, WIDTH - indent - 6));
  const [first = "", ...others] = lines;
  if (others.length === 0) return [`${start}"""${first}${first.endsWith('"') ? " " : ""}"""`];
  return [`${start}"""${first}`, ...others.map((line) => (line === "" ? "" : start + line)), `${start}"""`];
}

/** Breaks a line between words; the following lines keep its indentation. */
function wrapped(line: string, width: number): readonly string[] {
  const [indent = ""] = /^ */.exec(line) ?? [];
  const lines: string[] = [];
  let current = "";
  for (const word of line.trim().split(" ")) {
    if (current !== "" && `${indent}${current} ${word}`.length > width) {
      lines.push(indent + current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, indent + current];
}

interface Group {
  readonly start: number;
  readonly end: number;
}

/** The outermost brackets of a line that are not empty. */
function groupsIn(line: string): readonly Group[] {
  const groups: Group[] = [];
  let depth = 0;
  let start = 0;
  scan(line, (character, at) => {
    if (character in CLOSING) {
      if (depth === 0) start = at;
      depth += 1;
    } else if (Object.values(CLOSING).includes(character)) {
      depth -= 1;
      if (depth === 0 && at > start + 1) groups.push({ start, end: at });
    }
  });
  return groups;
}

function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  scan(text, (character, at) => {
    if (character in CLOSING) depth += 1;
    else if (Object.values(CLOSING).includes(character)) depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  });
  return [...parts, text.slice(start).trim()].filter((part) => part !== "");
}

/** Visits the characters outside of strings. */
function scan(text: string, visit: (character: string, at: number) => void): void {
  for (let at = 0; at < text.length; at++) {
    STRING.lastIndex = at;
    const [literal] = STRING.exec(text) ?? [];
    if (literal === undefined) visit(text.charAt(at), at);
    else at += literal.length - 1;
  }
}
