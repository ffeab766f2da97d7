import { TableError } from "../errors.ts";
import { Scanner } from "./scanner.ts";

/** The rows of a result: at most `limit`, starting at `offset`. */
export interface RowRange {
  readonly offset: number;
  readonly limit: number | undefined;
}

const INTEGER = /^-?\d{1,15}$/u;
const HEADER = /^(\d{1,15})-(\d{1,15})?$/u;

/** The error for a range that does not exist. @param total the number of rows, for `Content-Range`, if known */
export function notSatisfiable(details: string, total?: number): TableError {
  return new TableError(416, "PGRST103", {
    message: "Requested range not satisfiable",
    details,
    ...(total !== undefined && { headers: { "Content-Range": `*/${total}` } }),
  });
}

/** Parses `limit` and `offset`. @throws TableError PGRST100 when it is not a number; PGRST103 when it is negative. */
export function parseRange(limit: string | null, offset: string | null): RowRange {
  return {
    offset: whole("Offset", offset) ?? 0,
    limit: whole("Limit", limit),
  };
}

/** Narrows a range by the header `Range: 0-9`; ignores an invalid one. @throws TableError PGRST103. */
export function narrowByHeader(range: RowRange, header: string | undefined): RowRange {
  const [, first, last] = HEADER.exec(header ?? "") ?? [];
  if (first === undefined) return range;
  const offset = Number(first);
  if (last === undefined) return { ...range, offset: range.offset + offset };
  if (Number(last) < offset) {
    throw notSatisfiable("The lower boundary must be lower than or equal to the upper boundary in the Range header.");
  }
  const length = Number(last) - offset + 1;
  return { offset: range.offset + offset, limit: Math.min(range.limit ?? length, length) };
}

function whole(name: string, text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!INTEGER.test(text)) new Scanner(name.toLowerCase(), text).fail("a whole number");
  if (Number(text) < 0) throw notSatisfiable(`${name} should be greater than or equal to zero.`);
  return Number(text);
}
