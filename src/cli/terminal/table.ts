import { isUuid } from "#lib/ids.ts";
import { clip, widthOf } from "./clip.ts";
import { oneLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

const MAX_CELL = 60;
/** The minimum width to which texts are cut; ids, models, states, times and numbers are never cut. */
const MIN_TEXT = 10;
const GAP = "  ";
/** The headings of texts that people copy into a command, and that are never cut. */
const WHOLE = new Set(["MODEL"]);
/** The length of a short id: its last digits, since ids created at the same time begin alike. */
const SHORT_ID_DIGITS = 8;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/;
const NUMBER = /^[-+]?\$?[\d,]+(\.\d+)?( ?(%|ms|s|KB|MB|GB|MiB|B))?$/;

const STATE_STYLES: Readonly<Record<string, Style>> = {
  ...Object.fromEntries(["completed", "success", "active", "ready", "yes"].map((state) => [state, "green"] as const)),
  ...Object.fromEntries(["failed", "error", "cancelled"].map((state) => [state, "red"] as const)),
  ...Object.fromEntries(["running", "dispatched", "processing", "busy"].map((state) => [state, "cyan"] as const)),
  ...Object.fromEntries(
    ["pending", "queued", "paused", "waiting_for_input"].map((state) => [state, "yellow"] as const),
  ),
};

/** The layout of a table. */
export interface TableLayout {
  /** The width of the terminal, in columns; undefined: only very long cells are shortened. */
  readonly width: number | undefined;
  readonly paint: (style: Style, text: string) => string;
}

/**
 * Returns the lines of a table with aligned columns. On a terminal, numbers are aligned right, ids shortened and states
 * coloured. Until a row fits, empty columns are omitted, times lose their seconds, and texts are cut. If that is still
 * too wide, each row becomes a list of fields.
 */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { width, paint }: TableLayout,
): readonly string[] {
  const cells = rows.map((row) => row.map((cell) => (width !== undefined && isUuid(cell) ? shortId(cell) : cell)));
  const shown = cells.map((row) => row.map((cell) => oneLine(cell, MAX_CELL)));
  const columns = headings.map((heading, index) =>
    columnOf(
      heading,
      shown.map((row) => row[index] ?? ""),
    ),
  );
  if (width === undefined || rows.length === 0) return gridLines(columns, { width, paint });
  const fitted = fit(columns, width);
  return fitted === undefined ? recordLines(columns, paint) : gridLines(fitted, { width, paint });
}

/** The cells below a heading, and their width. */
interface Column {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly width: number;
}

function columnOf(heading: string, cells: readonly string[]): Column {
  return { heading, cells, width: Math.max(widthOf(heading), ...cells.map(widthOf)) };
}

/** Returns columns whose rows fit; undefined if that is impossible. */
function fit(columns: readonly Column[], width: number): readonly Column[] | undefined {
  if (rowWidth(columns) <= width) return columns;
  const filled = columns.filter(({ cells }) => cells.length === 0 || cells.some(Boolean));
  if (rowWidth(filled) <= width) return filled;
  return cutTexts(filled.map(withoutSeconds), width);
}

function withoutSeconds(column: Column): Column {
  const { heading, cells } = column;
  return isTimes(cells) ? columnOf(heading, cells.map(minuteOf)) : column;
}

/** Shortens the widest text until the row fits; undefined if it does not fit with all texts at their minimum. */
function cutTexts(columns: readonly Column[], width: number): readonly Column[] | undefined {
  const excess = rowWidth(columns) - width;
  if (excess <= 0) return columns;
  const widest = columns.filter(isCut).toSorted((one, other) => other.width - one.width)[0];
  if (widest === undefined) return undefined;
  const second = Math.max(...columns.filter((each) => isCut(each) && each.width < widest.width).map(widthOfColumn), 0);
  const reduced = Math.max(MIN_TEXT, widest.width - excess, Math.min(second, widest.width - 1));
  return cutTexts(
    columns.map((each) => (each === widest ? { ...each, width: reduced } : each)),
    width,
  );
}

function isCut({ heading, cells, width }: Column): boolean {
  return (
    width > MIN_TEXT &&
    !WHOLE.has(heading) &&
    !isTimes(cells) &&
    !cells.every((cell) => Object.hasOwn(STATE_STYLES, cell) || NUMBER.test(cell))
  );
}

function widthOfColumn({ width }: Column): number {
  return width;
}

function isTimes(cells: readonly string[]): boolean {
  return cells.some(Boolean) && cells.every((cell) => cell === "" || TIME.test(cell));
}

function minuteOf(time: string): string {
  return time.slice(0, "2026-01-31 14:05".length);
}

function gridLines(columns: readonly Column[], { width: available, paint }: TableLayout): readonly string[] {
  const isNumeric = ({ cells }: Column) =>
    available !== undefined && cells.some(Boolean) && cells.every((cell) => cell === "" || NUMBER.test(cell));
  const cellText = (column: Column, cell: string, styled: (clipped: string) => string) => {
    const clipped = clip(cell, column.width);
    const pad = " ".repeat(Math.max(0, column.width - widthOf(clipped)));
    return isNumeric(column) ? pad + styled(clipped) : styled(clipped) + pad;
  };
  const heading = columns.map((column) => cellText(column, column.heading, (text) => paint("bold", text)));
  const rows = (columns[0]?.cells ?? []).map((_, row) =>
    columns.map((column) => {
      const cell = column.cells[row] ?? "";
      return cellText(column, cell, (text) => paintState(cell, text, paint));
    }),
  );
  return [heading, ...rows].map((row) => row.join(GAP).trimEnd());
}

/** Returns each row as a list of its fields, for terminals on which no table fits. */
function recordLines(columns: readonly Column[], paint: TableLayout["paint"]): readonly string[] {
  const nameWidth = Math.max(...columns.map(({ heading }) => widthOf(heading)));
  return (columns[0]?.cells ?? []).flatMap((_, row) => {
    const filled = columns.filter(({ cells }) => cells[row]);
    const lines = filled.map(({ heading, cells }) => {
      const cell = cells[row] ?? "";
      return paint("bold", heading) + " ".repeat(nameWidth - widthOf(heading)) + GAP + paintState(cell, cell, paint);
    });
    return row === 0 ? lines : ["", ...lines];
  });
}

/** Returns the end of an id, which commands accept instead. */
export function shortId(id: string): string {
  return id.slice(-SHORT_ID_DIGITS);
}

function rowWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));
}

function paintState(cell: string, text: string, paint: TableLayout["paint"]): string {
  const style = Object.hasOwn(STATE_STYLES, cell) ? STATE_STYLES[cell] : undefined;
  return style === undefined ? text : paint(style, text);
}

/** The fields of a record: values by name. */
export type Fields = Readonly<Record<string, string | null | undefined>>;

/** Returns the lines of one record: aligned names with their values; empty ones are omitted. */
export function fieldLines(fields: Fields): readonly string[] {
  const shown = Object.entries(fields).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.map(({ name, value }) => `${name.padEnd(width)}${GAP}${oneLine(value, Infinity)}`);
}
