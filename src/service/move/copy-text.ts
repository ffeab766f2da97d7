// The text that COPY writes and reads: a row a line, columns between tabs, what has a meaning behind a backslash.

const NEWLINE = 10;
const NULL = "\\N";
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Counts the rows of a text. */
export function countRows(text: Buffer): number {
  let rows = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}

/** Where the last row of a text ends; 0 when none does. */
export function endOfRows(text: Buffer): number {
  return text.lastIndexOf(NEWLINE) + 1;
}

/** Changes the values of some columns in each row. A value is null, or as it was before COPY escaped it. */
export function mapRows(
  rows: Buffer,
  map: (values: readonly (string | null)[]) => ReadonlyMap<number, string>,
): Buffer {
  const lines = rows.toString("utf8").split("\n");
  const mapped = lines.map((line) => {
    if (line === "") return line;
    const columns = line.split("\t");
    for (const [index, value] of map(columns.map(plain))) columns[index] = value;
    return columns.join("\t");
  });
  return Buffer.from(mapped.join("\n"));
}

function plain(column: string): string | null {
  if (column === NULL) return null;
  return column.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** Replaces ids by others of the same length, in place. */
export function replaceIds(rows: Buffer, ids: ReadonlyMap<string, string>): void {
  for (const [from, to] of ids) {
    for (let at = rows.indexOf(from); at !== -1; at = rows.indexOf(from, at + to.length)) rows.write(to, at, "latin1");
  }
}
