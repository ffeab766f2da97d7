import { CsvError, parse } from "csv-parse/sync";
import { body } from "./block.ts";
import type { Extracted } from "./block.ts";
import { enumerate } from "./enumerate.ts";
import { decodeText } from "./read-text.ts";

/** In the order of preference where several fit: a decimal comma is more frequent than a comma beside semicolons. */
const SEPARATORS = ["\t", ";", "|", ","];
/** The rows by which the separator is found. */
const SAMPLE_ROWS = 200;
/** No text contains it. */
const NO_SEPARATOR = "\0";

/** The rows of a table, each with its column names, so that each can be understood alone. */
export function readCsv(content: Uint8Array): Extracted {
  const { table, warnings } = parseTable(decodeText(content));
  const [names = [], ...rows] = table;
  if (rows.length === 0) return { blocks: names.length === 0 ? [] : [body(names.join(", "))], warnings };
  const blocks = rows.map((row) =>
    body(row.map((value, index) => (names[index] ? `${names[index]}: ${value}` : value)).join("; ")),
  );
  return { blocks, warnings: [...warnings, ...warningOfLongRows(names.length, rows)] };
}

function parseTable(text: string): { readonly table: string[][]; readonly warnings: readonly string[] } {
  const delimiter = separatorOf(text);
  try {
    return { table: parseRows(text, { delimiter }), warnings: [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that nothing closes would swallow the rest: read as text it loses nothing.
    const table = parseRows(text, { delimiter, quote: null });
    return { table, warnings: [`Its quotes are read as text, because one is not closed: ${error.message}`] };
  }
}

/** Finds the one separator of a file: that by which most of its first rows have as many cells as the header. */
function separatorOf(text: string): string | undefined {
  const candidates = SEPARATORS.map((delimiter) => {
    const [header = [], ...rows] = sampleOf(text, delimiter);
    const fitting = rows.filter(({ length }) => length === header.length).length;
    return { delimiter, cells: header.length, share: rows.length === 0 ? 1 : fitting / rows.length };
  }).filter(({ cells }) => cells > 1);
  // Sorting is stable, so that ties keep the order of preference.
  return candidates.toSorted((a, b) => b.share - a.share || b.cells - a.cells)[0]?.delimiter;
}

function sampleOf(text: string, delimiter: string): string[][] {
  try {
    return parseRows(text, { delimiter, to: SAMPLE_ROWS });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return parseRows(text, { delimiter, to: SAMPLE_ROWS, quote: null });
  }
}

interface Dialect {
  /** Undefined: the file has one column. */
  readonly delimiter: string | undefined;
  /** Null: quotes are text. */
  readonly quote?: null;
  readonly to?: number;
}

function parseRows(text: string, { delimiter = NO_SEPARATOR, ...options }: Dialect): string[][] {
  const rows: string[][] = parse(text, {
    ...options,
    bom: true,
    delimiter,
    // `5" pipe` has a quote, but is not quoted.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // Of a file with tabs it would take empty cells.
    trim: delimiter !== "\t",
  });
  return rows.map((row) => row.map((cell) => cell.trim()));
}

/** Rows with more cells than the header have values without a name; a separator inside of a cell is the usual reason. */
function warningOfLongRows(columns: number, rows: readonly (readonly string[])[]): readonly string[] {
  const long = rows.flatMap((row, index) => (row.slice(columns).some((cell) => cell !== "") ? [index + 2] : []));
  if (long.length === 0) return [];
  return [
    `More cells than the header has (${columns}), so that their last values have no name, in row ${enumerate(long)}.`,
  ];
}
