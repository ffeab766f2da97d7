import { CONNECTION_FIELDS } from "../src/domain/models/connection-fields.ts";
import type { Provider } from "../src/providers/define-provider.ts";

const HEADER = ["Provider", "Key", "Base URL", "Others"] as const;
const TABLE = /^\| Provider +\| Key +\| Base URL +\|(?: Others +\|)?\n(?:\|.*\n)+/m;

/** A page with the table of the settings of all providers brought up to date. @throws Error for a page without one. */
export function withProvidersTable(page: string, providers: readonly Provider[]): string {
  if (!TABLE.test(page)) throw new Error("docs/models.md has lost its table of the settings of providers.");
  const rows = providers.flatMap(({ id, settings }) => {
    if (settings === undefined) return [];
    const others = CONNECTION_FIELDS.flatMap((name) => settings[name]?.name ?? []);
    return [[[id], [settings.apiKey.name], [settings.baseUrl.name], others].map(cellOf)];
  });
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |\n`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`;
  return page.replace(TABLE, () => line(HEADER) + rule + rows.map(line).join(""));
}

function cellOf(names: readonly string[]): string {
  return names.length === 0 ? "–" : names.map((name) => `\`${name}\``).join(", ");
}
