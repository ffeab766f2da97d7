/** A value of a table's cell; null is an empty one. */
export type CsvValue = string | number | null;

/** What spreadsheets take for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV (RFC 4180), with a line of names first. A text that a spreadsheet would compute gets an apostrophe in front. */
export function formatCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

function formatCell(value: CsvValue): string {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
