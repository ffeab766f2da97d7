import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { MAX_DOCUMENTS, RESOURCES, RESOURCES_FORMAT, RESOURCES_VERSION } from "#domain/resources/resource.ts";
import type { ResourceName } from "#domain/resources/resource.ts";
import { CliError } from "../errors/cli-error.ts";
import { describeFileError } from "../errors/describe-file-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { FilesError } from "./mistake.ts";
import type { Mistake } from "./mistake.ts";
import { parseDocument } from "./parse-document.ts";
import type { ParsedDocument } from "./parse-document.ts";

/** The file that says what a folder describes. */
export const MANIFEST = "muster.yaml";

const MIB = 1024 * 1024;
/** The largest fields of all kinds fit into it. */
const MAX_FILE_BYTES = 5 * MIB;
const MAX_DEPTH = 10;

const manifest = z.strictObject({
  format: z.literal(RESOURCES_FORMAT, `must be ${RESOURCES_FORMAT}`),
  version: z.literal(
    RESOURCES_VERSION,
    `is not one that this version of Muster reads; it reads ${RESOURCES_VERSION}. Update the older of the two`,
  ),
  resources: z.array(z.enum(RESOURCES, `must be one of ${RESOURCES.join(", ")}`)),
});

/** A file that describes a record. */
export interface FolderFile extends ParsedDocument {
  /** Its path below the folder, with slashes. */
  readonly file: string;
}

/** A workspace as files. */
export interface Folder {
  readonly resources: readonly ResourceName[];
  readonly files: readonly FolderFile[];
}

/** Reads a folder; undefined without a manifest. @throws FilesError with all mistakes; CliError */
export async function readFolder(root: string): Promise<Folder | undefined> {
  const described = await readManifest(root);
  if (described === undefined) return undefined;
  const paths = await listFiles(root);
  if (paths.length > MAX_DOCUMENTS) {
    throw new CliError(EXIT.failed, `${root} has ${paths.length} files; a workspace has at most ${MAX_DOCUMENTS}.`);
  }
  const mistakes: Mistake[] = [];
  const files: FolderFile[] = [];
  for (const file of paths) {
    const parsed = await readDocument(root, file);
    if ("fields" in parsed) files.push({ ...parsed, file });
    else mistakes.push(...parsed);
  }
  if (mistakes.length > 0) throw new FilesError(mistakes);
  return { resources: described, files };
}

/** Reads a folder that must have a manifest. @throws as {@link readFolder} */
export async function requireFolder(root: string): Promise<Folder> {
  const folder = await readFolder(root);
  if (folder !== undefined) return folder;
  throw new CliError(EXIT.failed, `${join(root, MANIFEST)} is missing. "muster pull ${root}" writes it.`);
}

async function readManifest(root: string): Promise<readonly ResourceName[] | undefined> {
  const isThere = await stat(join(root, MANIFEST)).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  const parsed = await readDocument(root, MANIFEST);
  if (!("fields" in parsed)) throw new FilesError(parsed);
  const { data, error } = manifest.safeParse(parsed.fields);
  if (data !== undefined) return data.resources;
  throw new FilesError(
    error.issues.map(({ path, message }) => {
      const parts = path.map(String);
      return { file: MANIFEST, line: parsed.lineOf(parts), path: parts.join("."), message };
    }),
  );
}

async function readDocument(root: string, file: string): Promise<ParsedDocument | readonly Mistake[]> {
  const mistake = (message: string): readonly Mistake[] => [{ file, line: 1, path: "", message }];
  try {
    const { size } = await stat(join(root, file));
    if (size > MAX_FILE_BYTES) {
      return mistake(`has ${(size / MIB).toFixed(1)} MiB; the limit of a file is ${MAX_FILE_BYTES / MIB} MiB`);
    }
    return await parseDocument(file, await readFile(join(root, file), "utf8"));
  } catch (error) {
    return mistake(`cannot be read: ${describeFileError(error)}`);
  }
}

/** Lists the files of YAML below a folder in order, without the manifest, and without what begins with a dot. */
async function listFiles(root: string, below = "", depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) throw new CliError(EXIT.failed, `${join(root, below)} is nested too deeply.`);
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    throw new CliError(EXIT.failed, `Cannot read ${join(root, below)}: ${describeFileError(error)}.`);
  });
  const found: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith(".") || path === MANIFEST) continue;
    if (entry.isDirectory()) found.push(...(await listFiles(root, path, depth + 1)));
    else if (entry.isFile() && /\.ya?ml$/i.test(entry.name)) found.push(path);
  }
  return found;
}
