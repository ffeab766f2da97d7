import { statfs } from "node:fs/promises";
import { resolve } from "node:path";
import { failed, ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

const MIB = 1024 ** 2;
const LITTLE = 1024 * MIB;
const TOO_LITTLE = 128 * MIB;
const REMEDY = "Free some space, or move the data folder to a larger disk.";

/** Whether the disk of the data folder has space. */
export const disk: Check = {
  name: "disk",
  of: "machine",
  async run({ MUSTER_DATA: folder }) {
    const { bavail, bsize } = await statfs(folder);
    return roomOf(bavail * bsize, resolve(folder));
  },
};

/** What the free space of a disk means. @param free in bytes */
export function roomOf(free: number, folder: string) {
  const text = `${Math.floor(free / MIB)} MiB are free for ${folder}.`;
  if (free < TOO_LITTLE) return failed(text, REMEDY);
  return free < LITTLE ? warning(text, REMEDY) : ok(text);
}
