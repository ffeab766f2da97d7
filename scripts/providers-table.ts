import type { Provider } from "../src/providers/define-provider.ts";

const HEADER = ["Provider", "Key", "Base URL"] as const;
const TABLE = /^\| Provider +\| Key +\| Base URL +\|\n(?:\|.*\n)+/m;

/** A page with the table of the settings of all providers brought up to date. @throws Error for a page without one. */
export function withProvidersTable(page: string, providers: readonly Provider[]): string {
  if (!TABLE.test(page)) throw new Error("docs/models.md has lost its table of the settings of providers.");
  const rows = providers.flatMap(({ id, settings }) =>
    settings === undefined ? [] : [[id, settings.apiKey.name, settings.baseUrl.name].map((cell) => `\`${cell}\``)],
  );
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`;
  return page.replace(TABLE, () => line(HEADER) + rule + rows.map(line).join(""));
}
