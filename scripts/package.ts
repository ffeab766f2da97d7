// `npm run package`: writes the npm package `muster-agents` to `.runtime/package`, for `npm pack` or `npm publish`. It
// has what runs only: JavaScript instead of TypeScript, the built console, and three files of the API reference's page.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";
import { stripTypeScriptTypes } from "node:module";
import { minifySync } from "vite";
import { z } from "zod";
import { gitCommit } from "../src/lib/git-commit.ts";
import packageFile from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, ".runtime/package");
const MIN_NODE = ">=24";
const STATUS = ".runtime/console/status.json";
const ready = z.object({ state: z.literal("ready"), build: z.string() });
/** Programs; tests and the description of the schema are not needed to run. */
const SOURCES = ["src/**/*.{ts,mjs,sql}", "clients/typescript/src/**/*.ts"];
const NOT_NEEDED = /\.test\.ts$|\/gen\/schema\.sql$/;
/** A text that names a file of ours, in an import or elsewhere. */
const FILE_NAME = /"((?:#|\.{0,2}\/)?[\w./-]+)\.ts"/g;
const PACKAGE_NAME = /(?:from|import|import\() ?"((?:@[\w.-]+\/)?[a-z][\w.-]*)[^":]*"/g;
/** Files of packages that are copied, because the rest of the package is large. */
const COPIED = {
  "#swagger-ui/*": {
    from: "node_modules/swagger-ui-dist",
    to: "src/vendor/swagger-ui",
    files:
      /^(swagger-ui\.css|swagger-ui-bundle\.js|swagger-ui-bundle\.js\.LICENSE\.txt|favicon-32x32\.png|LICENSE|NOTICE)$/,
  },
  "#character-maps/*": {
    from: "node_modules/pdfjs-dist/cmaps",
    to: "src/vendor/character-maps",
    // Those that a PDF may name (ISO 32000-1, table 118): what is in UTF-8 or UTF-32 has its own map.
    files: /^((?!.*UTF(?:8|32)).*\.bcmap|LICENSE)$/,
  },
} as const;

rmSync(OUT, { recursive: true, force: true });
const used = writeSources();
for (const { from, to, files } of Object.values(COPIED)) {
  for (const name of readdirSync(join(ROOT, from)).filter((each) => files.test(each)))
    copy(join(from, name), join(to, name));
}
copy("LICENSE", "LICENSE");
write("openapi.json", JSON.stringify(JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8"))));
cpSync(join(ROOT, "scripts/npm"), OUT, { recursive: true });
writeConsole();
write("package.json", `${JSON.stringify(manifestOf(used), null, 2)}\n`);
console.log(relative(process.cwd(), OUT));

/** Writes the programs; returns the names of the packages that they import. */
function writeSources(): ReadonlySet<string> {
  const packages = new Set<string>();
  for (const file of globSync(SOURCES, { cwd: ROOT }).filter((name) => !NOT_NEEDED.test(name))) {
    if (extname(file) !== ".ts") {
      copy(file, file);
      continue;
    }
    const code = javascriptOf(file);
    for (const [, name = ""] of code.matchAll(PACKAGE_NAME)) packages.add(name);
    write(file.replace(/\.ts$/, ".js"), code);
  }
  return packages;
}

/** Returns a file without types, comments and long names of variables; stack traces have its lines and functions. */
function javascriptOf(file: string): string {
  const stripped = stripTypeScriptTypes(readFileSync(join(ROOT, file), "utf8"));
  const mangle = { toplevel: false, keepNames: { function: true, class: true } } as const;
  const options = { compress: false, mangle, codegen: { removeWhitespace: false }, module: true } as const;
  const written = minifySync(file.replace(/\.ts$/, ".js"), stripped, options);
  const [problem] = written.errors;
  if (problem !== undefined) throw new Error(`${file}: ${problem.message}`);
  return written.code.replaceAll(FILE_NAME, (text, name: string) => {
    const isOurs = name.startsWith("#") || existsSync(join(ROOT, dirname(file), `${name}.ts`));
    return isOurs ? `"${name}.js"` : text;
  });
}

/** Writes the built console, each text as its compressed copy only. */
function writeConsole(): void {
  execFileSync(process.execPath, ["scripts/ensure-console.mjs"], { cwd: ROOT, stdio: "inherit" });
  const { build } = ready.parse(JSON.parse(readFileSync(join(ROOT, STATUS), "utf8")));
  const folder = join(".runtime/console", build);
  const names = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(ROOT, folder), join(entry.parentPath, entry.name)));
  for (const name of names) {
    if (name.endsWith(".br") || names.includes(`${name}.gz`)) continue;
    copy(join(folder, name), join(folder, name));
  }
  write(STATUS, JSON.stringify({ state: "ready", build }));
}

function manifestOf(packages: ReadonlySet<string>) {
  const { name, version, description, license, type, dependencies, optionalDependencies } = packageFile;
  const imports = Object.entries(packageFile.imports).map(([alias, target]) => [alias, copiedTo(alias) ?? target]);
  const unknown = [...packages].filter((each) => !Object.hasOwn(dependencies, each));
  if (unknown.length > 0) throw new Error(`No dependency of package.json: ${unknown.join(", ")}`);
  return {
    name,
    version,
    description,
    keywords: ["agents", "ai", "a2a", "ag-ui", "mcp", "orchestration", "postgresql", "self-hosted"],
    license,
    // npm refuses a package with provenance from another address than this one.
    repository: process.env["REPOSITORY_URL"],
    gitHead: gitCommit(ROOT),
    type,
    bin: { "muster-agents": "bin/muster-agents", muster: "bin/muster" },
    imports: Object.fromEntries(imports),
    files: ["bin", "src", "clients", ".runtime/console", "openapi.json"],
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([each]) => packages.has(each))),
    optionalDependencies,
    engines: { node: MIN_NODE },
  };
}

function copiedTo(alias: string): string | undefined {
  const copied = Object.entries(COPIED).find(([name]) => name === alias);
  return copied && `./${copied[1].to}/*`;
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(OUT, to)), { recursive: true });
  cpSync(join(ROOT, from), join(OUT, to));
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(OUT, path)), { recursive: true });
  writeFileSync(join(OUT, path), content);
}
