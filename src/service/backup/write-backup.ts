import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { BackupTable } from "#db/queries/backup/backup-tables.ts";
import type { Snapshot } from "#db/backup/snapshot.ts";
import { VERSION } from "#domain/version.ts";
import { TAR_END, tarEntry } from "#lib/archive/tar.ts";
import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import { BackupError, FORMAT, NAMES } from "./format.ts";
import type { Described, Header, Manifest } from "./format.ts";
import { createTally, sha256 } from "./tally.ts";
import type { Tally } from "./tally.ts";

/** The length of a part of a table, in bytes: what a backup holds in memory, besides one file. */
const PART_BYTES = 1024 * 1024;

/** What is backed up. */
export interface BackupSource {
  readonly snapshot: Snapshot;
  readonly blobs: BlobStore;
  /** Receives the key of each content that the store has lost. */
  readonly onMissing: (key: string) => void;
}

/** Returns the bytes of a backup's archive; at the end, what it holds. */
export async function* writeBackup(source: BackupSource): AsyncGenerator<Buffer, Described> {
  const header = await headerOf(source.snapshot);
  const headerText = JSON.stringify(header, null, 2);
  yield* textEntry(NAMES.header, headerText);
  const tally = createTally(Object.keys(header.tables));
  for (const table of source.snapshot.tables) yield* tableEntries(source.snapshot, table, tally);
  yield* fileEntries(source, tally);
  const ended_at = new Date().toISOString();
  const manifest: Manifest = { header_sha256: sha256(headerText), ...tally.end(), ended_at };
  const text = JSON.stringify(manifest, null, 2);
  yield* textEntry(NAMES.manifest, text);
  yield* textEntry(NAMES.digest, sha256(text));
  yield TAR_END;
  return { header, manifest };
}

async function headerOf({ state, tables, keys }: Snapshot): Promise<Header> {
  const { schema, fingerprint, postgres } = state;
  if (schema === null || fingerprint === null) throw new BackupError("The database has no workspace yet.");
  const { wrappings, generations } = await keys();
  return {
    format: FORMAT,
    muster: VERSION,
    schema,
    postgres,
    key: fingerprint,
    keys: [...wrappings],
    data_keys: [...generations],
    began_at: new Date().toISOString(),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, [...columns]])),
  };
}

function* textEntry(name: string, text: string): Generator<Buffer> {
  yield* tarEntry({ name, content: Buffer.from(text) });
}

async function* tableEntries(snapshot: Snapshot, table: BackupTable, tally: Tally): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const content of inParts(snapshot.rows(table))) {
    tally.rows(table.name, content);
    number += 1;
    yield* tarEntry({ name: `${NAMES.tables}${table.name}/${number}`, content });
  }
}

/** Gathers chunks; a part may end within a row. */
async function* inParts(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("COPY gives bytes.");
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

async function* fileEntries({ snapshot, blobs, onMissing }: BackupSource, tally: Tally): AsyncGenerator<Buffer> {
  const keys = snapshot.blobKeys();
  for await (const key of createInterface({ input: keys, crlfDelay: Infinity })) {
    const content = await blobs.get(key).catch((error: unknown) => {
      if (error instanceof BlobMissingError) return undefined;
      throw error;
    });
    if (content === undefined) {
      tally.missing();
      onMissing(key);
      continue;
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    tally.file(key, bytes);
    yield* tarEntry({ name: `${NAMES.files}${key}`, content: bytes });
  }
}
