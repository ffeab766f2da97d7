import { spawnSync } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

const SIZE = "size=400m";
const PIECE = Buffer.alloc(4 * 1024 ** 2);
const BALLAST = "ballast";

/** A small disk of its own. */
export interface Disk {
  /** Fills it to the last byte. */
  fill(): Promise<void>;
  /** Makes room again. */
  free(): Promise<void>;
  close(): Promise<void>;
}

/** Mounts a small disk on a folder; undefined where this process may not. */
export async function openDisk(folder: string): Promise<Disk | undefined> {
  if (spawnSync("mount", ["-t", "tmpfs", "-o", SIZE, "tmpfs", folder]).status !== 0) return undefined;
  const ballast = join(folder, BALLAST);
  return {
    async fill() {
      const file = await open(ballast, "w");
      try {
        for (;;) await file.write(PIECE);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast),
    async close() {
      spawnSync("umount", ["--lazy", folder]);
    },
  };
}
