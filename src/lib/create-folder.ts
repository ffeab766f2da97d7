import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf } from "./error-code.ts";

/**
 * Creates a folder and those above it; tells whether it was missing. Node's option `recursive` reports a read-only file
 * system as ENOENT, and does not return where nothing can be created, as in `/proc`.
 * @throws the error of the file system for the folder that cannot be created
 */
export function createFolder(folder: string, mode: number): boolean {
  const path = resolve(folder);
  const parent = dirname(path);
  try {
    return createOne(path, mode);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
  }
  createFolder(parent, mode);
  return createOne(path, mode);
}

function createOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
    return false;
  }
}
