import { NotEmptyError, loadInto } from "#db/backup/load.ts";
import type { Load, OpenTable } from "#db/backup/load.ts";
import { migrate } from "#db/migrate.ts";
import { latestVersion } from "#db/migration/files.ts";
import { HELD_COPY } from "#db/queries/access/hold.ts";
import type { Config } from "#config/config.ts";
import { codeOf } from "#lib/error-code.ts";
import { connectDatabase } from "../connect-database.ts";
import { presentFingerprint } from "../keys/open-secrets.ts";
import { checkBlobs, openBlobs } from "../open-blobs.ts";
import { BackupError } from "./format.ts";
import type { Described, Header } from "./format.ts";
import { createFileRestore } from "./restore-files.ts";
import type { FileRestore } from "./restore-files.ts";
import { readBackup } from "./read-backup.ts";
import type { Part } from "./read-backup.ts";

/** SQLSTATE of a full disk. */
const DISK_FULL = "53100";

/** What is restored, and where. */
export interface RestoreOptions {
  readonly config: Config;
  readonly path: string;
  /** Receives one sentence about something that the operator should know. */
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Restores a backup into an empty database, all or nothing, and holds the copy: it acts only after its release. The
 * backup is read and checked as a whole before the first row.
 * @throws BackupError for a bad file, another key or version, and a database with rows
 */
export async function restoreBackup(options: RestoreOptions): Promise<Described> {
  const { config, path, warn, signal } = options;
  const described = await readBackup(path, { onHeader: (header) => assertFits(header, config) });
  const place = await connectDatabase(config, { signal, warn });
  try {
    await checkBlobs(config);
    await migrate(place.url, () => load(place.url, options), { signal });
    return described;
  } catch (error) {
    throw explain(error, signal);
  } finally {
    await place.embedded?.stop();
  }
}

/** Every reason to refuse a backup that its header tells. */
async function assertFits({ muster, schema, key, keys = [] }: Header, config: Config): Promise<void> {
  const known = await latestVersion();
  if (schema !== known) {
    throw new BackupError(
      `it was made by Muster ${muster} with schema version ${schema}, and this program has ${known}. ` +
        "Restore it with that Muster; then upgrade.",
    );
  }
  const present = await presentFingerprint(config);
  if (present !== undefined && [key, ...keys].includes(present)) return;
  const here = present === undefined ? "there is none here" : `the one here is ${present}`;
  throw new BackupError(
    `it belongs to the encryption key with the fingerprint ${key}, and ${here}. ` +
      "Set ENCRYPTION_KEY to that key, or put its file encryption.key into the data folder.",
  );
}

async function load(url: string, { config, path, warn, signal }: RestoreOptions): Promise<void> {
  const files = createFileRestore(openBlobs(config));
  try {
    await loadInto(url, async (into) => {
      const parts = createPartLoader(into, files);
      const { header } = await readBackup(path, {
        onPart(part, { tables }) {
          signal.throwIfAborted();
          return parts.add(part, tables);
        },
      });
      await parts.end();
      await into.setting(HELD_COPY, header.began_at);
    });
  } catch (error) {
    await files.undo();
    throw error;
  }
  if (files.found() > 0) {
    warn(
      `${files.found()} files were in the store already. If the original still runs with it, give the copy a store of its own before you release it.`,
    );
  }
}

/** Takes the parts of a backup: the rows of one table after the other, then the files. */
function createPartLoader(into: Load, files: FileRestore) {
  let open: { readonly name: string; readonly table: OpenTable } | undefined;

  async function end(): Promise<void> {
    await open?.table.end();
    open = undefined;
  }

  return {
    end,
    async add(part: Part, tables: Header["tables"]): Promise<void> {
      if (part.kind === "file") {
        await end();
        return files.put(part.key, part.content);
      }
      if (open?.name !== part.table) {
        await end();
        const table = { name: part.table, columns: tables[part.table] ?? [] };
        open = { name: part.table, table: into.open(table) };
      }
      await open.table.write(part.content);
    },
  };
}

function explain(error: unknown, signal: AbortSignal): unknown {
  const because = (message: string) => new BackupError(message, { cause: error });
  if (signal.aborted) return because("The restore was interrupted; nothing was restored.");
  if (error instanceof NotEmptyError) return because(error.message);
  if (codeOf(error) === DISK_FULL) return because("The disk of the database is full; nothing was restored.");
  return error;
}
