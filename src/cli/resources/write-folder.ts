import { isDeepStrictEqual } from "node:util";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Schemas } from "#client/index.ts";
import { isRecord } from "#lib/is-record.ts";
import { CliError } from "../errors/cli-error.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { MANIFEST } from "./read-folder.ts";
import type { Folder } from "./read-folder.ts";

/** The folder of the schemas for editors. */
const SCHEMAS = ".schemas";
/** A path of the service: no part leads out of the folder. */
const SAFE_PATH = /^(?:[\p{L}\p{N}][\p{L}\p{N}_-]*\/)*[\p{L}\p{N}][\p{L}\p{N}_-]*\.yaml$/u;

type Fields = Readonly<Record<string, unknown>>;

/** What a pull did. */
export interface WrittenFolder {
  readonly written: readonly string[];
  readonly kept: number;
  /** Files whose records the workspace does not have. */
  readonly stale: readonly string[];
}

/** What to write. */
export interface FolderContents {
  readonly pulled: Schemas["WorkspaceResources"];
  /** The folder as it was; undefined for a new one. */
  readonly before: Folder | undefined;
  /** The files that describe their records already, and stay as they are. */
  readonly current: ReadonlySet<string>;
  /** Whether stale files are deleted. */
  readonly prune: boolean;
}

/**
 * Writes a workspace to a folder: a record that has a file there keeps it, with the names of its variables. A file that
 * says the same stays as it is, with its comments.
 * @throws CliError when a file cannot be written
 */
export async function writeFolder(
  root: string,
  { pulled, before, current, prune }: FolderContents,
): Promise<WrittenFolder> {
  const known = new Map((before?.files ?? []).map((file) => [keyOf(file.fields), file]));
  const taken = new Set((before?.files ?? []).map(({ file }) => file));
  const written: string[] = [];
  const described = new Set<string>();
  const { format, version, resources } = pulled;
  if (await write(root, MANIFEST, await textOf({ format, version, resources }))) written.push(MANIFEST);
  for (const { path, document } of pulled.documents) {
    const key = keyOf(document);
    const old = known.get(key);
    described.add(key);
    if (old !== undefined && current.has(old.file)) continue;
    const file = old?.file ?? freshPath(path, taken);
    taken.add(file);
    const fields = old === undefined ? document : keepVariables(document, old.fields);
    if (old !== undefined && isDeepStrictEqual(fields, old.fields)) continue;
    const schema = `${"../".repeat(file.split("/").length - 1)}${SCHEMAS}/${document.resource}.json`;
    await write(root, file, `# yaml-language-server: $schema=${schema}\n${await textOf(fields)}`);
    written.push(file);
  }
  for (const [resource, schema] of Object.entries(pulled.schemas)) {
    await write(root, `${SCHEMAS}/${resource}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  }
  const stale = [...known].flatMap(([key, { file, fields }]) =>
    !described.has(key) && resources.some((resource) => resource === fields["resource"]) ? [file] : [],
  );
  if (prune) for (const file of stale) await rm(join(root, file));
  return { written, kept: pulled.documents.length - written.filter((file) => file !== MANIFEST).length, stale };
}

/** What a document is known by, as the service knows it. */
function keyOf(fields: Fields): string {
  const { resource, name, agent_id: agent, scope, target_id: target = null, period = "day" } = fields;
  if (resource === "budget") return JSON.stringify([resource, scope, target, period]);
  return JSON.stringify([resource, resource === "golden_set" ? agent : name]);
}

function freshPath(path: string, taken: ReadonlySet<string>): string {
  if (!SAFE_PATH.test(path))
    throw new CliError(EXIT.failed, `The service names a file "${path}", which is no path here.`);
  let fresh = path;
  for (let count = 2; taken.has(fresh); count++) fresh = path.replace(/\.yaml$/, `-${count}.yaml`);
  return fresh;
}

/** Secrets of a file that exists keep the variables that people chose for them. */
function keepVariables(pulled: Fields, old: Fields): Fields {
  return Object.fromEntries(
    Object.entries(pulled).map(([name, value]) => {
      const before = old[name];
      if (isRecord(value) && isRecord(before)) return [name, keepVariables(value, before)];
      const isSecret = typeof value === "string" && /^\$\{\w+\}$/.test(value);
      return [name, isSecret && typeof before === "string" && before.includes("${") ? before : value];
    }),
  );
}

async function textOf(fields: Fields): Promise<string> {
  const { parse, stringify } = await import("yaml");
  const text = stringify(fields, { lineWidth: 0, aliasDuplicateObjects: false });
  if (!isDeepStrictEqual(parse(text), fields)) throw new Error("The written YAML must say the same.");
  return text;
}

/** Writes a file unless it has this text; returns whether it did. */
async function write(root: string, file: string, text: string): Promise<boolean> {
  const path = join(root, file);
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return false;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return true;
  } catch (error) {
    throw new CliError(EXIT.failed, `Cannot write ${path}: ${describeFileError(error)}.`, { cause: error });
  }
}
