import { mkdir, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { BlobMissingError, BlobStoreError, checkKey } from "./blob-store.ts";
import type { BlobStore } from "./blob-store.ts";
import { newId } from "../ids.ts";
import { syncFolder } from "../sync-folder.ts";

/** The folder of unfinished files; no key begins with a dot. */
const DRAFTS = ".drafts";
/** A temporary file of this age was left by a dead process. */
const STALE_MS = 3_600_000;
const PRIVATE = 0o600;
/** The names in a folder contain ids of workspaces and files. */
const PRIVATE_FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Stores contents as files in a folder, which is created on first use. A stored content survives a power failure. All
 * machines must share the folder.
 * @param setting the name of the operator's setting for the folder, for messages
 */
export function createLocalBlobs(folder: string, setting = "folder"): BlobStore {
  const explained = <T>(run: () => Promise<T>) => explain({ folder, setting }, run);
  const pathOf = (key: string) => join(folder, checkKey(key));
  let swept: Promise<void> | undefined;

  return {
    async put(key, content) {
      const path = pathOf(key);
      const draft = join(folder, DRAFTS, newId());
      await (swept ??= sweepDrafts(join(folder, DRAFTS)));
      await explained(async () => {
        await mkdir(dirname(draft), PRIVATE_FOLDER);
        try {
          await writeDurably(draft, content);
          await mkdir(dirname(path), PRIVATE_FOLDER);
          await rename(draft, path);
          await syncFolder(dirname(path));
        } catch (error) {
          await rm(draft, { force: true });
          throw error;
        }
      });
    },
    get: (key) => explained(() => readFile(pathOf(key))),
    stream: (key) =>
      explained(async () => {
        const file = await open(pathOf(key));
        return Readable.toWeb(file.createReadStream());
      }),
    delete: (key) => explained(() => rm(pathOf(key), { force: true })),
  };
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, "wx", PRIVATE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sweepDrafts(drafts: string): Promise<void> {
  const names = await readdir(drafts).catch(() => []);
  for (const name of names) {
    const path = join(drafts, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

async function explain<T>(
  { folder, setting }: { readonly folder: string; readonly setting: string },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code !== "ENOENT")
      throw new BlobStoreError(`${setting}: the files in ${folder}: ${error.message}`, { cause: error });
    throw new BlobMissingError(
      "A stored file is missing. Machines that share a database must share the folder of their files, or use a bucket.",
      { cause: error },
    );
  }
}
