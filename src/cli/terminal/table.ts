import { characters, oneLine } from "./safe-text.ts";

const MAX_CELL = 60;
const GAP = "  ";

/** Lines of a table with aligned columns under their headings; long cells are cut. */
export function tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [headings, ...rows.map((row) => row.map((cell) => oneLine(cell, MAX_CELL)))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column] ?? ""))));
  return cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Lines of one record: aligned names, each with its value; those without a value are left out. */
export function fieldLines(fields: Readonly<Record<string, string | null | undefined>>): readonly string[] {
  const shown = Object.entries(fields).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${name.padEnd(width)}${GAP}${oneLine(value, Infinity)}`);
}

function lengthOf(text: string): number {
  return characters(text).length;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(width - lengthOf(text));
}
