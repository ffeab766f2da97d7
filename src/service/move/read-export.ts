import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { latestVersion } from "#db/migration/files.ts";
import { codeOf } from "#lib/error-code.ts";
import { sha256 } from "../backup/tally.ts";
import { readIfThere } from "./folder.ts";
import { FORMAT, MoveError, NAMES, headerSchema, manifestSchema, pathOf } from "./format.ts";
import type { Content, Described, Header, Part } from "./format.ts";
import { fits, openKey } from "./passphrase.ts";
import type { ExportKey } from "./passphrase.ts";

const unpack = promisify(gunzip);

/** An export that can be read. */
export interface OpenExport extends Described {
  readonly key: ExportKey;
  /** Identifies it. */
  readonly source: string;
}

/**
 * Opens an export and checks it as a whole: that it is complete, that nothing was cut or edited, and that its version
 * fits. @throws MoveError
 */
export async function openExport(folder: string, passphrase: string): Promise<OpenExport> {
  const begun = await readIfThere(folder, NAMES.header);
  if (begun === undefined) throw new MoveError(`${folder} is no export of a workspace.`);
  const header = parsed(headerSchema, begun);
  await assertFits(header);
  const key = await openKey(passphrase, header);
  const text = (await readIfThere(folder, NAMES.manifest))?.toString();
  if (text === undefined)
    throw new MoveError(`The export in ${folder} is not complete: run it again, and it continues.`);
  const seal = (await readIfThere(folder, NAMES.seal))?.toString() ?? "";
  if (!fits(key, text, seal)) throw damaged(NAMES.manifest);
  const manifest = parsed(manifestSchema, Buffer.from(text));
  if (manifest.header_sha256 !== sha256(begun)) throw damaged(NAMES.header);
  for (const part of manifest.parts) await readPacked(folder, part);
  for (const file of manifest.files) await readContent(folder, file);
  return { header, manifest, key, source: sha256(text) };
}

/** The id of the workspace of an export, complete or not. @throws MoveError */
export async function workspaceOf(folder: string): Promise<string> {
  const begun = await readIfThere(folder, NAMES.header);
  if (begun === undefined) throw new MoveError(`${folder} is no export of a workspace.`);
  return parsed(headerSchema, begun).workspace.id;
}

async function assertFits({ format, muster, schema }: Header): Promise<void> {
  if (format !== FORMAT) throw new MoveError(`The format of the export is ${format}, and this Muster reads ${FORMAT}.`);
  const known = await latestVersion();
  if (schema === known) return;
  throw new MoveError(
    `The export was made by Muster ${muster} with schema version ${schema}, and this program has ${known}: both installations need the same version.`,
  );
}

/** Reads the rows of a part, as COPY wrote them. @throws MoveError when they are not those of the export */
export async function readRows(folder: string, part: Part): Promise<Buffer> {
  return unpack(await readPacked(folder, part));
}

/** Reads the content of a file. @throws MoveError when it is not that of the export */
export function readContent(folder: string, { key, bytes, sha256: digest }: Content): Promise<Buffer> {
  return readChecked(folder, { name: `${NAMES.files}/${key}`, bytes, digest });
}

function readPacked(folder: string, part: Part): Promise<Buffer> {
  return readChecked(folder, { name: pathOf(part), bytes: part.bytes, digest: part.sha256 });
}

interface Checked {
  readonly name: string;
  readonly bytes: number;
  readonly digest: string;
}

async function readChecked(folder: string, { name, bytes, digest }: Checked): Promise<Buffer> {
  const content = await readFile(join(folder, name)).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") throw new MoveError(`The export is not complete: ${name} is missing.`);
    throw error;
  });
  if (content.length !== bytes || sha256(content) !== digest) throw damaged(name);
  return content;
}

function parsed<T>(schema: { parse(value: unknown): T }, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw damaged("its description");
  }
}

function damaged(what: string): MoveError {
  return new MoveError(
    `The export is damaged: ${what} is not what was exported. Copy or export it again; nothing was changed.`,
  );
}
