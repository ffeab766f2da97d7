import { appendFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { codeOf } from "#lib/error-code.ts";
import { syncFolder } from "#lib/sync-folder.ts";
import { MoveError, NAMES, contentSchema, partSchema } from "./format.ts";
import type { Content, Part } from "./format.ts";

const noteSchema = z.union([
  z.strictObject({ part: partSchema }),
  /** All parts of a table are there. */
  z.strictObject({ table: z.string() }),
  z.strictObject({ file: contentSchema }),
  z.strictObject({ missing: z.string() }),
]);

/** What an export has done; in the order of the notes. */
export type Note = z.infer<typeof noteSchema>;

/** What is there of an export that was interrupted. */
export interface Progress {
  readonly parts: readonly Part[];
  readonly tables: ReadonlySet<string>;
  readonly files: readonly Content[];
  readonly missing: readonly string[];
}

/** Writes a file of the folder, which has its name only when it is complete. */
export async function writeWhole(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.part`;
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Reads a file of the folder; undefined when it is not there. */
export async function readIfThere(folder: string, name: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Notes what is complete now. */
export async function note(folder: string, what: Note): Promise<void> {
  await appendFile(join(folder, NAMES.progress), `${JSON.stringify(what)}\n`, { mode: 0o600, flush: true });
}

/** Reads the notes. What follows the last complete line was being written. */
export async function readProgress(folder: string): Promise<Progress> {
  const text = (await readIfThere(folder, NAMES.progress))?.toString() ?? "";
  const notes = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map(parseNote);
  const tables = new Set(notes.flatMap((one) => ("table" in one ? [one.table] : [])));
  return {
    tables,
    parts: partsIn(notes).filter(({ table }) => tables.has(table)),
    files: notes.flatMap((one) => ("file" in one ? [one.file] : [])),
    missing: notes.flatMap((one) => ("missing" in one ? [one.missing] : [])),
  };
}

/** A table that was not complete is written again from its first part. */
function partsIn(notes: readonly Note[]): Part[] {
  const byTable = new Map<string, Part[]>();
  for (const one of notes) {
    if (!("part" in one)) continue;
    const { table, part } = one.part;
    byTable.set(table, part === 1 ? [one.part] : [...(byTable.get(table) ?? []), one.part]);
  }
  return [...byTable.values()].flat();
}

function parseNote(line: string): Note {
  try {
    return noteSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new MoveError("The notes of the export were edited: delete the folder and export again.", { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "a part of the path is no folder",
  EACCES: "this user may not use it",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EROFS: "the disk is read-only",
};

/** An error of the file system as a sentence; others as they are. */
export function explainFolder(folder: string, error: unknown, then: string): unknown {
  const reason = REASONS[codeOf(error)];
  return reason === undefined ? error : new MoveError(`${folder}: ${reason}. ${then}`, { cause: error });
}
