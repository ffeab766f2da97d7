import { CONNECTION_FIELDS } from "../src/domain/models/connection-fields.ts";
import type { Provider } from "../src/providers/define-provider.ts";
import { withTable } from "./with-table.ts";

/** A page with the table of the settings of all providers brought up to date. @throws Error for a page without one. */
export function withProvidersTable(page: string, providers: readonly Provider[]): string {
  const rows = providers.flatMap(({ id, settings }) => {
    if (settings === undefined) return [];
    const others = CONNECTION_FIELDS.flatMap((name) => settings[name]?.name ?? []);
    return [[[id], [settings.apiKey.name], [settings.baseUrl.name], others].map(cellOf)];
  });
  return withTable(page, { header: ["Provider", "Key", "Base URL", "Others"], rows });
}

function cellOf(names: readonly string[]): string {
  return names.length === 0 ? "–" : names.map((name) => `\`${name}\``).join(", ");
}
