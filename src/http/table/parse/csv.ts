import { MAX_VALUES } from "#domain/storable.ts";
import { badBody } from "../errors.ts";

const FIELD = /"((?:[^"]|"")*)"|([^,\r\n"]*)/uy;
const END = /,|\r?\n|$/uy;

/**
 * Parses CSV with a header line (RFC 4180) into one record per line. A bare NULL is null; blank lines are skipped.
 * @throws TableError PGRST102.
 */
export function parseCsv(text: string): readonly Readonly<Record<string, string | null>>[] {
  const [header, ...lines] = linesOf(text);
  if (header === undefined) throw badBody("Empty or invalid csv");
  const names = header.map((name) => name ?? "NULL");
  return lines.map((line) => {
    if (line.length !== names.length) throw badBody("All lines must have same number of fields");
    return Object.fromEntries(names.map((name, index) => [name, line[index] ?? null]));
  });
}

function linesOf(text: string): readonly (readonly (string | null)[])[] {
  const lines: (string | null)[][] = [];
  let line: (string | null)[] = [];
  let at = 0;
  for (let values = 1; at < text.length; values++) {
    if (values > MAX_VALUES)
      throw badBody("Too many values", `A body must not contain more than ${MAX_VALUES} values.`);
    FIELD.lastIndex = at;
    const [whole = "", quoted, bare] = FIELD.exec(text) ?? [];
    at += whole.length;
    line.push(quoted?.replaceAll('""', '"') ?? (bare === "NULL" ? null : (bare ?? "")));
    END.lastIndex = at;
    const end = END.exec(text)?.[0];
    if (end === undefined) throw badBody("Empty or invalid csv", `unexpected character at ${at + 1}`);
    at += end.length;
    if (end === "," && at < text.length) continue;
    if (end === ",") line.push("");
    if (line.length > 1 || line[0] !== "") lines.push(line);
    line = [];
  }
  return lines;
}
