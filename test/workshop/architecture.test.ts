import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../support/verifies.ts";
import { importsOf } from "../support/checks/imports.ts";
import type { Import, Kind } from "../support/checks/imports.ts";

const SRC = join(import.meta.dirname, "../../src");
/** The TypeScript client, a separate package, which is a layer here. */
const CLIENT = join(import.meta.dirname, "../../clients/typescript/src");

/** What each layer may import besides itself and packages. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ["lib"],
  protocols: ["domain", "lib"],
  db: ["domain", "lib"],
  providers: ["domain", "lib"],
  tools: ["domain", "lib"],
  destinations: ["domain", "lib"],
  config: ["providers", "tools", "destinations", "domain", "lib"],
  operations: ["db", "protocols", "domain", "lib"],
  engine: ["operations", "providers", "tools", "destinations", "protocols", "db", "domain", "lib"],
  http: ["operations", "protocols", "domain", "lib"],
  client: [],
  prove: ["client", "db", "domain", "lib"],
  tenancy: ["http", "db", "domain", "lib"],
  cli: ["client", "protocols", "domain", "lib"],
};
/** The entries directly in src, and the room that puts everything together for them. */
const ROOT_LAYER = "composition root";
/** Imports that the table does not list, each with its reason. */
const EXCEPTIONS: readonly { readonly from: RegExp; readonly to: RegExp; readonly kind: Kind }[] = [
  // Handlers name the shapes of rows that operations return.
  { from: /^http\//, to: /^db\//, kind: "type" },
  // The table API makes its own statements: its queries are what callers ask.
  { from: /^http\/table\//, to: /^db\//, kind: "static" },
  // `muster serve`, `init`, `setup-link`, `backup`, `restore`, `erase`, `workspace` and `muster keys create` without a key are the service itself, and `prove` starts it; the other commands do not load it.
  {
    from: /^cli\//,
    to: /^(main|prove\/(prove|report)|service\/operator|service\/ops|service\/erase|service\/move\/run|service\/backup\/run)\.ts$/,
    kind: "dynamic",
  },
];
const READERS_OF_ENVIRONMENT = new Set([
  "cli/service/settings.ts",
  "cli/terminal/no-color.ts",
  "config/config.ts",
  "service/announce.ts",
]);

const files = [
  ...globSync("**/*.ts", { cwd: SRC }),
  ...globSync("**/*.ts", { cwd: CLIENT }).map((file) => `client/${file}`),
];
const sources = files.filter((file) => !file.endsWith(".test.ts"));
const imports = sources.flatMap((file) => importsOf(file, readFileSync(pathOf(file), "utf8")));
const ours = imports.flatMap((each) => (each.to === undefined ? [] : [{ ...each, to: each.to }]));

test("every layer has files, and every kind of import occurs", () => {
  expect(new Set(sources.map(layerOf))).toEqual(new Set([...Object.keys(LAYERS), ROOT_LAYER]));
  for (const kind of ["static", "type"])
    expect(imports.filter((each) => each.kind === kind).length).toBeGreaterThan(50);
  expect(ours.filter(({ specifier }) => specifier.startsWith("#")).length).toBeGreaterThan(50);
  expect(ours.filter(({ to }) => !existsSync(pathOf(to)))).toEqual([]);
});

verifies("workshop.layers", "a layer imports only what the table of layers lists for it", () => {
  expect(ours.filter((each) => !isAllowed(each)).map(describe)).toEqual([]);
});

test("a layer is imported by its #name, and no relative path leaves it", () => {
  const relatives = ours.filter(({ specifier }) => specifier.startsWith("."));
  const leaving = relatives.filter(({ from, to }) => layerOf(from) !== layerOf(to) && layerOf(from) !== ROOT_LAYER);
  expect(leaving.filter((each) => !isException(each)).map(describe)).toEqual([]);
});

verifies("workshop.cycles", "no file imports itself through other files, also not for types", () => {
  const targets = new Map(sources.map((file) => [file, ours.filter(({ from }) => from === file)]));
  const cycles = sources.flatMap((file) => {
    const seen = new Set<string>();
    const waiting = [file];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { to } of targets.get(next) ?? []) {
        if (seen.has(to)) continue;
        seen.add(to);
        waiting.push(to);
      }
    }
    return seen.has(file) ? [file] : [];
  });
  expect(cycles).toEqual([]);
});

test("only the settings, the composition root and the CLI read the environment", () => {
  const readers = sources.filter((file) =>
    /\bprocess\s*(\.\s*env\b|\[\s*["']env)/.test(readFileSync(pathOf(file), "utf8")),
  );
  expect(readers.length).toBeGreaterThan(0);
  expect(readers.filter((file) => !READERS_OF_ENVIRONMENT.has(file))).toEqual([]);
});

verifies("workshop.layers", "an import that breaks the table is found, however it is written", () => {
  const broken = [
    `import { x } from "#db/database.ts";`,
    `import type { X } from "#db/database.ts";`,
    `export { x } from "#db/database.ts";`,
    `export * from "../db/database.ts";`,
    `const x = await import("#db/database.ts");`,
    `import "../main.ts";`,
  ];
  for (const source of broken) expect(importsOf("lib/x.ts", source).filter(isForbidden), source).toHaveLength(1);
  const fine = `import { x } from "#lib/ids.ts"; import { y } from "./y.ts"; import z from "zod"; import fs from "node:fs";`;
  expect(importsOf("domain/x.ts", fine).filter(isForbidden)).toEqual([]);
  expect(importsOf("http/x.ts", `import { x } from "#db/x.ts";`).filter(isForbidden)).toHaveLength(1);
  expect(importsOf("http/x.ts", `import type { X } from "#db/x.ts";`).filter(isForbidden)).toEqual([]);
});

/** What work is about: the folders inside of layers. */
const SUBJECTS = new Set(
  "access accounts agents alerts approvals budgets conversations destinations files golden knowledge mcp-servers models overview people remote-agents resources runs schedules streams tasks teams tools traces".split(
    " ",
  ),
);
/** The folders of what `npm run gen` and `npm run gen:schema` write. */
const GENERATED = "gen";
/** Folders of a layer that are no subjects: its technical parts. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  lib: ["archive", "async", "blobs", "extraction", "http", "json-schema", "safe-fetch", "sandbox", "security", "text"],
  protocols: ["a2a", "ag-ui", "mcp", "oauth", "oidc", "openai", "otlp", "webauthn"],
  db: ["backup", "embedded", "migration", "move", "queries", "replica"],
  "db/queries": ["backup", "doctor", "queue"],
  providers: ["ai-sdk", "catalogue", "compatible", "demo-model", "fit", "openai-api", "vertex"],
  tools: ["web"],
  destinations: ["config", "delivery", "message"],
  engine: ["agent", "kinds", "queue", "run", "upkeep"],
  http: ["a2a", "ag-ui", "api", "auth", "mcp", "middleware", "oauth", "openai", "table", "web-app"],
  "http/api": ["protocols", "shape"],
  prove: ["vendor", "wire"],
  tenancy: ["probes"],
  cli: ["arguments", "commands", "errors", "service", "terminal", "watch"],
};

verifies("workshop.subjects", "the folders of a layer are subjects, or parts that the layer declares", () => {
  const rooms = new Map<string, Set<string>>();
  for (const file of sources) {
    if (layerOf(file) === ROOT_LAYER) continue;
    const [layer = "", ...folders] = dirname(file).split("/");
    const [first, second] = folders;
    if (first !== undefined) roomsOf(rooms, layer).add(first);
    const inner = `${layer}/${first}`;
    if (second !== undefined && inner in PARTS) roomsOf(rooms, inner).add(second);
  }
  for (const [layer, folders] of rooms) {
    const known = new Set([...SUBJECTS, GENERATED, ...(PARTS[layer] ?? [])]);
    expect(
      [...folders].filter((folder) => !known.has(folder)),
      layer,
    ).toEqual([]);
  }
});

verifies(
  "workshop.sql",
  "SQL is written by db, by the table API, and by what audits a proof or the tenants' isolation",
  () => {
    const SQL = /\b(?:select\s[^`]*\sfrom|insert\s+into|update\s+[a-z_]+\s+set|delete\s+from)\s/;
    const writers = sources.filter((file) =>
      SQL.test(readFileSync(pathOf(file), "utf8").replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "")),
    );
    expect(writers.length).toBeGreaterThan(30);
    expect(writers.filter((file) => !/^(?:db|http\/table|prove|tenancy)\//.test(file))).toEqual([]);
  },
);

function isForbidden({ to, ...rest }: Import): boolean {
  return to !== undefined && !isAllowed({ ...rest, to });
}

function isAllowed(each: Import & { readonly to: string }): boolean {
  const [from, to] = [layerOf(each.from), layerOf(each.to)];
  return from === to || from === ROOT_LAYER || (LAYERS[from] ?? []).includes(to) || isException(each);
}

function isException({ from, to, kind }: Import & { readonly to: string }): boolean {
  return EXCEPTIONS.some((exception) => exception.from.test(from) && exception.to.test(to) && exception.kind === kind);
}

function describe({ from, specifier, kind }: Import): string {
  return `${from} imports ${specifier} (${kind})`;
}

/** The place of a file: the client has its own root. */
function pathOf(file: string): string {
  return file.startsWith("client/") ? join(CLIENT, file.slice("client/".length)) : join(SRC, file);
}

function layerOf(file: string): string {
  const [first = ""] = file.split("/");
  return first === file || first === "service" ? ROOT_LAYER : first;
}

function roomsOf(rooms: Map<string, Set<string>>, layer: string): Set<string> {
  const folders = rooms.get(layer) ?? new Set<string>();
  rooms.set(layer, folders);
  return folders;
}
