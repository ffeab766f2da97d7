import { open } from "node:fs/promises";

/** Makes the names of new files in a folder survive a power failure: syncing the files themselves does not. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
