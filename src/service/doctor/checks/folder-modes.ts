import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf } from "#lib/error-code.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

const WRITABLE_BY_OTHERS = 0o022;
const READABLE_BY_OTHERS = 0o077;

/** Whether only the user of the service can write to the data folder and read its secrets. */
export const folderModes: Check = {
  name: "folder modes",
  of: "machine",
  async run({ MUSTER_DATA: folder }) {
    const path = resolve(folder);
    const { mode = 0 } = (await statIfAny(path)) ?? {};
    if ((mode & WRITABLE_BY_OTHERS) !== 0) {
      return failed(`Other users can write to ${path}.`, `Run: chmod go-w ${path}`);
    }
    for (const name of ["encryption.key", "encryption.key.next", "first-keys.env"]) {
      const file = join(path, name);
      const found = await statIfAny(file);
      if (found !== undefined && (found.mode & READABLE_BY_OTHERS) !== 0) {
        return failed(`Other users can read ${file}.`, `Run: chmod 600 ${file}`);
      }
    }
    const keys = join(path, "first-keys.env");
    if ((await statIfAny(keys)) === undefined) return ok("Only the user of the service can read its secrets.");
    return warning(`The first keys are still in ${keys}.`, "Store them elsewhere, and delete the file.");
  },
};

function statIfAny(path: string) {
  return stat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}
