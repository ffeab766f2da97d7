import { CsvError, parse } from "csv-parse/sync";
import { body } from "./block.ts";
import type { Block } from "./block.ts";
import { ExtractionError } from "./limits.ts";
import { decodeText } from "./read-text.ts";

const DELIMITERS = [",", ";", "\t", "|"];

/** The rows of a table, each with its column names, so that each can be understood alone. */
export function readCsv(content: Uint8Array): Block[] {
  const [names = [], ...rows] = parseRows(decodeText(content));
  if (rows.length === 0) return names.length === 0 ? [] : [body(names.join(", "))];
  return rows.map((row) =>
    body(row.map((value, index) => (names[index] ? `${names[index]}: ${value}` : value)).join("; ")),
  );
}

function parseRows(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: DELIMITERS,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ExtractionError(`It is not CSV that can be read: ${error.message}`, { cause: error });
  }
}
