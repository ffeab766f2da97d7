import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Installs the packages of a folder by its lock file, which may take minutes, unless `name` is there already. */
export async function installPackages(folder: string, name: string): Promise<void> {
  if (existsSync(join(folder, "node_modules", name))) return;
  await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
}
