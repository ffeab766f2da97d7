/**
 * Writes what is generated from the sources: the registries, .env.example, Grafana's dashboard, the pages of the reference, of destinations
 * and of conformance, tables of docs/models.md, docs/deploy.md and ARCHITECTURE.md, openapi.json, the operations
 * and types of the Python client, and those of the TypeScript client, which the console uses too.
 * With --check it writes nothing and fails when a file is not up to date; with --no-types it leaves out the types.
 */
import { conformancePage } from "./conformance-page.ts";
import { envExample } from "./env-example.ts";
import { destinationPage, destinationsPage, pagePath } from "./destinations-page.ts";
import { cliPage } from "./reference/cli-page.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { httpPage } from "./reference/http-page.ts";
import { settingsPage } from "./reference/settings-page.ts";
import { grafanaDashboard } from "./grafana-dashboard.ts";
import { withProvidersTable } from "./providers-table.ts";
import { withMetricsTable } from "./metrics-table.ts";
import { withRoomsTable } from "./rooms-table.ts";
import { registries } from "./registries.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const isCheck = process.argv.includes("--check");
const stale: string[] = [];
for (const [path, text] of await registries(ROOT)) await update(path, text);
// The rest follows from the registries, so it is loaded when these are up to date.
if (isCheck && stale.length > 0) fail();
const { SETTING_GROUPS } = await import("../src/config/config.ts");
await update(".env.example", envExample(SETTING_GROUPS));
await update("deploy/grafana.json", grafanaDashboard());
await update("docs/reference/settings.md", settingsPage(SETTING_GROUPS));
await update("docs/reference/errors.md", errorsPage());
const { COMMANDS } = await import("../src/cli/commands/gen/registry.ts");
await update("docs/reference/cli.md", await cliPage(COMMANDS));
const { DESTINATIONS } = await import("../src/destinations/gen/registry.ts");
await update("docs/destinations.md", destinationsPage(DESTINATIONS));
for (const destination of DESTINATIONS) await update(pagePath(destination), destinationPage(destination));
const { PROVIDERS } = await import("../src/providers/gen/registry.ts");
const models = await readFile(join(ROOT, "docs/models.md"), "utf8");
await update("docs/models.md", withProvidersTable(models, PROVIDERS));
await update("docs/deploy.md", withMetricsTable(await readFile(join(ROOT, "docs/deploy.md"), "utf8")));
await update("ARCHITECTURE.md", withRoomsTable(await readFile(join(ROOT, "ARCHITECTURE.md"), "utf8")));
await update("docs/conformance.md", await conformancePage());
// Loads the whole application, to describe it.
const { apiDocument } = await import("../test/support/checks/api-document.ts");
const document = apiDocument();
await update("openapi.json", `${JSON.stringify(document, null, 2)}\n`);
await update("docs/reference/http.md", httpPage(document));
const { clientOperations } = await import("./client-operations.ts");
const { inVersion } = await import("../src/http/api/shape/in-version.ts");
const bare = inVersion(document, "1");
for (const [path, text] of clientOperations(bare)) await update(`clients/typescript/src/gen/${path}`, text);
const { pythonClient } = await import("./python-client/python-client.ts");
for (const [path, text] of pythonClient(bare)) await update(`clients/python/src/muster_client/gen/${path}`, text);
if (!process.argv.includes("--no-types")) {
  const { apiTypes } = await import("./api-types.ts");
  const path = "clients/typescript/src/gen/schema.ts";
  const current = await readFile(join(ROOT, path), "utf8").catch(() => "");
  await update(path, await apiTypes(bare, current, !isCheck));
}

if (isCheck && stale.length > 0) fail();

function fail(): never {
  console.error(`Not up to date: ${stale.join(", ")}. Run: npm run gen`);
  process.exit(1);
}

async function update(path: string, content: string): Promise<void> {
  const current = await readFile(join(ROOT, path), "utf8").catch(() => "");
  if (current === content) return;
  stale.push(path);
  if (isCheck) return;
  await mkdir(dirname(join(ROOT, path)), { recursive: true });
  await writeFile(join(ROOT, path), content);
}
