import { createWriteStream, existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Writable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import { latestVersion } from "#db/migration/files.ts";
import { openDatabase } from "#db/open-database.ts";
import { LAST_BACKUP_AT, writeSetting } from "#db/queries/access/first-start.ts";
import { withSnapshot } from "#db/backup/snapshot.ts";
import type { Config } from "#config/config.ts";
import { codeOf } from "#lib/error-code.ts";
import { newId } from "#lib/ids.ts";
import { syncFolder } from "#lib/sync-folder.ts";
import { connectDatabase } from "../connect-database.ts";
import { openBlobs } from "../open-blobs.ts";
import { BackupError } from "./format.ts";
import type { Described } from "./format.ts";
import { writeBackup } from "./write-backup.ts";
import type { BackupSource } from "./write-backup.ts";

/** The path that stands for standard output. */
const STDOUT = "-";

/** How a backup is made. */
export interface BackupOptions {
  readonly config: Config;
  /** Where to write it; `-` is standard output. */
  readonly path: string;
  /** Receives one sentence about a problem that does not end the backup. */
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Backs up the database and the stored files, while processes serve. The file has its name only when it is complete.
 * @throws BackupError when the file exists, cannot be written, or the database belongs to another version
 */
export async function makeBackup({ config, path, warn, signal }: BackupOptions): Promise<Described> {
  // Early, as a kindness; the link decides.
  if (path !== STDOUT && existsSync(path)) throw cannotWrite(path, "EEXIST");
  const place = await connectDatabase(config, { signal, warn });
  try {
    const described = await withSnapshot(
      place.url,
      async (snapshot) => {
        const known = await latestVersion();
        if (snapshot.state.schema !== known) throw otherVersion(snapshot.state.schema, known);
        const onMissing = (key: string) => warn(`The content of a file is missing in the store: ${key}.`);
        const source = { snapshot, blobs: openBlobs(config), onMissing };
        if (path === STDOUT) return await writeTo(process.stdout, source, signal);
        return await writeFileAt(path, source, signal);
      },
      signal,
    );
    await recordBackup(place.url, described).catch(() => warn("The time of the backup could not be recorded."));
    return described;
  } catch (error) {
    throw signal.aborted ? new BackupError("The backup was interrupted; no file was left.", { cause: error }) : error;
  } finally {
    await place.embedded?.stop();
  }
}

/** For the doctor and the metrics. */
async function recordBackup(url: string, { header }: Described): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, onIdleError: () => undefined });
  await writeSetting(db, LAST_BACKUP_AT, header.began_at).finally(() => db.close());
}

async function writeFileAt(path: string, source: BackupSource, signal: AbortSignal): Promise<Described> {
  const draft = `${path}.${newId()}.part`;
  try {
    const file = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
    const described = await writeTo(file, source, signal);
    // Unlike a rename, it replaces no file.
    await link(draft, path);
    await syncFolder(dirname(path));
    return described;
  } catch (error) {
    throw explain(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeTo(target: Writable, source: BackupSource, signal: AbortSignal): Promise<Described> {
  const archive = writeBackup(source);
  let described: Described | undefined;
  async function* bytes() {
    described = yield* archive;
  }
  await pipeline(bytes, createGzip({ level: constants.Z_BEST_SPEED }), target, { signal });
  if (described === undefined) throw new Error("The archive has ended without its manifest.");
  return described;
}

function otherVersion(schema: number | null, known: number): BackupError {
  return new BackupError(
    `The database has schema version ${schema}, and this program ${known}. Make the backup with the Muster that serves it.`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "it already exists",
  ENOENT: "there is no such folder",
  EACCES: "this user may not write there",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EROFS: "the disk is read-only",
  EFBIG: "the disk takes no file of this size",
};

function explain(path: string, error: unknown): unknown {
  return REASONS[codeOf(error)] === undefined ? error : cannotWrite(path, codeOf(error), error);
}

function cannotWrite(path: string, code: string, cause?: unknown): BackupError {
  return new BackupError(`Cannot write ${path}: ${REASONS[code]}. No file was left.`, { cause });
}
