import { StagingInUseError, dropStaging, withStaging } from "#db/move/staging.ts";
import type { MovedPerson, Staging } from "#db/move/staging.ts";
import { MoveInError } from "#db/move/move-in.ts";
import type { Arrival, MoveIn } from "#db/move/move-in.ts";
import type { Database } from "#db/database.ts";
import { keepUpload } from "#db/queries/files/unreferenced-blobs.ts";
import { sumUsage } from "#db/queries/runs/report-sums.ts";
import { codeOf } from "#lib/error-code.ts";
import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { replaceIds } from "./copy-text.ts";
import { MoveError } from "./format.ts";
import type { Content, Described, Part } from "./format.ts";
import { openExport, readContent, readRows, workspaceOf } from "./read-export.ts";
import type { OpenExport } from "./read-export.ts";
import { createRewriter } from "./secrets.ts";
import type { Rewriter } from "./secrets.ts";

const MEDIA_TYPE = "application/octet-stream";
const PEOPLE = "users";
/** SQLSTATE of rows that exist, of rows that refer to nothing, and of a full disk. */
const UNIQUE = "23505";
const REFERENCE = "23503";
const DISK_FULL = "53100";
const AGAIN = "Nothing is to be seen of the workspace yet; run it again, and it continues.";

/** What is imported, and where to. */
export interface ImportOptions {
  readonly url: string;
  readonly db: Database;
  readonly folder: string;
  readonly passphrase: string;
  readonly secrets: Pick<SecretBox, "encrypt">;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
}

/** A workspace that has come. */
export interface Imported extends Described, Arrival {
  /** Undefined when it had come before. */
  readonly people: readonly MovedPerson[] | undefined;
}

/**
 * Imports a workspace with its ids. It is staged where nobody sees it, part by part, and comes in one transaction, held.
 * An import that was interrupted continues with the part where it was.
 * @throws MoveError for an export that is not complete, was edited or has another version, for rows that exist, and for
 * a full disk
 */
export async function importWorkspace(options: ImportOptions): Promise<Imported> {
  const { url, folder, passphrase, db, signal } = options;
  const given = await openExport(folder, passphrase);
  const { header, manifest, source } = given;
  const workspaceId = header.workspace.id;
  try {
    while (await sumUsage(db));
    const of = { workspaceId, source };
    const result = await withStaging(url, of, (staging) => bring(options, { given, staging }));
    return { people: undefined, ...result, header, manifest };
  } catch (error) {
    throw explain(error, signal);
  }
}

/** Forgets an import that was interrupted. @throws MoveError when there is none, or it is in progress */
export async function abandonImport(url: string, folder: string): Promise<void> {
  const isDropped = await dropStaging(url, await workspaceOf(folder)).catch((error: unknown) => {
    throw explain(error, new AbortController().signal);
  });
  if (!isDropped) throw new MoveError("No import of this workspace was interrupted here; nothing was changed.");
}

interface Bringing {
  readonly given: OpenExport;
  readonly staging: Staging;
}

async function bring(options: ImportOptions, { given, staging }: Bringing) {
  const { header, manifest, key, source } = given;
  const workspaceId = header.workspace.id;
  assertSameTables(given, staging);
  const rewriter = createRewriter({ from: key.box, to: options.secrets }, workspaceId);
  const stage = (parts: readonly Part[], ids: ReadonlyMap<string, string>) =>
    stageParts(options, { staging, rewriter, parts, ids });
  await stage(
    manifest.parts.filter(({ table }) => table === PEOPLE),
    new Map(),
  );
  const people = await staging.people();
  const ids = new Map(people.filter((one) => one.old_id !== one.new_id).map((one) => [one.old_id, one.new_id]));
  await stage(
    manifest.parts.filter(({ table }) => table !== PEOPLE),
    ids,
  );
  for (const file of manifest.files) await storeFile(options, file);
  // Their rows come as well, as they are in the original.
  for (const lost of manifest.missing) await keepUpload(options.db, lost);
  const rows: Record<string, number> = {};
  for (const part of manifest.parts) rows[part.table] = (rows[part.table] ?? 0) + part.rows;
  const arrival: MoveIn = { workspaceId, source, rows, usageUntil: manifest.usage_until };
  try {
    return { ...(await staging.moveIn(arrival)), people };
  } catch (error) {
    if (isFinal(error)) await staging.drop();
    throw error;
  }
}

/** The schema has the same version, so this is a file that somebody made. */
function assertSameTables({ header }: OpenExport, { tables }: Staging): void {
  if (JSON.stringify(header.tables) === JSON.stringify(tables.map(({ name, columns }) => ({ name, columns })))) return;
  throw new MoveError("The export has other tables than this schema; nothing was changed.");
}

interface ToStage {
  readonly staging: Staging;
  readonly rewriter: Rewriter;
  readonly parts: readonly Part[];
  /** People who have other ids here. */
  readonly ids: ReadonlyMap<string, string>;
}

async function stageParts(
  { folder, signal }: ImportOptions,
  { staging, rewriter, parts, ids }: ToStage,
): Promise<void> {
  const tables = new Map(staging.tables.map((table) => [table.name, table]));
  for (const part of parts) {
    signal.throwIfAborted();
    const name = `${part.table}/${part.part}`;
    const table = tables.get(part.table);
    if (table === undefined)
      throw new MoveError(`The export has an unknown table, ${part.table}; nothing was changed.`);
    if (staging.has(name)) continue;
    const rows = await readRows(folder, part);
    replaceIds(rows, ids);
    await staging.add(name, table, rewriter.rewrite({ name: table.name, columns: [...table.columns] }, rows));
  }
}

async function storeFile({ folder, blobs, db, signal }: ImportOptions, file: Content): Promise<void> {
  signal.throwIfAborted();
  const content = await readContent(folder, file);
  // Until its row comes, it is an upload.
  await keepUpload(db, file.key);
  const present = await blobs.get(file.key).catch((error: unknown) => {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  });
  if (present === undefined) await blobs.put(file.key, content, MEDIA_TYPE);
  else if (Buffer.compare(present, content) !== 0) {
    throw new MoveError(`The store has another content of the file ${file.key}; nothing was changed.`);
  }
}

/** Trying again would not help. */
function isFinal(error: unknown): boolean {
  return error instanceof MoveInError || [UNIQUE, REFERENCE].includes(codeOf(error));
}

function explain(error: unknown, signal: AbortSignal): unknown {
  const because = (message: string) => new MoveError(message, { cause: error });
  if (signal.aborted) return because(`The import was interrupted. ${AGAIN}`);
  if (error instanceof MoveInError) return because(error.message);
  if (error instanceof StagingInUseError)
    return because("Another process imports this workspace; nothing was changed.");
  if (codeOf(error) === DISK_FULL) return because(`The disk of the database is full. ${AGAIN}`);
  if (codeOf(error) === UNIQUE)
    return because(`Rows of the workspace exist here already (${tableOf(error)}); nothing was changed.`);
  if (codeOf(error) === REFERENCE)
    return because(`The export has rows whose ${tableOf(error)} are not in it; nothing was changed.`);
  return error;
}

function tableOf(error: unknown): string {
  return error instanceof Error && "table" in error ? String(error.table) : "unknown";
}
