import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { mkdir } from "node:fs/promises";
import { latestVersion } from "#db/migration/files.ts";
import { SUMS } from "#db/move/move-tables.ts";
import { withWorkspace } from "#db/move/read-workspace.ts";
import type { MovingWorkspace, WorkspaceSnapshot } from "#db/move/read-workspace.ts";
import { VERSION } from "#domain/version.ts";
import { BlobMissingError } from "#lib/blobs/blob-store.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { sha256 } from "../backup/tally.ts";
import { countRows, endOfRows } from "./copy-text.ts";
import { explainFolder, note, readIfThere, readProgress, writeWhole } from "./folder.ts";
import type { Progress } from "./folder.ts";
import { FORMAT, MoveError, NAMES, headerSchema, manifestSchema, pathOf } from "./format.ts";
import type { Described, Header, Manifest, Part } from "./format.ts";
import { newKey, openKey, sealOf } from "./passphrase.ts";
import type { ExportKey } from "./passphrase.ts";
import { createRewriter } from "./secrets.ts";
import type { Rewriter } from "./secrets.ts";

const compress = promisify(gzip);
/** The length of a part before it is compressed: what an import repeats after a crash. */
const PART_BYTES = 4 * 1024 * 1024;

/** What is exported, and where to. */
export interface ExportOptions {
  readonly url: string;
  readonly workspaceId: string;
  readonly folder: string;
  readonly passphrase: string;
  readonly secrets: Pick<SecretBox, "open">;
  readonly blobs: BlobStore;
  /** Receives one sentence about a problem that does not end the export. */
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Exports a held workspace into a folder. An export that was interrupted continues with the table or file where it was:
 * nothing changes in a held workspace.
 * @throws MoveError when it is not held or was released meanwhile, and for another passphrase
 */
export async function exportWorkspace(options: ExportOptions): Promise<Described> {
  const { url, workspaceId, folder, signal } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const run = (snapshot: WorkspaceSnapshot) => write(options, snapshot);
    const described = await withWorkspace(url, workspaceId, { run, signal });
    if (described === undefined) throw new MoveError("There is no such workspace.");
    return described;
  } catch (error) {
    if (signal.aborted)
      throw new MoveError("The export was interrupted; run it again, and it continues.", { cause: error });
    throw explainFolder(folder, error, "The export is not complete; run it again, and it continues.");
  }
}

async function write(options: ExportOptions, snapshot: WorkspaceSnapshot): Promise<Described> {
  const { folder, secrets, workspaceId } = options;
  const { header, key } = await begin(options, snapshot);
  const done = await readIfThere(folder, NAMES.manifest);
  if (done !== undefined) return { header, manifest: manifestSchema.parse(JSON.parse(done.toString())) };
  const progress = await readProgress(folder);
  const rewriter = createRewriter({ from: secrets, to: key.box }, workspaceId);
  const parts = progress.parts.filter(({ table }) => !SUMS.has(table));
  for (const table of snapshot.tables) {
    if (progress.tables.has(table.name) && !SUMS.has(table.name)) continue;
    parts.push(
      ...(await writeTable(options, {
        rows: snapshot.rows(table),
        table: { ...table, columns: [...table.columns] },
        rewriter,
      })),
    );
  }
  const { files, missing } = await writeFiles(options, { snapshot, progress });
  const manifest: Manifest = {
    header_sha256: sha256(JSON.stringify(header, null, 2)),
    parts,
    files,
    missing,
    usage_until: snapshot.workspace.usageUntil ?? "-infinity",
    ended_at: new Date().toISOString(),
  };
  const text = JSON.stringify(manifest, null, 2);
  await writeWhole(folder, NAMES.seal, sealOf(key, text));
  await writeWhole(folder, NAMES.manifest, text);
  return { header, manifest };
}

interface Begun {
  readonly header: Header;
  readonly key: ExportKey;
}

async function begin(options: ExportOptions, { workspace, state, tables }: WorkspaceSnapshot): Promise<Begun> {
  const { folder, passphrase } = options;
  const { id, slug, name, heldAt, running } = workspace;
  if (heldAt === null)
    throw new MoveError(`${slug} is not held: run "muster ops hold ${slug}" first, so that it stays as it is.`);
  const known = await latestVersion();
  if (state.schema !== known)
    throw new MoveError(`The database has schema version ${state.schema}, and this program ${known}.`);
  const begun = await readIfThere(folder, NAMES.header);
  if (begun !== undefined) return resume(options, workspace, begun);
  if (running !== 0) throw new MoveError(`${slug} still ends ${running} deliveries or runs; run it again in a moment.`);
  const key = await newKey(passphrase);
  const header: Header = {
    format: FORMAT,
    muster: VERSION,
    schema: known,
    workspace: { id, slug, name },
    held_at: heldAt,
    began_at: new Date().toISOString(),
    salt: key.salt,
    check: key.check,
    tables: tables.map((table) => ({ name: table.name, columns: [...table.columns] })),
    left_out: leftOut(workspace),
  };
  await writeWhole(folder, NAMES.header, JSON.stringify(header, null, 2));
  return { header, key };
}

async function resume(
  { passphrase, folder }: ExportOptions,
  { id, slug, heldAt }: WorkspaceSnapshot["workspace"],
  begun: Buffer,
): Promise<Begun> {
  const parsed = headerSchema.safeParse(JSON.parse(begun.toString()));
  if (!parsed.success || parsed.data.workspace.id !== id) {
    throw new MoveError(`${folder} has something else than an export of ${slug}: name another folder.`);
  }
  const header = parsed.data;
  if (header.held_at !== heldAt) {
    throw new MoveError(`${slug} was released since this export began: delete ${folder} and export again.`);
  }
  if (header.muster !== VERSION)
    throw new MoveError(`This export was begun by Muster ${header.muster}: continue it with that.`);
  return { header, key: await openKey(passphrase, header) };
}

function leftOut({ apps, mcpAccounts }: MovingWorkspace): string[] {
  return [
    ...((mcpAccounts ?? 0) === 0
      ? []
      : [
          `${mcpAccounts} accounts at MCP servers: connect them again, because no two installations may renew their tokens`,
        ]),
    ...((apps ?? 0) === 0
      ? []
      : [`${apps} connected apps: people connect them again, because their tokens are bound to this address`]),
    "passwords, passkeys and sessions of people: they belong to the accounts of an instance",
  ];
}

interface TableToWrite {
  readonly rows: Readable;
  readonly table: Header["tables"][number];
  readonly rewriter: Rewriter;
}

async function writeTable({ folder, signal }: ExportOptions, { rows, table, rewriter }: TableToWrite): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const text of inWholeRows(rows)) {
    signal.throwIfAborted();
    const content = rewriter.rewrite(table, text);
    const packed = await compress(content, { level: constants.Z_BEST_SPEED });
    const part: Part = {
      table: table.name,
      part: parts.length + 1,
      rows: countRows(content),
      bytes: packed.length,
      sha256: sha256(packed),
    };
    await writeWhole(folder, pathOf(part), packed);
    await note(folder, { part });
    parts.push(part);
  }
  await note(folder, { table: table.name });
  return parts;
}

/** Gathers chunks into texts that end with a row. */
async function* inWholeRows(stream: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("COPY gives bytes.");
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    const text = Buffer.concat(chunks);
    const end = endOfRows(text);
    if (end > 0) yield text.subarray(0, end);
    chunks = [text.subarray(end)];
    bytes = text.length - end;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}

interface FilesToWrite {
  readonly snapshot: WorkspaceSnapshot;
  readonly progress: Progress;
}

async function writeFiles({ folder, blobs, warn, signal }: ExportOptions, { snapshot, progress }: FilesToWrite) {
  const [files, missing] = [[...progress.files], [...progress.missing]];
  const known = new Set([...files.map(({ key }) => key), ...missing]);
  for await (const key of createInterface({ input: snapshot.blobKeys(), crlfDelay: Infinity })) {
    if (known.has(key)) continue;
    signal.throwIfAborted();
    const content = await blobs.get(key).catch((error: unknown) => {
      if (error instanceof BlobMissingError) return undefined;
      throw error;
    });
    if (content === undefined) {
      warn(`The content of a file is missing in the store: ${key}.`);
      await note(folder, { missing: key });
      missing.push(key);
      continue;
    }
    const file = { key, bytes: content.length, sha256: sha256(Buffer.from(content)) };
    await writeWhole(folder, `${NAMES.files}/${key}`, content);
    await note(folder, { file });
    files.push(file);
  }
  return { files, missing };
}
