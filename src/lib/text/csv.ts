/** The value of a table cell; null for an empty one. */
export type CsvValue = string | number | null;

/** Characters that begin a formula in spreadsheets (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Formats a table as CSV (RFC 4180) with a header line. Text that looks like a formula is prefixed with an apostrophe.
 */
export function formatCsv(columns: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");
}

function formatCell(value: CsvValue): string {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
