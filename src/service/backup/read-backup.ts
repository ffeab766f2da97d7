import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { TarError, readTar } from "#lib/archive/tar.ts";
import type { TarEntry } from "#lib/archive/tar.ts";
import { codeOf } from "#lib/error-code.ts";
import { BackupError, FORMAT, NAMES, headerSchema, manifestSchema } from "./format.ts";
import type { Described, Header, Manifest } from "./format.ts";
import { createTally, sha256 } from "./tally.ts";

/** A part of a backup. */
export type Part =
  | { readonly kind: "rows"; readonly table: string; readonly content: Buffer }
  | { readonly kind: "file"; readonly key: string; readonly content: Buffer };

/** How a backup is read. */
export interface ReadOptions {
  /** Called first. It throws when the backup cannot be used. */
  readonly onHeader?: (header: Header) => void | Promise<void>;
  /** Called with each part, in order. */
  readonly onPart?: (part: Part, header: Header) => void | Promise<void>;
}

/**
 * Reads a backup to its end and checks it: that nothing is missing, and that all rows and contents are those that were
 * backed up. Only then it resolves.
 * @throws BackupError for a file that was cut or edited, and for one that is no backup
 */
export async function readBackup(path: string, options: ReadOptions = {}): Promise<Described> {
  try {
    const bytes = createGunzip();
    // Its errors are those of `bytes`.
    pipeline(createReadStream(path), bytes, () => undefined);
    return await readParts(readTar(bytes), options);
  } catch (error) {
    throw explain(path, error);
  }
}

async function readParts(entries: AsyncGenerator<TarEntry>, options: ReadOptions): Promise<Described> {
  const first = await entries.next();
  if (first.done === true || first.value.name !== NAMES.header) throw new NoBackupError();
  const header = parsed(headerSchema, first.value.content);
  if (header.format !== FORMAT) {
    throw new BackupError(`Its format is ${header.format}, and this Muster reads ${FORMAT}.`);
  }
  await options.onHeader?.(header);
  const tally = createTally(Object.keys(header.tables));
  let manifest: Manifest | undefined;
  for await (const { name, content } of entries) {
    if (name === NAMES.manifest) {
      manifest = await readManifest(content, entries);
      break;
    }
    const part = partOf(name, content);
    if (part.kind === "rows") tally.rows(part.table, content);
    else tally.file(part.key, content);
    await options.onPart?.(part, header);
  }
  if (manifest === undefined) throw new TarError("The archive ends early.");
  assertSame(manifest, { header_sha256: sha256(first.value.content), ...tally.end() });
  return { header, manifest };
}

async function readManifest(content: Buffer, entries: AsyncGenerator<TarEntry>): Promise<Manifest> {
  const last = await entries.next();
  if (last.done === true) throw new TarError("The archive ends early.");
  if (last.value.name !== NAMES.digest || last.value.content.toString() !== sha256(content)) {
    throw new DamagedError("its manifest");
  }
  const end = await entries.next();
  if (end.done !== true) throw new DamagedError("its end");
  return parsed(manifestSchema, content);
}

function partOf(name: string, content: Buffer): Part {
  if (name.startsWith(NAMES.tables)) {
    return { kind: "rows", table: name.slice(NAMES.tables.length).replace(/\/\d+$/, ""), content };
  }
  if (name.startsWith(NAMES.files)) return { kind: "file", key: name.slice(NAMES.files.length), content };
  throw new DamagedError(`the entry ${name}`);
}

function assertSame(manifest: Manifest, found: Omit<Manifest, "ended_at">): void {
  if (manifest.header_sha256 !== found.header_sha256) throw new DamagedError("its header");
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(found.tables)]);
  for (const name of names) {
    const [given, read] = [manifest.tables[name], found.tables[name]];
    if (given === undefined || given.rows !== read?.rows || given.sha256 !== read.sha256) {
      throw new DamagedError(`the table ${name}`);
    }
  }
  const [given, read] = [manifest.files, found.files];
  if (given.count !== read.count || given.sha256 !== read.sha256) throw new DamagedError("the files");
}

function parsed<T>(schema: z.ZodType<T>, content: Buffer): T {
  try {
    return schema.parse(JSON.parse(content.toString()));
  } catch {
    throw new DamagedError("its description");
  }
}

/** Something is not what was backed up. */
class DamagedError extends Error {
  override readonly name = "DamagedError";
}

class NoBackupError extends Error {
  override readonly name = "NoBackupError";
}

/** What errors of reading mean. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};

function explain(path: string, error: unknown): unknown {
  const code = codeOf(error);
  const reason = REASONS[code];
  const because = (message: string) => new BackupError(message, { cause: error });
  if (reason !== undefined) return because(`Cannot read ${path}: ${reason}.`);
  if (error instanceof BackupError) return because(`${path} cannot be used: ${error.message}`);
  if (error instanceof NoBackupError || isNoGzip(error)) return because(`${path} is no backup of Muster.`);
  if (code === "Z_BUF_ERROR" || (error instanceof TarError && error.message.endsWith("early."))) {
    return because(`${path} was cut off: its end is missing. Use another backup.`);
  }
  const isDamaged = error instanceof DamagedError || error instanceof TarError || code.startsWith("Z_");
  const what = error instanceof DamagedError ? error.message : "it";
  return isDamaged ? because(`${path} is damaged: ${what} is not what was backed up. Use another backup.`) : error;
}

function isNoGzip(error: unknown): boolean {
  return error instanceof Error && error.message === "incorrect header check";
}
