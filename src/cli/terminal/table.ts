import { isUuid } from "#lib/ids.ts";
import { clip, widthOf } from "./clip.ts";
import { oneLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

const MAX_CELL = 60;
const MIN_COLUMN = 8;
const GAP = "  ";
/** The digits of an id that its commands accept: the last ones, since ids of one time begin alike. */
const SHORT_ID_DIGITS = 8;
const NUMBER = /^[-+]?\$?[\d,]+(\.\d+)?( ?(%|ms|s|KB|MB|GB|MiB|B))?$/;

const STATE_STYLES: Readonly<Record<string, Style>> = {
  ...Object.fromEntries(["completed", "success", "active", "ready", "yes"].map((state) => [state, "green"] as const)),
  ...Object.fromEntries(["failed", "error", "cancelled"].map((state) => [state, "red"] as const)),
  ...Object.fromEntries(["running", "dispatched", "processing", "busy"].map((state) => [state, "cyan"] as const)),
  ...Object.fromEntries(
    ["pending", "queued", "paused", "waiting_for_input"].map((state) => [state, "yellow"] as const),
  ),
};

/** How a table is laid out. */
export interface TableLayout {
  /** Columns of the terminal to fit the table in; undefined: nothing is shortened but very long cells. */
  readonly width: number | undefined;
  readonly paint: (style: Style, text: string) => string;
}

/**
 * Lines of a table with aligned columns under their headings. On a terminal columns of numbers are aligned to the
 * right, ids shortened, states coloured; until a row fits, columns without any value are left out and then the widest
 * ones cut.
 */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  layout: TableLayout,
): readonly string[] {
  const { width, paint } = layout;
  const cells = rows.map((row) => row.map((cell) => (width !== undefined && isUuid(cell) ? shortId(cell) : cell)));
  const shown = cells.map((row) => row.map((cell) => oneLine(cell, MAX_CELL)));
  const widths = headings.map((heading, column) =>
    Math.max(widthOf(heading), ...shown.map((row) => widthOf(row[column] ?? ""))),
  );
  if (width !== undefined && rowWidth(widths) > width) {
    const hasValue = headings.map((_, column) => rows.length === 0 || rows.some((row) => row[column]));
    if (hasValue.includes(false)) {
      const kept = (row: readonly string[]) => row.filter((_, column) => hasValue[column]);
      return tableLines(kept(headings), rows.map(kept), layout);
    }
    narrow(widths, width);
  }
  const isNumeric = headings.map((_, column) => {
    const filled = shown.flatMap((row) => row[column] || []);
    return width !== undefined && filled.length > 0 && filled.every((cell) => NUMBER.test(cell));
  });
  const line = (row: readonly string[], styled: (cell: string, padded: string) => string) =>
    row
      .map((cell, column) => {
        const limit = widths[column] ?? 0;
        const clipped = clip(cell, limit);
        const pad = " ".repeat(Math.max(0, limit - widthOf(clipped)));
        const text = styled(cell, clipped);
        return isNumeric[column] ? pad + text : text + pad;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(headings, (_, text) => paint("bold", text)),
    ...shown.map((row) => line(row, (cell, text) => paintState(cell, text, paint))),
  ];
}

/** The end of an id, which commands accept in its place. */
export function shortId(id: string): string {
  return id.slice(-SHORT_ID_DIGITS);
}

/** Takes from the widest column until the row fits, or all columns are narrow. */
function narrow(widths: number[], available: number): void {
  for (;;) {
    const total = rowWidth(widths);
    const widest = Math.max(...widths);
    if (total <= available || widest <= MIN_COLUMN) return;
    const second = Math.max(MIN_COLUMN, ...widths.filter((each) => each < widest));
    const column = widths.indexOf(widest);
    widths[column] = Math.max(second, widest - Math.max(1, total - available), MIN_COLUMN);
    if (widths[column] === widest) widths[column] = widest - 1;
  }
}

function rowWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

function paintState(cell: string, text: string, paint: TableLayout["paint"]): string {
  const style = Object.hasOwn(STATE_STYLES, cell) ? STATE_STYLES[cell] : undefined;
  return style === undefined ? text : paint(style, text);
}

/** Lines of one record: aligned names, each with its value; those without a value are left out. */
export function fieldLines(fields: Readonly<Record<string, string | null | undefined>>): readonly string[] {
  const shown = Object.entries(fields).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${name.padEnd(width)}${GAP}${oneLine(value, Infinity)}`);
}
