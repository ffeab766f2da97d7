// `node scripts/release-notes.ts v1.2.3`: prints what the change log says of that version. It exits with 1 when the tag
// is not the version in package.json and in the clients', or when the change log does not have it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import clientFile from "../clients/typescript/package.json" with { type: "json" };
import packageFile from "../package.json" with { type: "json" };

const tag = process.argv[2] ?? "";
const notes = notesOf(packageFile.version, read("CHANGELOG.md"));
const [, pythonVersion = ""] = /^version = "(.+)"$/m.exec(read("clients/python/pyproject.toml")) ?? [];
const pythonFile = { name: "muster-client for Python", version: pythonVersion };
const wrong = [packageFile, clientFile, pythonFile].find(({ version }) => tag !== `v${version}`);
if (wrong !== undefined) fail(`The tag is ${tag || "missing"}, but ${wrong.name} has the version ${wrong.version}.`);
if (notes === undefined) fail(`CHANGELOG.md has no section [${packageFile.version}].`);
console.log(notes);

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, "..", path), "utf8");
}

/** Returns the text below the heading of a version, without links to files, which a release does not have. */
function notesOf(version: string, changelog: string): string | undefined {
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`[${version}]`));
  return section
    ?.slice(section.indexOf("\n"))
    .replaceAll(/\[([^\]]+)\]\(docs\/[^)]+\)/g, "$1")
    .trim();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
