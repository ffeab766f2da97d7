/**
 * Writes what is generated from the sources: the registries of providers, tools, destinations, job kinds, team modes and
 * CLI commands, .env.example, the pages of the reference, of destinations and of conformance, a table of docs/models.md,
 * openapi.json, and the console's types of the API.
 * With --check it writes nothing and fails when a file is not up to date; with --no-types it leaves out the types.
 */
import { conformancePage } from "./conformance-page.ts";
import { destinationPage, destinationsPage, pagePath } from "./destinations-page.ts";
import { cliPage } from "./reference/cli-page.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { httpPage } from "./reference/http-page.ts";
import { settingsPage } from "./reference/settings-page.ts";
import { withProvidersTable } from "./providers-table.ts";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** What fits after the declaration in a line of 120. */
const MAX_LIST_WIDTH = 70;
const REGISTRIES = [
  {
    folder: "providers",
    type: "Provider",
    definition: "define-provider.ts",
    list: "PROVIDERS",
    what: "Every model vendor",
  },
  { folder: "tools", type: "Tool", definition: "define-tool.ts", list: "TOOLS", what: "Every built-in tool" },
  {
    folder: "destinations",
    type: "Destination",
    definition: "define-destination.ts",
    list: "DESTINATIONS",
    what: "Every destination",
  },
  {
    folder: "engine/kinds",
    type: "JobKind",
    definition: "define-job-kind.ts",
    list: "JOB_KINDS",
    what: "Every kind of jobs",
  },
  {
    folder: "engine/teams",
    type: "TeamMode",
    definition: "define-team-mode.ts",
    list: "TEAM_MODES",
    what: "Every mode of teams",
  },
] as const;

const isCheck = process.argv.includes("--check");
const stale: string[] = [];
for (const registry of REGISTRIES) await update(`src/${registry.folder}/registry.ts`, await registryOf(registry));
await update("src/cli/commands/registry.ts", await commandRegistry());
// The settings follow from the registries, so they are loaded when these are up to date.
const { SETTING_GROUPS } = await import("../src/config.ts");
await update(".env.example", envExample());
await update("docs/reference/settings.md", settingsPage(SETTING_GROUPS));
await update("docs/reference/errors.md", errorsPage());
const { COMMANDS } = await import("../src/cli/commands/registry.ts");
await update("docs/reference/cli.md", await cliPage(COMMANDS));
const { DESTINATIONS } = await import("../src/destinations/registry.ts");
await update("docs/destinations.md", destinationsPage(DESTINATIONS));
for (const destination of DESTINATIONS) await update(pagePath(destination), destinationPage(destination));
const { PROVIDERS } = await import("../src/providers/registry.ts");
const models = await readFile(join(ROOT, "docs/models.md"), "utf8");
await update("docs/models.md", withProvidersTable(models, PROVIDERS));
await update("docs/conformance.md", await conformancePage());
// Loads the whole application, to describe it.
const { openApiDocument } = await import("../src/http/openapi.ts");
const { appWithoutServices } = await import("../test/support/served-routes.ts");
const document = openApiDocument(appWithoutServices());
await update("openapi.json", `${JSON.stringify(document, null, 2)}\n`);
await update("docs/reference/http.md", httpPage(document));
const { clientOperations } = await import("./client-operations.ts");
const { inVersion } = await import("../src/http/api/shape/in-version.ts");
const bare = inVersion(document, "1");
await update("clients/typescript/src/operations.gen.ts", clientOperations(bare));
if (!process.argv.includes("--no-types")) {
  const { apiTypes } = await import("./api-types.ts");
  const paths = ["console/src/api/paths.gen.ts", "clients/typescript/src/schema.gen.ts"];
  const [current = "", ...others] = await Promise.all(
    paths.map((path) => readFile(join(ROOT, path), "utf8").catch(() => "")),
  );
  const types = await apiTypes(bare, others.every((other) => other === current) ? current : "", !isCheck);
  for (const path of paths) await update(path, types);
}

if (stale.length > 0 && isCheck) {
  console.error(`Not up to date: ${stale.join(", ")}. Run: npm run gen`);
  process.exitCode = 1;
}

async function update(path: string, content: string): Promise<void> {
  const current = await readFile(join(ROOT, path), "utf8").catch(() => "");
  if (current === content) return;
  stale.push(path);
  if (!isCheck) await writeFile(join(ROOT, path), content);
}

/** The commands of the CLI: a file each, imported only when its word is used. */
async function commandRegistry(): Promise<string> {
  const lines = (await filesIn("src/cli/commands", ["registry.ts"])).map((name) => {
    const word = name.replace(/\.ts$/, "");
    return `  ${word.includes("-") ? `"${word}"` : word}: async () => (await import("./${name}")).default,`;
  });
  return [
    "// Generated by `npm run gen` from the files of this folder.",
    'import type { CommandGroup } from "../arguments/define-command.ts";',
    "",
    "/** Every command and group of commands by its word, loaded when it is needed. */",
    'export const COMMANDS: CommandGroup["commands"] = {',
    ...lines,
    "};",
    "",
  ].join("\n");
}

/** The source files of a folder by name, without tests and those excluded. */
async function filesIn(folder: string, excluded: readonly string[]): Promise<string[]> {
  const names = await readdir(join(ROOT, folder));
  return names
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !excluded.includes(name))
    .toSorted();
}

async function registryOf({ folder, type, definition, list, what }: (typeof REGISTRIES)[number]): Promise<string> {
  const names = await filesIn(`src/${folder}`, [definition, "registry.ts"]);
  const imports = names.map((name) => `import ${identifier(name)} from "./${name}";`);
  return [
    "// Generated by `npm run gen` from the files of this folder.",
    `import type { ${type} } from "./${definition}";`,
    ...imports,
    "",
    `/** ${what} of this program. */`,
    `export const ${list}: readonly ${type}[] = ${asList(names.map(identifier))};`,
    "",
  ].join("\n");
}

/** A list as the formatter writes it. */
function asList(names: readonly string[]): string {
  const line = `[${names.join(", ")}]`;
  return line.length <= MAX_LIST_WIDTH ? line : `[\n${names.map((name) => `  ${name},\n`).join("")}]`;
}

function identifier(fileName: string): string {
  return fileName.replace(/\.ts$/, "").replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function envExample(): string {
  const lines = [
    "# Settings of Muster. All are optional; what is commented out shows the default.",
    "# Generated by `npm run gen` from src/config.ts.",
  ];
  for (const [group, settings] of Object.entries(SETTING_GROUPS)) {
    lines.push("", `# --- ${group}`);
    for (const [name, schema] of Object.entries(settings.shape)) {
      const { data = "" } = schema.safeParse(undefined);
      const fallback = typeof data === "object" ? JSON.stringify(data) : String(data);
      lines.push(`# ${schema.description ?? ""}`, `#${name}=${fallback}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
