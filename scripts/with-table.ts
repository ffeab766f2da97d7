/** A table of Markdown. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A page with its table of this header brought up to date, in columns of equal width. @throws Error without one. */
export function withTable(page: string, { header, rows }: Table): string {
  const titles = header.map((title) => ` ${title} +\\|`).join("");
  const table = new RegExp(`^\\|${titles}\\n(?:\\|.*\\n)+`, "m");
  if (!table.test(page)) throw new Error(`A page has lost its table of ${header.join(", ")}.`);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return page.replace(table, () => line(header) + rule + rows.map(line).join(""));
}
